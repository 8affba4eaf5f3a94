"""The pages' examples are run: every fenced block whose first line says `tested`.

    ```csv tested games.csv       the block is written to that file
    ```console tested             lines after `$ ` are run, the lines below must be what they print
    ```python tested              run as an interactive session (>>>) or as a script

All blocks of a page share one empty folder, in the order of the page; `...` stands for anything.
"""

from __future__ import annotations

import doctest
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted([ROOT / "README.md", *(ROOT / "docs").rglob("*.md")])
BLOCK = re.compile(r"^```(\w+) tested ?(.*)\n((?:.*\n)*?)^```$", re.MULTILINE)
CHECKER = doctest.OutputChecker()


class Block(NamedTuple):
    kind: str
    argument: str
    text: str
    line: int


def blocks(page: Path) -> list[Block]:
    text = page.read_text("utf-8")
    return [Block(m[1], m[2], m[3], text.count("\n", 0, m.start()) + 1) for m in BLOCK.finditer(text)]


def run_console(block: Block, folder: Path) -> None:
    """Run each `$ ` line (a line that ends in a backslash goes on below) and compare what it prints."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, "PATH": path, "COLUMNS": "110", "NO_COLOR": "1", "TERM": "dumb"}
    for part in re.split(r"^\$ ", block.text, flags=re.MULTILINE)[1:]:
        found = re.match(r"((?:.*\\\n)*.*)\n([\s\S]*)", part)
        assert found, part
        done = subprocess.run(
            found[1], shell=True, cwd=folder, env=environment, text=True, timeout=120, check=False,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        )  # fmt: skip
        same = CHECKER.check_output(found[2], done.stdout, doctest.ELLIPSIS)
        assert same, f"$ {found[1]}\nprinted\n{done.stdout}\ninstead of\n{found[2]}"


def run_python(block: Block, names: dict[str, object], page: Path) -> None:
    if ">>>" not in block.text:
        exec(compile("\n" * block.line + block.text, str(page), "exec"), names)
        return
    test = doctest.DocTestParser().get_doctest(block.text, names, page.name, str(page), block.line)
    told: list[str] = []
    runner = doctest.DocTestRunner(CHECKER, verbose=False, optionflags=doctest.ELLIPSIS)
    failed = runner.run(test, out=told.append, clear_globs=False).failed
    names.update(test.globs)
    assert not failed, "".join(told)


@pytest.mark.parametrize("page", [pytest.param(p, id=str(p.relative_to(ROOT))) for p in PAGES if blocks(p)])
def test_the_examples_of_the_page(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {"__name__": "__page__"}
    for block in blocks(page):
        if block.kind == "csv":
            (tmp_path / block.argument).write_text(block.text, "utf-8")
        elif block.kind == "console":
            run_console(block, tmp_path)
        else:
            run_python(block, names, page)


def test_blocks_are_found(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(
        "# A\n\n```csv tested a.csv\nx\n1\n```\n\n```python\nno\n```\n\n```console tested\n$ ls\na.csv\n```\n"
    )
    assert blocks(page) == [Block("csv", "a.csv", "x\n1\n", 3), Block("console", "", "$ ls\na.csv\n", 12)]
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "a.csv").touch()
    run_console(blocks(page)[1], tmp_path / "folder")
    with pytest.raises(AssertionError, match="instead of"):
        run_console(Block("console", "", "$ ls\nb.csv\n", 1), tmp_path / "folder")
    with pytest.raises(AssertionError, match="Failed example"):
        run_python(Block("python", "", ">>> 1 + 1\n3\n", 1), {}, page)
