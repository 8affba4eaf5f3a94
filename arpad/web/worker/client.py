"""Asking the worker. Plain data there and back; a worker that is not there is an answer like any other."""

from __future__ import annotations

import contextlib
import json
from functools import lru_cache
from multiprocessing.connection import Client
from pathlib import Path
from typing import Any

from django.conf import settings

TIMEOUT = 10.0  # seconds


class WorkerAway(Exception):
    """The worker does not answer: it is starting, busy for long, or not running."""


class NotPossible(Exception):
    """The rules or the facts refuse what was asked. `problems` as the ledger's."""

    def __init__(self, code: str, message: str, remedy: str = "") -> None:
        super().__init__(message)
        self.code, self.message, self.remedy = code, message, remedy


def socket_path(data: Path) -> str:
    """The worker's socket; a path has at most 107 characters, so it may lie in /tmp, named by the folder."""
    path = data / "worker"
    if len(str(path)) < 100:
        return str(path)
    import hashlib

    return f"/tmp/arpad-{hashlib.sha256(str(data).encode()).hexdigest()[:20]}"


def ask(what: str, timeout: float = TIMEOUT, **question: Any) -> Any:
    """The answer to a question of arpad.web.worker.asks. Raises WorkerAway, NotPossible."""
    if settings.ARPAD_WORKER == "inline":
        answer = _inline().answer(what, question)
    else:
        answer = _over_socket(what, question, timeout)
    if "refused" in answer:
        raise NotPossible(**answer["refused"])
    return answer["answer"]


def wake(timeout: float = 1.0) -> None:
    """Tell the worker that something was recorded. Harmless where nobody listens."""
    with contextlib.suppress(WorkerAway):
        ask("wake", timeout)


def _over_socket(what: str, question: dict[str, Any], timeout: float) -> dict[str, Any]:
    try:
        with Client(
            socket_path(settings.DATA), "AF_UNIX", authkey=settings.SECRET_KEY.encode()
        ) as connection:
            connection.send_bytes(json.dumps([what, question]).encode())
            if not connection.poll(timeout):
                raise WorkerAway(what)
            answer: dict[str, Any] = json.loads(connection.recv_bytes())
            return answer
    except (OSError, EOFError) as error:
        raise WorkerAway(what) from error


@lru_cache(maxsize=1)
def _inline() -> Any:
    from arpad.web.worker.asks import Asks

    return Asks()
