"""Each import contract of pyproject.toml is proved by a copy of the package that breaks it."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
LINT_IMPORTS = Path(sys.executable).with_name("lint-imports")
CONTRACTS = {
    contract["id"]: contract["name"]
    for contract in tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"][
        "contracts"
    ]
}
# Layers of the design; one that is still to be built has its place checked already.
LAYERS = ("domain", "rulesets", "ledger", "engine", "formats", "store", "lab", "web", "cli")

# (contract, folder or module that sins, the import it may not have)
BROKEN = [
    ("layers", "domain", "import arpad.rulesets"),
    ("layers", "rulesets", "import arpad.ledger"),
    ("layers", "ledger", "import arpad.rulesets"),
    ("layers", "ledger", "import arpad.engine"),
    ("layers", "engine", "import arpad.formats"),
    ("layers", "formats", "import arpad.store"),
    ("layers", "store", "import arpad.formats"),
    ("layers", "formats", "import arpad.cli"),
    ("layers", "lab", "import arpad.web"),
    ("layers", "web", "import arpad.cli"),
    ("layers", "unplaced", "import arpad.domain"),
    ("pure", "domain", "import numpy"),
    ("pure", "rulesets", "def later():\n    import numba"),
    ("ledger-in-memory", "ledger", "import typer"),
    ("door", "formats", "import arpad"),
    ("door", "engine", "from arpad import __version__"),
]
ALLOWED = [
    ("formats", "import arpad.ledger, arpad.engine"),
    ("store", "import arpad.ledger, arpad.engine"),
    ("engine", "import arpad.rulesets, arpad.ledger, numpy"),
    ("web", "import arpad, arpad.store, arpad.formats"),
]


def copy_of_the_package(folder: Path) -> Path:
    ignore = shutil.ignore_patterns("__pycache__")
    package = shutil.copytree(ROOT / "arpad", folder / "arpad", ignore=ignore)
    shutil.copy(ROOT / "pyproject.toml", folder)
    for name in LAYERS:
        if not (package / f"{name}.py").exists():
            (package / name).mkdir(exist_ok=True)
            (package / name / "__init__.py").touch()
    return package


def add_import(package: Path, layer: str, statement: str) -> None:
    folder = package / layer
    folder.mkdir(exist_ok=True)
    (folder / "__init__.py").touch()
    (folder / "trespass.py").write_text(statement + "\n", "utf-8")


def lint(folder: Path, *contracts: str) -> subprocess.CompletedProcess[str]:
    options = [option for contract in contracts for option in ("--contract", contract)]
    command = [str(LINT_IMPORTS), "--no-cache", "--no-logo", *options]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=120, check=False)


def test_the_package_keeps_its_contracts(tmp_path: Path) -> None:
    copy_of_the_package(tmp_path)
    done = lint(tmp_path)
    assert done.returncode == 0, done.stdout
    assert f"Contracts: {len(CONTRACTS)} kept, 0 broken." in done.stdout


def test_what_the_design_allows_passes(tmp_path: Path) -> None:
    package = copy_of_the_package(tmp_path)
    for layer, statement in ALLOWED:
        add_import(package, layer, statement)
    done = lint(tmp_path)
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize(("contract", "layer", "statement"), BROKEN)
def test_a_broken_contract_is_seen(tmp_path: Path, contract: str, layer: str, statement: str) -> None:
    add_import(copy_of_the_package(tmp_path), layer, statement)
    done = lint(tmp_path, contract)
    assert done.returncode == 1, done.stdout
    assert f"{CONTRACTS[contract]} BROKEN" in " ".join(done.stdout.split())


def test_every_contract_is_broken_once() -> None:
    assert {contract for contract, _, _ in BROKEN} == set(CONTRACTS)
