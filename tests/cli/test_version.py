"""arpad --version, which needs no command."""

from __future__ import annotations

import subprocess
import sys

from arpad import __version__


def test_the_version_is_printed():
    command = [sys.executable, "-m", "arpad", "--version"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, f"arpad {__version__}\n")
