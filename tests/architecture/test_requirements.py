"""The locked requirements hold what pyproject.toml asks for, with hashes and without addresses (ADR 5)."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
DIRECT = PROJECT["project"]["dependencies"]
GROUPS = {
    name: [entry for entry in entries if isinstance(entry, str)]
    for name, entries in PROJECT["dependency-groups"].items()
}
WANTED = {
    "run": DIRECT,
    "dev": DIRECT + GROUPS["build"] + GROUPS["dev"],
    "docs": GROUPS["docs"],
    "bench": DIRECT + GROUPS["build"] + GROUPS["bench"],
    "lock": GROUPS["lock"],
}


def name_of(requirement: str) -> str:
    return re.split(r"[^A-Za-z0-9._-]", requirement, maxsplit=1)[0].lower()


# The release with long-term support that the store stands on, by decision.
BOUNDED = {"django>=5.2,<5.3"}


def test_lower_bounds_only() -> None:
    for requirement in DIRECT + [entry for entries in GROUPS.values() for entry in entries]:
        bounded = requirement in BOUNDED
        assert bounded or re.fullmatch(r"[a-z0-9-]+(\[[a-z]+\])?>=[0-9.]+", requirement), requirement


@pytest.mark.parametrize("lock", sorted(WANTED))
def test_the_lock_is_complete(lock: str) -> None:
    text = (ROOT / "requirements" / f"{lock}.txt").read_text("utf-8")
    assert "://" not in text
    # One package is one logical line: name==version, an environment marker, hashes.
    packages = re.findall(r"^([a-z0-9._-]+)==\S+((?:.*\\\n)+.*)$", text, re.MULTILINE)
    assert len(packages) == len(re.findall(r"^[^\s#]", text, re.MULTILINE))
    assert all("--hash=sha256:" in rest for _, rest in packages)
    assert {name_of(requirement) for requirement in WANTED[lock]} <= {name for name, _ in packages}
