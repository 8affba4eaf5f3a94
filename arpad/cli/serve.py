"""`arpad serve`: the site and the worker behind it, on this machine."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Annotated

import typer


def serve(
    data: Annotated[
        Path, typer.Option("--data", help="The data folder; made where there is none.", metavar="DIR")
    ] = Path("arpad-data"),
    host: Annotated[str, typer.Option("--host", help="The address to listen at.", metavar="H")] = "127.0.0.1",
    port: Annotated[int, typer.Option("--port", help="The port to listen at.", metavar="N")] = 8000,
    demo: Annotated[bool, typer.Option("--demo", help="The folder holds the demonstration.")] = False,
) -> None:
    """Start the site and the worker that settles; Ctrl-C stops both."""
    command = [sys.executable, "-m", "arpad.web", "serve"]
    command += ["--data", str(data), "--host", host, "--port", str(port), *(["--demo"] if demo else [])]
    sys.stdout.flush()
    os.execv(command[0], command)  # the site is a program of its own; no shell
