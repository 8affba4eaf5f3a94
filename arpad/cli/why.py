"""`arpad why`: why a player's ratings of the past are shown otherwise than before."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from arpad.cli.database import (
    Data,
    OrganisationOption,
    PoolOption,
    find_organisation,
    find_pool,
    with_database,
)
from arpad.cli.inputs import day_of
from arpad.cli.say import Format, FormatOption, say, say_csv, say_json
from arpad.domain.problems import FATAL, Problem, Refused

if TYPE_CHECKING:
    from arpad.store.causes import Story
    from arpad.store.models import Organisation, Pool


def why(
    player: Annotated[str, typer.Option("--player", help="Name, or part of it.", metavar="NAME")],
    pool: PoolOption = "",
    since: Annotated[
        str | None, typer.Option("--since", help="What was settled on that day or later.", metavar="DAY")
    ] = None,
    organisation: OrganisationOption = "",
    data: Data = None,
    form: FormatOption = Format.TABLE,
) -> None:
    """Say what changed a player's ratings after they were shown, followed to the fact it began with."""
    with_database(data)
    from arpad.store.causes import stories

    owner = find_organisation(organisation)
    found = find_pool(owner, pool)
    person = find_player(owner, player)
    told = stories(found, person, since=day_of(since, "--since") if since else 0)
    if form is Format.JSON:
        say_json([_data(found, story) for story in told])
    elif form is Format.CSV:
        rows = [(s.settlement, n, line) for s in told for n, line in enumerate(s.sentences(found), 1)]
        say_csv(("settlement", "step", "sentence"), rows)
    elif not told:
        say("Nothing that was shown has changed.")
    else:
        for story in told:
            first, *rest = story.sentences(found)
            say(first)
            for line in rest:
                say(f"  {line}")


def find_player(organisation: Organisation, name: str) -> int:
    """The key of the person of that name. Raises Refused (`player-unknown`, `player-ambiguous`)."""
    from arpad.store.names import folded
    from arpad.store.search import find

    found = find(organisation, name)
    same = [one for one in found if one.name == name] or [
        one for one in found if folded(one.name) == folded(name)
    ]
    sure = same or [one for one in found if not one.meant]
    if len(sure) == 1:
        return sure[0].person
    names = ", ".join(one.name for one in found)
    if sure:
        message = f"'{name}' may be more than one person."
        raise Refused(Problem("player-ambiguous", FATAL, message, f"There is {names}."))
    message = f"There is no player '{name}'."
    raise Refused(Problem("player-unknown", FATAL, message, f"Nearest: {names}." if names else ""))


def _data(pool: Pool, story: Story) -> dict[str, Any]:
    """A story as structured data: days as ISO text, ratings in points."""
    from arpad.domain.dates import day_text
    from arpad.rulesets.catalogue import find
    from arpad.store.people import shown_names

    names = shown_names(story.people() | {link.through for link in story.links if link.through})
    per_point = find(pool.ruleset).per_point

    def points(grains: int | None) -> float | None:
        return None if grains is None else grains / per_point

    links = [
        {
            "player": names.get(link.person, "…"), "day": day_text(max(0, link.day)), "old": points(link.old),
            "new": points(link.new), "through": names.get(link.through), "game": day_text(link.game_day),
        }
        for link in story.links
    ]  # fmt: skip
    origin = story.origin._asdict()
    place = dict(origin["place"])
    if "game_day" in place:
        place["game_day"] = day_text(place["game_day"])
    origin |= {
        "recorded": day_text(origin["recorded"]), "day": day_text(origin["day"]), "place": place,
        "persons": [names.get(person, "…") for person in origin["persons"]],
    }  # fmt: skip
    return {
        "settlement": story.settlement, "told": story.told.isoformat(timespec="seconds"), "chain": links,
        "origin": origin, "sentences": story.sentences(pool),
    }  # fmt: skip
