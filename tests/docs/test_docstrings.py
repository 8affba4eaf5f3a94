"""Every example in a docstring of the package is run."""

from __future__ import annotations

import doctest
import importlib
import pkgutil
from pathlib import Path

import pytest

import arpad
from arpad.store import setup

setup.start()  # the store's models need Django's settings
FOUND = [info.name for info in pkgutil.walk_packages(arpad.__path__, "arpad.")]
# Importing __main__ would run the program.
MODULES = ["arpad", *sorted(name for name in FOUND if not name.endswith("__main__"))]


@pytest.mark.parametrize("name", MODULES)
def test_docstring_examples(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    told: list[str] = []
    module = importlib.import_module(name)
    runner = doctest.DocTestRunner(verbose=False, optionflags=doctest.ELLIPSIS)
    for test in doctest.DocTestFinder(exclude_empty=True).find(module, name):
        runner.run(test, out=told.append)
    assert not runner.failures, "".join(told)
