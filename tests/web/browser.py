"""A real browser on a real server: Debian's Chromium, driven by Playwright, on the site as it is served."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

OPTIONS = (
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
)  # fmt: skip


def chromium() -> str:
    """Where Debian's Chromium is; the test is skipped where there is none."""
    found = shutil.which("chromium")
    if found is None:
        pytest.skip("no chromium: `make test` installs it")
    return found


@contextmanager
def serving() -> Iterator[str]:
    """The site at an address of this machine, a process of its own on this test's database."""
    from django.conf import settings
    from django.db import connection

    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    address = f"sqlite:///{connection.settings_dict['NAME']}"
    environment = {**os.environ, "DATABASE_URL": address, "ARPAD_DATA": str(settings.DATA)}
    command = [sys.executable, "-m", "uvicorn", "arpad.web.asgi:application", "--port", str(port)]
    with subprocess.Popen(
        [*command, "--log-level", "error", "--lifespan", "off"], env=environment, stderr=subprocess.DEVNULL
    ) as server:
        try:
            _wait_for(port)
            yield f"http://127.0.0.1:{port}"
        finally:
            server.terminate()


def _wait_for(port: int, seconds: float = 60) -> None:
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        with socket.socket() as asked:
            if asked.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.1)
    raise TimeoutError("the site does not answer")


@contextmanager
def browsing(**context: Any) -> Iterator[Any]:
    """A page of a fresh browser; context as Playwright's new_context()."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=list(OPTIONS))
        try:
            yield browser.new_context(**context).new_page()
        finally:
            browser.close()
