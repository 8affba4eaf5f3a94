"""Both files or none: what stood there before stays until everything is written."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from arpad.cli.writing import write_files, writer_of
from arpad.domain.problems import Refused

CLUB = ("rate", "games.csv", "--ruleset", "us-table-tennis", "--players", "players.csv", "--out")


def content(folder: Path) -> dict[str, bytes]:
    return {str(p.relative_to(folder)): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}


def test_files_and_folders_are_made(tmp_path: Path) -> None:
    one, two = tmp_path / "a" / "b" / "one", tmp_path / "a" / "two"
    write_files({one: writer_of(b"1"), two: writer_of(b"2")})
    assert content(tmp_path) == {"a/b/one": b"1", "a/two": b"2"}


def test_a_new_file_may_be_read_as_any_other(tmp_path: Path) -> None:
    (tmp_path / "usual").touch()
    write_files({tmp_path / "one": writer_of(b"1")})
    assert (tmp_path / "one").stat().st_mode == (tmp_path / "usual").stat().st_mode


def test_a_failure_while_writing_changes_nothing(tmp_path: Path) -> None:
    (tmp_path / "one").write_bytes(b"old")
    before = content(tmp_path)

    def fail(file: object) -> None:
        raise OSError(28, "No space left on device")

    with pytest.raises(
        Refused, match=r"two cannot be written: No space left on device\. Nothing was written"
    ):
        write_files({tmp_path / "one": writer_of(b"new"), tmp_path / "new" / "two": fail})
    assert content(tmp_path) == before
    assert not (tmp_path / "new").exists()


@pytest.mark.parametrize("existing", [True, False])
def test_a_failure_while_moving_changes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, existing: bool
) -> None:
    for name in ("one", "two") if existing else ():
        (tmp_path / name).write_bytes(b"old")
    before = content(tmp_path)
    replace, calls = Path.replace, []

    def second_fails(self: Path, target: Path) -> Path:
        calls.append(target)
        if len(calls) == 2:
            raise OSError(5, "Input/output error")
        return replace(self, target)

    monkeypatch.setattr(Path, "replace", second_fails)
    with pytest.raises(Refused, match="Input/output error"):
        write_files({tmp_path / "one": writer_of(b"new"), tmp_path / "two": writer_of(b"new")})
    assert content(tmp_path) == before


def test_a_bug_leaves_nothing_half(tmp_path: Path) -> None:
    def fail(file: object) -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        write_files({tmp_path / "one": writer_of(b"1"), tmp_path / "two": fail})
    assert content(tmp_path) == {}


def test_the_folder_is_a_file(arpad, folder: Path) -> None:
    before = content(folder)
    done = arpad(*CLUB, "games.csv")
    assert (done.status, done.out) == (1, "")
    assert done.err.startswith("arpad: output-unwritable: ")
    assert content(folder) == before


def test_a_folder_stands_in_the_way(arpad, folder: Path) -> None:
    (folder / "lists" / "history.csv").mkdir(parents=True)
    done = arpad(*CLUB, "lists")
    assert (done.status, done.out) == (1, "")
    assert "output-unwritable: lists/history.csv cannot be written" in done.err
    assert not (folder / "lists" / "ratings.csv").exists()


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_read_only_folder(arpad, folder: Path) -> None:
    (folder / "lists").mkdir(mode=0o555)
    done = arpad(*CLUB, "lists")
    assert (done.status, done.out) == (1, "")
    assert "output-unwritable" in done.err


def test_a_folder_that_nobody_may_write(arpad) -> None:
    """Also for root: the kernel's own file system."""
    if not Path("/proc/self").is_dir():
        pytest.skip("no /proc")
    done = arpad(*CLUB, "/proc/lists")
    assert (done.status, done.out) == (1, "")
    assert "output-unwritable" in done.err


def test_a_full_disk(folder: Path) -> None:
    """A limit of one kilobyte a file stands for it: the list fits, the history does not."""
    (folder / "lists").mkdir()
    (folder / "lists" / "ratings.csv").write_bytes(b"old")
    limited = (
        "import resource, sys; resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000));"
        "from arpad.cli import main; main()"
    )
    command = [sys.executable, "-B", "-c", limited, *CLUB, "lists"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("arpad: output-unwritable: ")
    assert "Traceback" not in done.stderr
    assert content(folder / "lists") == {"ratings.csv": b"old"}


def test_writing_again_replaces(arpad, folder: Path) -> None:
    arpad(*CLUB, "lists")
    before = content(folder / "lists")
    (folder / "lists" / "notes.txt").write_text("mine")
    assert arpad(*CLUB, "lists").status == 0
    assert content(folder / "lists") == before | {"notes.txt": b"mine"}


def test_what_is_no_ordinary_file_is_not_replaced(tmp_path: Path) -> None:
    pipe, link = tmp_path / "pipe", tmp_path / "link"
    os.mkfifo(pipe)
    link.symlink_to(pipe)
    for target in (pipe, link):
        with pytest.raises(Refused, match="a device or a pipe, not a file"):
            write_files({tmp_path / "one": writer_of(b"1"), target: writer_of(b"2")})
    assert pipe.is_fifo()
    assert link.is_symlink()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["link", "pipe"]


def test_a_link_stays_and_its_file_is_written(tmp_path: Path) -> None:
    (tmp_path / "real").write_bytes(b"old")
    (tmp_path / "link").symlink_to("real")
    write_files({tmp_path / "link": writer_of(b"new")})
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real").read_bytes() == b"new"
