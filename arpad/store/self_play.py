"""Nothing that is recorded may make anybody play against the same person.

Two persons may be merged while somebody enters a game between them; a game may have been withdrawn, its
two players merged, and the game restored; or a merge undone, the two have met, and the merge is brought
back. So it is looked at when a recording is sealed, under the lock under which everything else is sealed.
Merging itself looks for games too, and says more: arpad.store.merging.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from typing import TYPE_CHECKING

from django.db.models import Q

from arpad.domain.dates import day_text
from arpad.domain.problems import FATAL, Problem, Refused
from arpad.store.holding import Merge, Same, chunks, merges, voided
from arpad.store.models import Game, SamePerson, Void

if TYPE_CHECKING:
    from arpad.store.recorder import Recorder


def refuse_self_play(r: Recorder) -> None:
    """Look at the games and merges that an unsealed recording brings, or brings back.

    Raises Refused (`game-self`).
    """
    merged = SamePerson.objects.using(r.using).filter(organisation=r.organisation)
    r.write()
    if not merged.exists():
        return
    own = set(merged.filter(recording=r.row.pk).values_list("uuid", flat=True))
    back = _brought_back(r) | own
    holds = merges(r.organisation, r.using, r.row.pk)
    people = Same(holds)
    for game in _games(r, back, [merge for merge in holds if merge.uuid in back], people):
        if game.player2_id is not None and people.root(game.player1_id) == people.root(game.player2_id):
            where = game.event.name or "an evening"
            message = f"In the game of {day_text(game.day)} ({where}) somebody would play the same person."
            raise Refused(Problem("game-self", FATAL, message, "Undo the merge of the two first."))


def _brought_back(r: Recorder) -> set[uuid.UUID]:
    """What the recording's voids of voids are about."""
    voids = Void.objects.using(r.using)
    own = voids.filter(recording=r.row.pk, target_kind=Void.KIND).values("target_uuid")
    kinds = (Game.KIND, SamePerson.KIND)
    rows = voids.filter(organisation=r.organisation, uuid__in=own, target_kind__in=kinds)
    return set(rows.values_list("target_uuid", flat=True))


def _games(r: Recorder, back: set[uuid.UUID], joined: list[Merge], people: Same) -> Iterator[Game]:
    """Games that hold: new ones of merged persons, those brought back, those of whom a merge makes one."""
    groups = [people.members(merge.kept) for merge in joined]
    recorded = Q(recording__number__isnull=False) | Q(recording=r.row.pk)
    found = Game.objects.using(r.using).filter(recorded, organisation=r.organisation)
    which = [Q(uuid__in=some) for some in chunks(sorted(back))]
    which += [Q(player1__in=group, player2__in=group) for group in groups]
    which += [Q(recording=r.row.pk, player1__in=some) for some in chunks(sorted(people.merged()))]
    for some_games in which:
        games = list(found.filter(some_games).select_related("event").order_by("day", "pk"))
        gone = voided(r.organisation, Game.KIND, [game.uuid for game in games], r.using, r.row.pk)
        yield from (game for game in games if game.uuid not in gone)
