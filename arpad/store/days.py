"""Today where an organisation is: the day on which its lists, minors and memberships are reckoned."""

from __future__ import annotations

import datetime
from zoneinfo import ZoneInfo

from arpad.store.models import Organisation


def today(organisation: Organisation) -> int:
    """The local day (arpad.domain.dates) in the organisation's time zone."""
    return datetime.datetime.now(ZoneInfo(organisation.time_zone)).date().toordinal()
