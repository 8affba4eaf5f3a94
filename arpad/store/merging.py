"""Two records that are one person, and one record that is two: as facts, with a preview, and undone.

    preview = plan_merge(organisation, kept, merged)
    if preview.refusal is None: merge(organisation, kept, merged, author="2")
    unmerge(organisation, merged, author="2") -> what comes back, and the games that are to be decided
    give_games(organisation, games, to, author="2")   one person's games over two: voids and replacements

Every game keeps the person it was entered under, so an un-merge gives those back by itself; those that
were entered after the merge, under the person that is kept, are listed for a decision.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from django.db.models import Q, QuerySet

from arpad.domain.dates import day_text
from arpad.domain.problems import FATAL, Problem, Refused
from arpad.domain.results import read_result
from arpad.store.holding import Merge, Same, chunks, merges, voided
from arpad.store.matching import keep_apart, kept_apart
from arpad.store.models import Game, Organisation, Person, PersonName, SamePerson
from arpad.store.recorder import Ref, recording, ref


class Side(NamedTuple):
    """One of the two persons of a merge or un-merge."""

    person: int  # key of the person that stands for all of them
    members: tuple[int, ...]  # everybody who is that person
    names: tuple[str, ...]
    games: int


class MergePlan(NamedTuple):
    """What a merge would do. `seen` is the newest recording it looked at."""

    kept: Side
    merged: Side
    refusal: Problem | None
    seen: int


class UnmergePlan(NamedTuple):
    """What an un-merge gives back, and what it cannot know."""

    merge: Merge
    kept: Side  # as it is afterwards
    returned: Side  # as it is afterwards
    to_decide: tuple[int, ...]  # games entered under the kept person after the merge, by key
    seen: int


# --- games of a person ----------------------------------------------------------------------------


def games_of(
    organisation: Organisation, people: Sequence[int], *, event: int | None = None, using: str = "default"
) -> QuerySet[Game]:
    """The games that were entered under any of some persons and are not void, in the order of arrival."""
    games = Game.objects.using(using).filter(
        Q(player1__in=people) | Q(player2__in=people),
        organisation=organisation, recording__number__isnull=False,
    )  # fmt: skip
    if event is not None:
        games = games.filter(event=event)
    gone = voided(organisation, Game.KIND, games.values_list("uuid", flat=True), using)
    return (games.exclude(uuid__in=gone) if gone else games).order_by("pk")


def played_each_other(
    organisation: Organisation, one: Sequence[int], other: Sequence[int], using: str = "default"
) -> list[Game]:
    """Games between two groups, in any event of the organisation, that are not void."""
    games = Game.objects.using(using).filter(
        Q(player1__in=one, player2__in=other) | Q(player1__in=other, player2__in=one),
        organisation=organisation, recording__number__isnull=False,
    )  # fmt: skip
    found = list(games.select_related("event").order_by("day", "pk"))
    gone = voided(organisation, Game.KIND, [game.uuid for game in found], using)
    return [game for game in found if game.uuid not in gone]


# --- merge ----------------------------------------------------------------------------------------


def plan_merge(
    organisation: Organisation, kept: int, merged: int, *, anyway: bool = False, using: str = "default"
) -> MergePlan:
    """What merging would do, and why it would be refused. Nothing is written.

    anyway  although an officer kept the two apart before
    """
    seen = _tip(organisation, using)
    _known(organisation, (kept, merged), using)
    people = Same(merges(organisation, using))
    one = _side(organisation, people, kept, using)
    other = _side(organisation, people, merged, using)
    return MergePlan(one, other, _refusal(organisation, one, other, anyway, using), seen)


def _refusal(organisation: Organisation, one: Side, other: Side, anyway: bool, using: str) -> Problem | None:
    names = f"{_called(one)} and {_called(other)}"
    if one.person == other.person:
        return Problem("merge-ring", FATAL, f"{names} are one person already.")
    met = played_each_other(organisation, one.members, other.members, using)
    if met:
        where = met[0].event.name or "an evening"
        more = f", and {len(met) - 1} times more" if len(met) > 1 else ""
        message = (
            f"{names} played each other (on {day_text(met[0].day)}, {where}{more}), so they are two persons."
        )
        remedy = "If that game was entered wrongly, withdraw it first."
        return Problem("merge-self-play", FATAL, message, remedy)
    if not anyway and kept_apart(organisation, one.members, other.members, using):
        message = f"{names} were found to be different persons."
        return Problem("merge-kept-apart", FATAL, message, "Merge them anyway if that was a mistake.")
    return None


def merge(
    organisation: Organisation, kept: int, merged: int, *, author: str, role: str = "results officer",
    reason: str = "", key: str | None = None, anyway: bool = False, using: str = "default",
) -> Ref:  # fmt: skip
    """Record that two persons (keys) are one; `kept` is the one that lists show.

    Raises Refused (`merge-ring`, `merge-self-play`, `merge-kept-apart`, `person-unknown`).
    """
    with recording(
        organisation, author=author, role=role, reason=reason, kind="merge", key=key, using=using
    ) as r:
        _lock(organisation, using)  # two merges at once could close a ring
        plan = plan_merge(organisation, kept, merged, anyway=anyway, using=using)
        if plan.refusal is not None:
            raise Refused(plan.refusal)
        # of those that are kept, so that undoing an earlier merge moves nobody else
        return r.same_person(_ref(plan.kept.person, using), _ref(plan.merged.person, using))


# --- un-merge -------------------------------------------------------------------------------------


def plan_unmerge(organisation: Organisation, merged: int, *, using: str = "default") -> UnmergePlan:
    """What undoing the latest merge of a person into another would do. Nothing is written.

    Raises Refused (`merge-unknown`) where that person is merged into nobody.
    """
    seen = _tip(organisation, using)
    _known(organisation, (merged,), using)
    holds = merges(organisation, using)
    people = Same(holds)
    own = [m for m in holds if m.merged == merged]
    if not own:
        raise Refused(Problem("merge-unknown", FATAL, f"Person {merged} is merged into nobody."))
    undone = own[-1]
    after = Same([m for m in holds if m is not undone])
    kept = _side(organisation, after, people.root(merged), using)
    returned = _side(organisation, after, merged, using)
    later = games_of(organisation, kept.members, using=using).filter(recording__number__gt=undone.number)
    return UnmergePlan(undone, kept, returned, tuple(later.values_list("pk", flat=True)), seen)


def unmerge(
    organisation: Organisation, merged: int, *, author: str, role: str = "results officer",
    reason: str = "", key: str | None = None, different: bool = False, using: str = "default",
) -> UnmergePlan:  # fmt: skip
    """Undo the latest merge of a person into another; games entered after it wait for a decision.

    different  also remember that they are two persons, so that the merge is not suggested again
    """
    with recording(
        organisation, author=author, role=role, reason=reason, kind="un-merge", key=key, using=using
    ) as r:
        _lock(organisation, using)
        plan = plan_unmerge(organisation, merged, using=using)
        r.void(Ref(SamePerson.KIND, plan.merge.key, plan.merge.uuid))
        if different:
            keep_apart(organisation, plan.kept.person, plan.returned.person, by=author, using=using)
        return plan


# --- one person's games over two ------------------------------------------------------------------


def give_games(
    organisation: Organisation, games: Iterable[int], giver: int, to: int, *, author: str,
    role: str = "results officer", reason: str = "", key: str | None = None, using: str = "default",
) -> list[Ref]:  # fmt: skip
    """These games of `giver` were played by `to`: each is void and replaced by one that says so.

    Everything else of a game stays as it was, so does its place in playing order. Raises Refused
    (`game-not-of-person`, `game-self`, `person-unknown`) and then nothing is changed.
    """
    wanted = list(dict.fromkeys(games))
    with recording(
        organisation, author=author, role=role, reason=reason, kind="edit", key=key, using=using
    ) as r:
        _lock(organisation, using)
        _known(organisation, (giver, to), using)
        people = Same(merges(organisation, using))
        givers, takers = people.members(giver), people.members(to)
        found = {}
        for some in chunks(wanted):
            held = games_of(organisation, givers, using=using).filter(pk__in=some)
            found.update({game.pk: game for game in held.select_related("event", "player1", "player2")})
        taker = _ref(to, using)
        made = []
        for number in wanted:
            if number not in found:
                message = f"Game {number} is not one of that person's, or is void."
                raise Refused(Problem("game-not-of-person", FATAL, message))
            game = found[number]
            first = taker if game.player1_id in givers else ref(game.player1)
            second = None if game.player2 is None else ref(game.player2)
            if game.player2_id in givers:
                second = taker
            other = game.player2_id if game.player1_id in givers else game.player1_id
            if other in takers:
                message = f"In game {number} that person was the opponent."
                raise Refused(Problem("game-self", FATAL, message))
            result = read_result(game.result, game.best_of)
            assert result is not None  # it was recorded
            new = r.game(
                ref(game.event), game.day, first, second, result, round=game.round, board=game.board,
                sequence=game.sequence, stones=game.stones, weight=game.weight, size=game.size,
                line=game.line,
            )  # fmt: skip
            r.void(ref(game), replaced_by=new)
            made.append(new)
        return made


# --- small things ---------------------------------------------------------------------------------


def _tip(organisation: Organisation, using: str) -> int:
    numbers = Organisation.objects.using(using).filter(pk=organisation.pk)
    return numbers.values_list("chain_number", flat=True)[0]


def _lock(organisation: Organisation, using: str) -> None:
    """Wait for whoever is writing to this organisation's chain; until the transaction ends."""
    Organisation.objects.using(using).select_for_update().get(pk=organisation.pk)


def _known(organisation: Organisation, people: Iterable[int], using: str) -> None:
    for key in people:
        found = Person.objects.using(using).filter(
            pk=key, organisation=organisation, recording__number__isnull=False
        )
        if not found.exists():
            raise Refused(Problem("person-unknown", FATAL, f"There is no person {key}."))


def _ref(person: int, using: str) -> Ref:
    return ref(Person.objects.using(using).get(pk=person))


def _side(organisation: Organisation, people: Same, person: int, using: str) -> Side:
    members = people.members(person)
    names = PersonName.objects.using(using).filter(person__in=members).order_by("-shown", "pk")
    shown = sorted(names.values_list("person_id", "name"), key=lambda row: members.index(row[0]))
    games = games_of(organisation, members, using=using).count()
    return Side(members[0], tuple(members), tuple(dict.fromkeys(name for _, name in shown)), games)


def _called(side: Side) -> str:
    return side.names[0] if side.names else f"person {side.person}"
