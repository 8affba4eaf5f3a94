"""Check the documentation: links resolve, and no file names this machine or a package registry.

Fenced blocks whose first line says `tested` are run by tests/docs; here only their kind is checked.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

from repository import ROOT, files

# Written in pieces, so that this file does not contain what it looks for.
FORBIDDEN = tuple(
    "".join(pieces)
    for pieces in (
        ("/wo", "rk/"),
        ("/ro", "ot/"),
        ("/opt/", "wheels"),
        ("py", "pi.org"),
        ("python", "hosted.org"),
        ("registry.", "npmjs"),
        ("deb.", "debian.org"),
    )
)
TESTED = {"python", "console", "csv"}
FENCE = re.compile(r"^(`{3,}|~{3,})(.*)$")
LINK = re.compile(r"(?<!!)\[[^\]\n]*\]\(([^()\s]+)\)|!\[[^\]\n]*\]\(([^()\s]+)\)")
HEADING = re.compile(r"^#{1,6} +(.*?)\s*$")


def prose(text: str) -> Iterator[tuple[int, str]]:
    """The lines outside fenced blocks, with their numbers."""
    fence = ""
    for number, line in enumerate(text.splitlines(), 1):
        found = FENCE.match(line)
        if found and not fence:
            fence = found[1]
        elif found and found[1].startswith(fence) and not found[2].strip():
            fence = ""
        elif not fence:
            yield number, line


def anchors(path: Path) -> set[str]:
    """The anchors that headings get: lower case, without punctuation, spaces as hyphens."""
    found = (HEADING.match(line) for _, line in prose(path.read_text("utf-8")))
    return {re.sub(r"[^\w\- ]", "", heading[1].lower()).replace(" ", "-") for heading in found if heading}


def broken_links(path: Path) -> Iterator[str]:
    for number, line in prose(path.read_text("utf-8")):
        for match in LINK.finditer(re.sub(r"`[^`]*`", "", line)):
            target = match[1] or match[2]
            if re.match(r"[a-z]+:", target):
                continue
            file, _, anchor = target.partition("#")
            aim = (path.parent / file).resolve() if file else path
            if not aim.exists():
                yield f"{number}: no such file: {target}"
            elif anchor and aim.suffix == ".md" and anchor not in anchors(aim):
                yield f"{number}: no such heading: {target}"


def unknown_blocks(path: Path) -> Iterator[str]:
    """A block marked `tested` must be of a kind that tests/docs can run."""
    for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
        found = FENCE.match(line)
        words = found[2].split() if found else []
        if "tested" in words[1:] and words[0] not in TESTED:
            yield f"{number}: a tested block must be one of {', '.join(sorted(TESTED))}"


def forbidden_words(path: Path) -> Iterator[str]:
    for number, line in enumerate(path.read_text("utf-8", errors="replace").splitlines(), 1):
        for word in FORBIDDEN:
            if word in line:
                yield f"{number}: names a machine or a registry: {word}"


def problems(path: Path) -> Iterator[str]:
    yield from forbidden_words(path)
    if path.suffix == ".md":
        yield from broken_links(path)
        yield from unknown_blocks(path)


def main() -> int:
    all_files = files()
    found = [f"{path.relative_to(ROOT)}:{problem}" for path in all_files for problem in problems(path)]
    print("\n".join([*found, f"docs: {len(all_files)} files read, {len(found)} problems"]))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
