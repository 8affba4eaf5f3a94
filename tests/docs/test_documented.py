"""What a reader can meet stands in the reference: rulesets, formats, problem codes."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from arpad.engine import reasons
from arpad.formats import registry
from arpad.rulesets import catalogue

ROOT = Path(__file__).resolve().parents[2]
REFERENCE = ROOT / "docs" / "reference"
# The demonstration only names its own folders.
SOURCES = [path for path in (ROOT / "arpad").rglob("*.py") if "demo" not in path.parts]
# Calls whose arguments may look like a code without being one.
NO_PROBLEMS = {"decode", "encode", "read_text", "write_text", "open"}
# Words of the store's rows that are shaped like codes.
NO_CODES = {
    "verify-export",
    "restore-game",
    "from-list",
    "event-in-pool",
    "fact-added",
    "fact-gone",
    "fact-changed",
    "published-stay",
    "game-added",
    "game-gone",
    "utf-8",
    "first-day",
    "arpad-data",
}
CODE = re.compile(r"[a-z]+(-[a-z0-9]+)+\Z")


def page(*parts: str) -> str:
    return REFERENCE.joinpath(*parts).read_text("utf-8")


@pytest.mark.parametrize("ruleset", catalogue.names())
def test_each_ruleset_has_its_page_and_its_source(ruleset: str) -> None:
    assert page("rulesets", f"{ruleset}.md").startswith(f"# {ruleset}\n")
    assert f"[{ruleset}]({ruleset}.md)" in page("rulesets", "index.md")
    assert f"`{ruleset}`" in (ROOT / "docs" / "sources.md").read_text("utf-8")


def test_no_page_without_a_ruleset() -> None:
    pages = {path.stem for path in (REFERENCE / "rulesets").glob("*.md")} - {"index"}
    assert pages == set(catalogue.names())


def called(function: ast.expr) -> str:
    return function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")


def problem_codes() -> set[str]:
    """The codes in the package's sources: what is shaped like one in a call, or first in a tuple."""
    found = set()
    for path in SOURCES:
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            texts: list[ast.expr] = []
            # the site's routes, ids of tables and questions to the worker look like codes
            counts = (
                called(node.func) == "Problem" if "web" in path.parts and isinstance(node, ast.Call) else True
            )
            if not counts:
                continue
            if isinstance(node, ast.Call) and called(node.func) not in NO_PROBLEMS:
                texts = node.args
            elif isinstance(node, ast.Tuple) and "web" not in path.parts:
                texts = node.elts[:1]
            values = [text.value for text in texts if isinstance(text, ast.Constant)]
            found |= {value for value in values if isinstance(value, str) and CODE.match(value)}
    return found - set(catalogue.names()) - NO_CODES


def documented_codes() -> set[str]:
    rows = [line.split("|")[1] for line in page("problems.md").splitlines() if line.startswith("| `")]
    return {code for cell in rows for code in re.findall(r"`([^`]+)`", cell)}


def test_each_problem_is_documented() -> None:
    """Not a code, but the name of an encoding or an option? Its function belongs in NO_PROBLEMS."""
    assert sorted(problem_codes() - documented_codes()) == []


def test_no_documented_problem_is_gone() -> None:
    sources = "\n".join(path.read_text("utf-8") for path in SOURCES)
    assert [code for code in sorted(documented_codes()) if f'"{code}"' not in sources] == []


def test_each_format_has_its_page() -> None:
    listed = page("formats", "index.md")
    for module in registry.modules():
        assert f"[{module.__name__.rpartition('.')[2]}](" in listed, module


def test_each_reason_is_documented() -> None:
    """Why a game is not rated, in the column `reason` of history.csv."""
    text = page("flat-file.md")
    assert [word for word in reasons.WORDS if f"| `{word}` |" not in text] == []
