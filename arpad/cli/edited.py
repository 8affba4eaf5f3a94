"""What every correction by hand goes through: what it does for whom, a yes, one recording, settling."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from arpad.cli.database import find_pool
from arpad.cli.say import Format, counted, say, say_json, say_table
from arpad.domain.problems import FATAL, Problem, Refused

if TYPE_CHECKING:
    from arpad.store.edits import Edit
    from arpad.store.models import Organisation, Pool
    from arpad.store.named_effect import NamedEffect
    from arpad.store.settle import Settler

TOP = 10  # players that are shown

DryRun = Annotated[bool, typer.Option("--dry-run", help="Show what would change for whom; record nothing.")]
Yes = Annotated[bool, typer.Option("--yes", help="Record it without showing it first.")]
Settle = Annotated[bool, typer.Option("--settle/--no-settle", help="Bring the ratings up to it at once.")]
In = Annotated[
    str, typer.Option("--pool", help="Show and settle this pool alone; all of them by default.", metavar="P")
]


class How(NamedTuple):
    """The options that all corrections share."""

    reason: str
    author: str
    pool: str
    dry_run: bool
    yes: bool
    settle: bool
    form: Format


def carry_out(owner: Organisation, edit: Edit, what: Sequence[str], how: How, kind: str = "") -> None:
    """Show, ask and record an edit. `what` says in a few lines what it does.

    Raises Refused: what the edit refuses, `reason-missing`, `ledger-moved`.
    """
    from arpad.store.edits import make, need_reason
    from arpad.store.recorder import LedgerMoved
    from arpad.store.settle import Settler

    if not how.dry_run:
        need_reason(how.reason)
    settlers = [Settler(pool) for pool in _pools(owner, how.pool)]
    data: dict[str, Any] = {"what": list(what), "recording": None}
    seen = None
    if how.dry_run or not how.yes:
        owner.refresh_from_db(fields=["chain_number"])
        seen = owner.chain_number
        effects = _effects(owner, edit, settlers)
        data["effect"] = {pool.slug: _data(effect) for pool, effect in effects}
        if how.form is Format.TABLE:
            _say_preview(what, effects)
        if how.dry_run or not _agreed(how):
            _say_nothing(data, how)
            return
    _try(owner, edit, settlers, shown=seen is not None)
    try:
        row = make(owner, edit, author=how.author, reason=how.reason, kind=kind, expected=seen)
    except LedgerMoved:
        message = "Something was recorded meanwhile; nothing of this was."
        raise Refused(Problem("ledger-moved", FATAL, message, "Look at it again.")) from None
    data |= {"recording": row.number, "facts": row.facts}
    if how.form is Format.TABLE:
        say(f"recorded as no. {row.number}: {counted(row.facts, 'fact')}")
    data["settled"] = _settle(settlers, how) if how.settle else {}
    if how.form is not Format.TABLE:
        say_json(data)


def _pools(owner: Organisation, name: str) -> list[Pool]:
    from arpad.store.models import Pool

    if name:
        return [find_pool(owner, name)]
    return list(Pool.objects.filter(organisation=owner, recording__number__isnull=False).order_by("slug"))


def _effects(owner: Organisation, edit: Edit, settlers: Sequence[Settler]) -> list[tuple[Pool, NamedEffect]]:
    from arpad.store.edits import effect_of, write
    from arpad.store.preview import Draft

    if not settlers:
        write(edit, Draft(owner))
    return [(settler.pool, effect_of(settler.pool, edit, settler)) for settler in settlers]


def _try(owner: Organisation, edit: Edit, settlers: Sequence[Settler], *, shown: bool) -> None:
    """Raise Refused where the rules of any pool would refuse what the edit leaves, before it is recorded.

    `shown`: these pools were tried when the effect was shown. A pool whose ledger is refused as it stands
    is passed over, for the edit may be its cure.
    """
    from arpad.store.edits import effect_of
    from arpad.store.preview import preview
    from arpad.store.settle import Settler

    known = {settler.pool.pk for settler in settlers}
    others = [Settler(pool) for pool in _pools(owner, "") if pool.pk not in known]
    for settler in [*([] if shown else settlers), *others]:
        try:
            effect_of(settler.pool, edit, settler)
        except Refused as refused:
            try:
                preview(settler, lambda draft: None)
            except Refused:
                continue
            raise refused


def _say_preview(what: Sequence[str], effects: Sequence[tuple[Pool, NamedEffect]]) -> None:
    for line in what:
        say(line)
    for pool, effect in effects:
        say(f"{pool.slug}: {counted(len(effect.changed), 'rating')} would change")
        rows = [
            (p.name, _points(p.old_now), p.old_label, _points(p.new_now), p.new_label)
            for p in effect.changed[:TOP]
        ]
        if rows:
            say_table(("player", "before", "label", "after", "label"), rows, right=("before", "after"))
        if len(effect.changed) > TOP:
            say(f"... and {len(effect.changed) - TOP:,} more")


def _points(value: float | None) -> str:
    return "" if value is None else f"{value:.2f}"


def _data(effect: NamedEffect) -> list[dict[str, Any]]:
    from arpad.domain.dates import day_text

    return [
        {"player": p.name, "day": day_text(max(0, p.day)), "before": p.old_now, "after": p.new_now}
        for p in effect.changed
    ]


def _agreed(how: How) -> bool:
    """A yes, where somebody sits at a terminal."""
    return how.form is Format.TABLE and sys.stdin.isatty() and typer.confirm("Record this?")


def _say_nothing(data: dict[str, Any], how: How) -> None:
    if how.form is Format.TABLE:
        say("nothing was recorded" + ("" if how.dry_run else "; --yes records it"))
    else:
        say_json(data)
    if not how.dry_run:
        raise typer.Exit(1)


def _settle(settlers: Sequence[Settler], how: How) -> dict[str, Any]:
    from arpad.cli.settle import by_name

    told = {}
    for settler in settlers:
        try:
            done = settler.settle()
        except Refused as refused:
            raise by_name(refused, settler.pool) from None
        told[settler.pool.slug] = {"rows": done.rows_written, "players": done.players_changed}
        if how.form is Format.TABLE:
            changed = counted(done.players_changed, "shown rating")
            say(
                f"settled {settler.pool.slug}: {counted(done.rows_written, 'row')} written, {changed} changed"
            )
    return told
