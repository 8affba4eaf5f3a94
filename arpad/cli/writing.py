"""Writes files all at once: either every file stands there complete, or nothing has changed."""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import BinaryIO

from arpad.domain.problems import FATAL, Problem, Refused

Writer = Callable[[BinaryIO], object]


def writer_of(data: bytes) -> Writer:
    """Writes what is known already."""
    return lambda file: file.write(data)


def write_files(files: Mapping[Path, Writer]) -> None:
    """Write every file beside its place, then move all into place. Folders that are missing are made.

    Raises Refused (`output-unwritable`), with everything as it was before.
    """
    # Through a link, not in its place.
    files = {Path(os.path.realpath(t)) if t.is_symlink() else t: writer for t, writer in files.items()}
    made: list[Path] = []
    staged: dict[Path, Path] = {}
    target = next(iter(files))
    try:
        for target in files:
            _make_folder(target.parent, made)
            if target.is_dir():
                raise IsADirectoryError(21, "a folder of that name stands there", str(target))
            if target.exists() and not target.is_file():  # /dev/null would become a file for everybody
                raise OSError(22, "it is a device or a pipe, not a file", str(target))
        for target, writer in files.items():
            staged[target] = _stage(target, writer)
        _move(staged)
    except OSError as error:
        named = str(error.filename or "")
        place = target if not named or named.endswith((".part", ".old")) else named  # no passing names
        message = f"{place} cannot be written: {error.strerror or error}. Nothing was written."
        raise Refused(
            Problem("output-unwritable", FATAL, message, "Choose another folder, or make room.")
        ) from None
    finally:
        for path in staged.values():
            with contextlib.suppress(OSError):
                path.unlink(missing_ok=True)
        for folder in reversed(made):  # those that stayed empty
            with contextlib.suppress(OSError):
                folder.rmdir()


def _make_folder(folder: Path, made: list[Path]) -> None:
    missing = [path for path in (folder, *folder.parents) if not path.exists()]
    for path in reversed(missing):
        path.mkdir()
        made.append(path)


def _stage(target: Path, writer: Writer) -> Path:
    """The finished file under a passing name in the target's folder, safe on disk."""
    handle, name = tempfile.mkstemp(prefix=f".{target.name}.", suffix=".part", dir=target.parent)
    path = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            writer(file)
            file.flush()
            os.fsync(file.fileno())
        path.chmod(_usual_mode())
    except BaseException:
        path.unlink(missing_ok=True)
        raise
    return path


def _usual_mode() -> int:
    """The mode of a new file; mkstemp's is for its owner alone."""
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask


def _move(staged: Mapping[Path, Path]) -> None:
    """Move all into place; where one cannot be, put back what stood there."""
    kept: dict[Path, Path | None] = {}
    try:
        for target, path in staged.items():
            kept[target] = _keep(target)
            path.replace(target)
    except OSError:
        for target, before in kept.items():
            if before is not None:
                before.replace(target)
                before.unlink(missing_ok=True)  # still there where it names the same file
            elif not staged[target].exists():  # it was moved
                target.unlink(missing_ok=True)
        raise
    for before in kept.values():
        if before is not None:
            before.unlink(missing_ok=True)


def _keep(target: Path) -> Path | None:
    """A second name for the file that stands at `target`; None where none does."""
    if not target.exists():
        return None
    handle, name = tempfile.mkstemp(prefix=f".{target.name}.", suffix=".old", dir=target.parent)
    os.close(handle)
    kept = Path(name)
    kept.unlink()
    try:
        os.link(target, kept)
    except OSError:  # a file system without links
        kept.write_bytes(target.read_bytes())
    return kept
