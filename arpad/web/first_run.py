"""The one-time link with which the first administrator sets a new site up."""

from __future__ import annotations

import hashlib
import secrets
import time
from pathlib import Path

from django.conf import settings
from django.contrib.auth import get_user_model

HOUR = 3600


def _file() -> Path:
    return Path(settings.DATA) / "set-up-link"


def new_link() -> str:
    """A new link, good for an hour; "" where there is an account already. The one before is void."""
    if get_user_model().objects.exists():
        _file().unlink(missing_ok=True)
        return ""
    token = secrets.token_urlsafe(24)
    path = _file()
    path.touch(mode=0o600)
    path.write_text(f"{hashlib.sha256(token.encode()).hexdigest()} {time.time() + HOUR:.0f}\n", "ascii")
    return f"/set-up/{token}"


def is_good(token: str) -> bool:
    """Whether a link's token holds."""
    try:
        digest, until = _file().read_text("ascii").split()
    except (OSError, ValueError):
        return False
    given = hashlib.sha256(token.encode()).hexdigest()
    return secrets.compare_digest(digest, given) and time.time() < float(until)


def used() -> None:
    """The link was used."""
    _file().unlink(missing_ok=True)
