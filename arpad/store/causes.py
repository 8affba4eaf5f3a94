"""Why a rating of the past is shown otherwise: from a player's effect to the fact it comes from, in words.

    for story in stories(pool, person):
        print(*story.sentences(pool, language="en"), sep="\n")

Visitors read the role and the day, never who it was; reasons are the public ones of the recording or
of the correction.
"""

from __future__ import annotations

import datetime
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo

from arpad.domain.rounding import divided
from arpad.domain.units import UNRATED
from arpad.engine.messages import Messages
from arpad.engine.sentences import Term, Wording
from arpad.rulesets.catalogue import find
from arpad.store.holding import same
from arpad.store.models import (
    FACTS,
    Effect,
    Event,
    EventInPool,
    Game,
    Pool,
    Recording,
    Settlement,
    Text,
    Void,
)
from arpad.store.people import shown_names

ERASED = "…"  # a name that was erased
MODELS: dict[str, Any] = {model.KIND: model for model in FACTS}


class Link(NamedTuple):
    """One player on the way: what is shown otherwise, and through whom."""

    person: int  # keys of Person
    day: int  # of the first rating that is shown otherwise; 0: before everything, -1: nothing is
    old: int | None  # grains; None: no rating
    new: int | None
    through: int  # the other player whose rating was put right; 0: the fact itself
    game_day: int  # of their game


class Origin(NamedTuple):
    """The fact at the end, as it is told."""

    kind: str  # game-added, game-corrected, correction-added, ... : a key of [because]
    recording: int  # its number; 0: the rules
    recorded: int  # day, in the organisation's time zone
    role: str
    reason: str  # public; "" = none given, or erased
    place: dict[str, Any]  # of a game: event, round, board, game_day
    persons: tuple[int, ...]  # of whom it speaks, as person keys
    value: float | None = None
    name: str = ""  # of a parameter
    day: int = 0  # from which it holds


class Story(NamedTuple):
    """An effect with the chain to its origin."""

    settlement: int
    told: datetime.datetime  # when it was settled, UTC
    links: tuple[Link, ...]  # the player asked for first
    origin: Origin

    def people(self) -> set[int]:
        """Everybody who is named."""
        return {link.person for link in self.links} | set(self.origin.persons)

    def sentences(
        self, pool: Pool, names: dict[int, str] | None = None, *, you: bool = False, language: str = "en"
    ) -> list[str]:
        """The chain in words; `you`: on the player's own page. `names`: as this reader may see them."""
        shown = names if names is not None else shown_names(self.people())
        return _Teller(pool, shown, language).tell(self, you)


def stories(
    pool: Pool, person: int | None = None, *, since: int = 0, settlement: int = 0, using: str = "default"
) -> list[Story]:
    """The effects on a player (or on everybody), oldest first.

    since       a day: only what was settled on that day or later
    settlement  only those of this one
    """
    rows = Effect.objects.using(using).filter(pool=pool, settlement__lte=pool.current)
    if person is not None:
        rows = rows.filter(person_id__in=same(pool.organisation, using).members(person))
    if settlement:
        rows = rows.filter(settlement=settlement)
    settled = Settlement.objects.using(using).filter(pool=pool, done=True)
    zone = ZoneInfo(pool.organisation.time_zone)
    started = {
        number: when
        for number, when in settled.values_list("number", "started")
        if when.astimezone(zone).date().toordinal() >= since
    }
    chains = _Chains(pool, using)
    found = rows.order_by("settlement", "day", "person_id")
    return [chains.story(row, started[row.settlement]) for row in found if row.settlement in started]


class _Chains:
    """Follows effects, reading each fact once."""

    def __init__(self, pool: Pool, using: str) -> None:
        self.pool, self.using = pool, using
        self.zone = ZoneInfo(pool.organisation.time_zone)
        self._origins: dict[tuple[str, str, int, int], Origin] = {}

    def story(self, effect: Effect, told: datetime.datetime) -> Story:
        links: list[Link] = []
        at, seen = effect, {effect.person_id}
        while True:
            game_day = self._game_day(at.through_game)
            links.append(Link(at.person_id, at.day, at.old, at.new, at.through, game_day))
            if not at.through:
                break
            follows = self._effect_of(effect, at.through)
            # another recording of the same settlement changed that player first: this chain ends here
            if follows is None or follows.recording != effect.recording or at.through in seen:
                links.append(Link(at.through, -1, None, None, 0, 0))
                return Story(effect.settlement, told, tuple(links), self._origin(effect))
            seen.add(at.through)
            at = follows
        return Story(effect.settlement, told, tuple(links), self._origin(at))

    def _effect_of(self, effect: Effect, person: int) -> Effect | None:
        rows = Effect.objects.using(self.using).filter(pool=self.pool, settlement=effect.settlement)
        return rows.filter(person_id=person).first()

    def _game_day(self, key: int) -> int:
        if not key:
            return 0
        return Game.objects.using(self.using).values_list("day", flat=True).get(pk=key)

    # --- the fact ---------------------------------------------------------------------------------

    def _origin(self, effect: Effect) -> Origin:
        key = (effect.cause, effect.fact_kind, effect.fact_key, effect.recording)
        found = self._origins.get(key)
        if found is None:
            found = self._origins[key] = self._read(effect)
        return found

    def _read(self, effect: Effect) -> Origin:
        recordings = Recording.objects.using(self.using).filter(organisation_id=self.pool.organisation_id)
        recording = recordings.filter(number=effect.recording).first() if effect.recording else None
        if recording is None or effect.fact_kind not in MODELS:
            return Origin("rules", 0, 0, "", "", {}, ())
        fact = MODELS[effect.fact_kind].objects.using(self.using).get(pk=effect.fact_key)
        kind = f"{effect.fact_kind}-{effect.cause.removeprefix('fact-')}"
        reason = _body(getattr(fact, "reason_id", None), self.using) or _body(recording.reason_id, self.using)
        origin = Origin(
            kind, recording.number or 0, recording.recorded.astimezone(self.zone).date().toordinal(),
            recording.role, reason, {}, (),
        )  # fmt: skip
        if isinstance(fact, Game):
            return self._of_game(fact, origin)
        if isinstance(fact, (Event, EventInPool)):
            return origin._replace(place={"event": (fact if isinstance(fact, Event) else fact.event).name})
        people = [getattr(fact, f"{name}_id", None) for name in ("person", "kept", "merged")]
        values = [getattr(fact, name, None) for name in ("rating", "points", "value")]
        value = next((value for value in values if value is not None), None)
        return origin._replace(
            persons=tuple(key for key in people if key),
            value=value,
            name=getattr(fact, "name", ""),
            day=getattr(fact, "day", 0),
        )

    def _of_game(self, game: Game, origin: Origin) -> Origin:
        """A game that replaces one, or that is replaced, was corrected."""
        place = {"event": game.event.name, "round": game.round, "board": game.board, "game_day": game.day}
        voids = Void.objects.using(self.using).filter(organisation_id=self.pool.organisation_id)
        if origin.kind == "game-added":
            corrected = voids.filter(
                target_kind="game", replaced_by=game.uuid, recording__number=origin.recording
            )
        else:
            corrected = voids.filter(
                target_kind="game", target_key=game.pk, recording__number=origin.recording
            ).exclude(replaced_by=None)
        if origin.kind in ("game-added", "game-gone") and corrected.exists():
            origin = origin._replace(kind="game-corrected")
        return origin._replace(place=place)


def _body(key: int | None, using: str) -> str:
    """A text, without its last full stop; "" where there is none or it was erased."""
    if key is None:
        return ""
    body = Text.objects.using(using).filter(pk=key).values_list("body", flat=True).first() or ""
    return body.strip().removesuffix(".")


class _Teller:
    """A story as sentences of one language."""

    def __init__(self, pool: Pool, names: dict[int, str], language: str) -> None:
        self.words, self.wording = Messages(language, "causes"), Wording(find(pool.ruleset), language)
        self.names = names

    def tell(self, story: Story, you: bool) -> list[str]:
        told = []
        for number, link in enumerate(story.links):
            what = self._what(link, you and number == 0)
            if link.through:
                told.append(self._because("through", what, self._link_values(link)))
            else:
                told.append(self._because(self._key(story.origin), what, self._values(story.origin)))
        return told

    def _name(self, person: int) -> str:
        return self.names.get(person) or ERASED

    def _day(self, day: int) -> str:
        return self.wording.day(day)

    def _what(self, link: Link, you: bool) -> str:
        key = "first" if link.old is None else "none" if link.new is None else "changed"
        if link.day <= 0:
            key = "hidden" if link.day < 0 else f"start_{key}"
        template = self.words.get("clause", f"your_{key}" if you else key)
        return template.format(
            player=self._name(link.person), day=self._day(max(0, link.day)),
            old=self._rating(link.old, link.new), new=self._rating(link.new, link.old),
        )  # fmt: skip

    def _rating(self, grains: int | None, other: int | None) -> str:
        """Whole points; with decimals where both would read the same."""
        if grains is None:
            return str(self.wording.shown(Term(UNRATED, "Grains")))
        per_point = self.wording.ruleset.per_point
        if other is not None and divided(grains, per_point) == divided(other, per_point):
            return str(self.wording.shown(Term(grains, "Grains")))
        return str(self.wording.number(divided(grains, per_point), 0))

    def _link_values(self, link: Link) -> dict[str, str]:
        return {"other": self._name(link.through), "game_day": self._day(link.game_day)}

    def _key(self, origin: Origin) -> str:
        always = origin.kind == "parameter-added" and not origin.day
        return f"{origin.kind}-always" if always else origin.kind

    def _values(self, origin: Origin) -> dict[str, str]:
        place = {name: self._day(v) if name == "game_day" else str(v) for name, v in origin.place.items()}
        people = [self._name(person) for person in origin.persons] + ["", ""]
        signed = origin.kind.startswith("posting")
        reason = self.words.get("clause", "reason")
        value = "" if origin.value is None else self.wording.number(origin.value, 4)
        return {
            **place,
            "place": self._place(origin.place, place),
            "recorded": self._day(origin.recorded),
            "role": self.words.get("role", origin.role) or origin.role,
            "other": people[0],
            "second": people[1],
            "name": origin.name,
            "value": f"{value:+}" if signed and value else str(value),
            "fact_day": self._day(origin.day),
            "reason": reason.format(reason=origin.reason) if origin.reason else "",
        }

    def _place(self, place: dict[str, Any], shown: dict[str, str]) -> str:
        if not place.get("event") or "game_day" not in place:
            return self.words.get("clause", "game").format_map(shown) if "game_day" in place else ""
        known = [name for name in ("round", "board") if place[name]]
        return self.words.get("clause", "_".join(known) or "event").format_map(shown)

    def _because(self, key: str, what: str, values: dict[str, str]) -> str:
        return self.words.get("because", key, "rules").format(what=what, **{"reason": "", **values})
