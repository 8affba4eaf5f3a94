"""`python -m arpad.web serve` runs the site (so does `arpad serve`), `... worker` the process behind it."""

from __future__ import annotations

import argparse
import os
import signal
import sys
from pathlib import Path
from types import FrameType

from arpad.domain.problems import Refused


def main(arguments: list[str]) -> int:
    """Exit status 1 where the site refuses to start, 2 for wrong usage."""
    parser = argparse.ArgumentParser(prog="python -m arpad.web")
    parser.add_argument("what", choices=("serve", "worker"))
    parser.add_argument("--data", type=Path, default=Path(os.environ.get("ARPAD_DATA") or "arpad-data"))
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=8000)
    parser.add_argument("--demo", action="store_true")
    asked = parser.parse_args(arguments)
    if asked.what == "worker":
        return work()
    from arpad.web.serve import serve

    try:
        serve(asked.data.absolute(), asked.host, asked.port, asked.demo)
    except Refused as refused:
        for problem in refused.problems:
            print(f"arpad: {problem.code}: {problem.message} {problem.remedy}", file=sys.stderr)
        return 1
    return 0


def work() -> int:
    """The worker, until it is told to stop."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "arpad.web.settings")
    import django

    django.setup()
    from arpad.store.starting import start
    from arpad.web.worker.server import Worker

    start()
    worker = Worker()

    def stop(_number: int, _frame: FrameType | None) -> None:
        worker.stop()

    signal.signal(signal.SIGTERM, stop)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches the whole group; the site stops it
    worker.run()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
