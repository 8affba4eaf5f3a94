"""Write the last part of each ruleset's page, its choices and parameters, from the ruleset's own source.

`--check` only says which pages are behind. What stands above the mark on a page is written by hand.
"""

from __future__ import annotations

import sys
from datetime import date

from arpad.engine import rules_text
from arpad.rulesets import catalogue
from repository import ROOT

PAGES = ROOT / "docs" / "reference" / "rulesets"
MARK = "<!-- Below: from the ruleset's source, by `make pages`. -->"


def parameters(ruleset: catalogue.Ruleset) -> str:
    rows = [
        f"| `{name}` | {rules_text.told(ruleset, name)} | {text.replace('|', ' ')} |"
        for name, _unit, text in rules_text.meanings(ruleset.params_type)
    ]
    return "\n".join(["| parameter | value | meaning |", "|---|---|---|", *rows])


def page(ruleset: catalogue.Ruleset, old: str) -> str:
    by_hand = old.partition(MARK)[0].rstrip()
    first = ruleset.editions[0][0]
    since = f"Holds from {date.fromordinal(first)}; earlier games are refused.\n\n" if first else ""
    return (
        f"{by_hand}\n\n{MARK}\n## Choices and parameters\n{rules_text.choices(ruleset)}\n\n{since}"
        f"A club may set these, from a date on: `--set NAME=VALUE@DAY`.\n\n{parameters(ruleset)}\n"
    )


def main() -> int:
    behind = []
    for name in catalogue.names():
        path = PAGES / f"{name}.md"
        old = path.read_text("utf-8") if path.exists() else f"# {name}\n"
        new = page(catalogue.find(name), old)
        if new != old:
            behind.append(str(path.relative_to(ROOT)))
            if "--check" not in sys.argv:
                path.write_text(new, "utf-8")
    if "--check" in sys.argv:
        print(
            "\n".join([*(f"{name}: behind its ruleset: run `make pages`" for name in behind), "pages: read"])
        )
        return 1 if behind else 0
    print("\n".join([*(f"wrote {name}" for name in behind), "pages: written"]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
