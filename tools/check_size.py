"""Warn about files of more than 400 lines and functions of more than 50. Never fails: size is a hint."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from repository import ROOT, files

FILE_LINES = 400
FUNCTION_LINES = 50


def warnings(name: str, text: str) -> Iterator[str]:
    lines = len(text.splitlines())
    if lines > FILE_LINES:
        yield f"{name}:1: {lines} lines (about {FILE_LINES} at most)"
    try:
        tree = ast.parse(text)
    except SyntaxError:
        return  # ruff says where
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            length = (node.end_lineno or node.lineno) - node.lineno + 1
            if length > FUNCTION_LINES:
                yield f"{name}:{node.lineno}: {node.name} has {length} lines (about {FUNCTION_LINES} at most)"


def main() -> None:
    sources = [path for path in files() if path.suffix == ".py"]
    found = [warning for path in sources for warning in in_file(path)]
    print("\n".join([*(f"warning: {line}" for line in found), f"size: {len(found)} warnings"]))


def in_file(path: Path) -> Iterator[str]:
    return warnings(str(path.relative_to(ROOT)), path.read_text("utf-8"))


if __name__ == "__main__":
    main()
