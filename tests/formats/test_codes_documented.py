"""What readers, rules and the engine say of a file: with the severity that docs/reference/problems.md tells.

That every code of the package is documented is tested in tests/docs.
"""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "reference" / "problems.md"
CODE = re.compile(r"[a-z]+(-[a-z0-9]+)+\Z")
# What makes a problem: the class, the reader's cell, the ruleset's refusal, and functions that wrap them.
MAKERS = {"Problem", "RuleRefusal", "Bad", "add", "game_problem"}
SEVERITIES = {"FATAL": "fatal", "HELD": "held", "WARNING": "warning", "NOTE": "note"}


def codes_of(source: str) -> Iterator[tuple[str, str]]:
    """Code and severity of every problem that a source text makes; severity "" where it is worked out."""
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.Call):
            continue
        function = node.func
        name = getattr(function, "id", getattr(function, "attr", ""))
        texts = [a.value for a in node.args if isinstance(a, ast.Constant) and isinstance(a.value, str)]
        code = next((text for text in texts if CODE.match(text)), "")
        if name not in MAKERS or not code:
            continue
        named = [SEVERITIES[a.id] for a in node.args if isinstance(a, ast.Name) and a.id in SEVERITIES]
        default = {"RuleRefusal": "fatal", "game_problem": "fatal", "Bad": "held"}.get(name, "")
        yield code, named[0] if named else default


def used() -> dict[str, set[str]]:
    found: dict[str, set[str]] = defaultdict(set)
    folders = ("domain", "rulesets", "ledger", "engine", "formats")
    for path in sorted(path for folder in folders for path in (ROOT / "arpad" / folder).rglob("*.py")):
        for code, severity in codes_of(path.read_text("utf-8")):
            found[code] |= {severity} - {""}
    return found


def documented() -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for line in PAGE.read_text("utf-8").splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        code = cells[0].strip("`")
        if line.startswith("| `") and CODE.match(code):
            assert code not in found, f"{code} stands twice"
            assert len(cells) == 4, f"{code}: code, severity, meaning, remedy"
            assert all(cells), f"{code}: a cell is empty"
            found[code] = set(re.findall(r"fatal|held|warning|note", cells[1]))
    return found


def test_every_code_is_documented() -> None:
    assert sorted(set(used()) - set(documented())) == []


def test_severities_agree() -> None:
    told = documented()
    wrong = {
        code: severities for code, severities in used().items() if severities - told.get(code, severities)
    }
    assert wrong == {}


def test_a_new_code_is_seen() -> None:
    source = 'p.append(Problem("cow-in-meadow", WARNING, "Moo."))\nf.add("x-y", HELD, "z")\nadd("word")'
    assert sorted(codes_of(source)) == [("cow-in-meadow", "warning"), ("x-y", "held")]
    assert list(codes_of('raise RuleRefusal("a-b", f"{c}", "d")')) == [("a-b", "fatal")]
    assert list(codes_of('return Bad("a-b", "c", "d")')) == [("a-b", "held")]
