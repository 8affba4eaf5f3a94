"""Write the demonstration ledgers of arpad/demo anew: the same bytes every time.

python tools/make_demo.py            write them
python tools/make_demo.py --check    say which differ; exit status 1 where one does
"""

from __future__ import annotations

import sys
from collections.abc import Callable

import demo_chess
import demo_go
import demo_table_tennis
from repository import ROOT

FOLDER = ROOT / "arpad" / "demo"
MAKERS: dict[str, Callable[[], dict[str, str]]] = {
    "go-federation": demo_go.files,
    "table-tennis-club": demo_table_tennis.files,
    "youth-chess": demo_chess.youth_files,
    "chess-club": demo_chess.club_files,
}


def contents() -> dict[str, bytes]:
    """Path below arpad/demo -> bytes, of every file that chance has a part in."""
    made = {name: make() for name, make in MAKERS.items()}
    return {
        f"{name}/{file}": text.encode("utf-8") for name, files in made.items() for file, text in files.items()
    }


def main() -> int:
    changed = []
    for name, data in contents().items():
        path = FOLDER / name
        if not path.is_file() or path.read_bytes() != data:
            changed.append(name)
            if "--check" not in sys.argv:
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(data)
    verb = "differs" if "--check" in sys.argv else "wrote"
    print("\n".join([*(f"{verb} {name}" for name in changed), f"demo: {len(changed)} files"]))
    return 1 if changed and "--check" in sys.argv else 0


if __name__ == "__main__":
    sys.exit(main())
