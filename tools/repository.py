"""The files of this repository, for the checks beside this file."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def files(root: Path = ROOT) -> list[Path]:
    """What git tracks or would track; in an unpacked archive, all but hidden folders and build/."""
    if (root / ".git").exists() and shutil.which("git"):
        command = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
        listed = subprocess.run(command, cwd=root, capture_output=True, text=True, check=True).stdout
        return sorted({path for name in listed.splitlines() if (path := root / name).is_file()})
    skipped = {"build", "dist", "__pycache__"}
    return sorted(
        path
        for path in root.rglob("*")
        if path.is_file()
        and not any(part in skipped or part.startswith(".") for part in path.relative_to(root).parts[:-1])
    )
