"""The checks of `make check` see what they are there for."""

from __future__ import annotations

from pathlib import Path

import pytest

import check_docs
import check_size
import repository

FENCE = "`" * 3


def page(folder: Path, text: str) -> Path:
    (folder / "there.md").write_text("# A heading, with a comma\n", "utf-8")
    path = folder / "page.md"
    path.write_text(text, "utf-8")
    return path


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("See [this](absent.md).", "1: no such file: absent.md"),
        ("\n![A curve](curve.svg)", "2: no such file: curve.svg"),
        ("See [this](there.md#elsewhere).", "1: no such heading: there.md#elsewhere"),
        (f"{FENCE}ruby tested\nputs 1\n{FENCE}", "1: a tested block must be one of console, csv, python"),
        ("Look in /ro" + "ot/files", "1: names a machine or a registry: /ro" + "ot/"),
    ],
)
def test_a_bad_page_is_seen(tmp_path: Path, text: str, problem: str) -> None:
    assert list(check_docs.problems(page(tmp_path, text))) == [problem]


@pytest.mark.parametrize(
    "text",
    [
        "See [this](there.md#a-heading-with-a-comma) and [that](https://example.org/absent).",
        f"{FENCE}text\n[not a link](absent.md)\n{FENCE}",
        "Written as `[text](absent.md)`.",
        f"{FENCE}python tested\n>>> 1 + 1\n2\n{FENCE}",
    ],
)
def test_a_good_page_passes(tmp_path: Path, text: str) -> None:
    assert list(check_docs.problems(page(tmp_path, text))) == []


def test_large_files_and_functions_are_named() -> None:
    long_function = "def long():\n" + "    print()\n" * 50
    assert list(check_size.warnings("a.py", long_function)) == [
        "a.py:1: long has 51 lines (about 50 at most)"
    ]
    assert list(check_size.warnings("a.py", "x = 1\n" * 401)) == ["a.py:1: 401 lines (about 400 at most)"]
    assert list(check_size.warnings("a.py", "x = 1\n" * 400)) == []


def test_an_unpacked_archive_has_files_too(tmp_path: Path) -> None:
    for name in ("README.md", "docs/index.md", "build/docs/index.md", ".venv/pyvenv.cfg"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    assert [path.name for path in repository.files(tmp_path)] == ["README.md", "index.md"]
