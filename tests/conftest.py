"""What all tests share: where the sample files are, and how Hypothesis searches."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# One process has one set of Django's settings: the site's, which are the store's and more.
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "arpad.web.settings")
# A folder for each process: two that make static files in one remove each other's.
if "PYTEST_XDIST_WORKER" in os.environ or "ARPAD_DATA" not in os.environ:
    os.environ["ARPAD_DATA"] = tempfile.mkdtemp(prefix="arpad-tests-")
os.environ.setdefault("ARPAD_WORKER", "inline")
Path(os.environ["ARPAD_DATA"], "made", "static").mkdir(parents=True, exist_ok=True)
ROOT = Path(__file__).resolve().parents[1]

# No deadline: the first call of a compiled loop takes seconds, the next one none.
# CI repeats the same examples on every run, so that a red run can be repeated; at home new ones are tried.
_quiet = [HealthCheck.too_slow]
settings.register_profile(
    "ci", deadline=None, derandomize=True, print_blob=True, suppress_health_check=_quiet
)
settings.register_profile("dev", deadline=None, suppress_health_check=_quiet)
settings.register_profile("long", deadline=None, max_examples=2000, suppress_health_check=_quiet)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE") or ("ci" if os.environ.get("CI") else "dev"))


@pytest.fixture(scope="session")
def samples() -> Path:
    """The folder of real files. They hold people's names, so they are not part of this repository."""
    folder = Path(os.environ.get("ARPAD_SAMPLES") or ROOT.parent / "shared" / "samples")
    if not folder.is_dir():
        pytest.skip("no sample files: set ARPAD_SAMPLES to their folder")
    return folder


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if "samples" in getattr(item, "fixturenames", ()):
            item.add_marker("samples")
