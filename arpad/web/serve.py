"""`arpad serve`: starts and watches everything: the site and the one worker behind it.

In an empty folder it makes the data folder, the secret key and the tables, and prints a link, good for an
hour, with which the first administrator sets the site up.
"""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from pathlib import Path

from arpad.domain.problems import FATAL, Problem, Refused

DEMO = "demonstration"  # a file in the data folder that says what the data are
HOST, PORT = "127.0.0.1", 8000
AGAIN = 1.0  # seconds before a worker that ended is started again


def prepare(data: Path) -> None:
    """Settings, folder, key, tables, fonts, translations and static files. Safe to repeat."""
    data.mkdir(parents=True, exist_ok=True, mode=0o700)
    os.environ["ARPAD_DATA"] = str(data)
    os.environ["DJANGO_SETTINGS_MODULE"] = "arpad.web.settings"
    import django
    from django.core.management import call_command

    django.setup()
    from arpad.web.made import make

    make(data)
    call_command("migrate", verbosity=0, interactive=False)
    call_command("collectstatic", verbosity=0, interactive=False)
    from arpad.store.starting import start

    start()


def serve(data: Path, host: str = HOST, port: int = PORT, demo: bool = False) -> None:
    """Run until interrupted."""
    _refuse_demo(data, demo)
    prepare(data)
    if not demo:
        _say_set_up(host, port)
    watch = _Watch([sys.executable, "-m", "arpad.web", "worker"])
    watch.start()
    try:
        import uvicorn

        print(f"http://{'localhost' if host == HOST else host}:{port}/  (Ctrl-C stops it)", flush=True)
        uvicorn.run(
            "arpad.web.asgi:application", host=host, port=port, log_level="warning", lifespan="off",
            server_header=False, timeout_graceful_shutdown=5,
        )  # fmt: skip
    finally:
        watch.stop()


def _refuse_demo(data: Path, demo: bool) -> None:
    there = (data / DEMO).is_file()
    if there and not demo:
        message = f"{data} holds the demonstration, whose passwords were printed."
        raise Refused(Problem("serve-demo", FATAL, message, "Choose another folder with --data."))
    if demo and not there and (data / "arpad.sqlite3").is_file():
        message = f"{data} holds a ledger; the demonstration has a folder of its own."
        raise Refused(Problem("serve-demo", FATAL, message, "Choose another folder with --data."))


def _say_set_up(host: str, port: int) -> None:
    """The link for the first administrator, where there is no account yet."""
    from arpad.web.first_run import new_link

    link = new_link()
    if link:
        print(f"Set it up, within the hour: http://{host}:{port}{link}", flush=True)


class _Watch(threading.Thread):
    """Keeps a process running; started again a second after it ended."""

    def __init__(self, command: list[str]) -> None:
        super().__init__(daemon=True)
        self.command, self._stopped = command, threading.Event()
        self.process: subprocess.Popen[bytes] | None = None

    def run(self) -> None:
        while not self._stopped.is_set():
            self.process = subprocess.Popen(self.command)
            self.process.wait()
            if not self._stopped.is_set():
                time.sleep(AGAIN)

    def stop(self) -> None:
        self._stopped.set()
        if self.process is not None:
            self.process.terminate()
            self.process.wait(10)
