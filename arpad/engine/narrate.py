"""Puts one player's entries, corrections, games and settlements into words: terms and sentences."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple, Protocol

from arpad.domain.dates import day_text, first_day
from arpad.domain.play import Application, Game
from arpad.domain.ranks import rank_index
from arpad.domain.results import FORFEIT, GAME, SETS, Result, mirrored
from arpad.domain.units import UNRATED
from arpad.engine.acts import CORRECTION, ENTRY, KIND_NAMES, Outcome
from arpad.engine.reasons import BY_RULE
from arpad.engine.retrace import Retrace, Settlement, SteppedGame
from arpad.engine.sentences import DAY, SCORE, TEXT, Term, Terms, Wording, terms_of, units_of

LEADING = ("contrary", "change")  # terms of a game that are told first: what happened, then why
MONTHS = {"month": 1, "quarter": 3}


class Names(Protocol):
    """Names by number in the ledger: a list, or what a reader may see of it."""

    def __getitem__(self, person: int, /) -> str: ...


class Item(NamedTuple):
    """One entry, correction, posting, game or settlement."""

    kind: str
    heading: str
    terms: Terms
    sentences: tuple[str, ...]
    facts: dict[str, Any]  # what it was, for machines: date, event, round, opponent, result, rated, reason


class Period(NamedTuple):
    """What happened to a player from one settlement to the next."""

    opening: Any  # State
    items: list[Item]
    closing: Any  # State


class Narrator:
    """One player's periods in words."""

    def __init__(
        self, found: Retrace, player: str, language: str, one_event: bool, names: Names | None = None
    ) -> None:
        self.found, self.plan, self.rules = found, found.plan, found.plan.ruleset
        self.wording = Wording(self.rules, language)
        self.messages = self.wording.messages
        self.player, self.one_event = Term(player, TEXT), one_event
        self.events = self.plan.ledger.events_now()
        self.names: Names = self.plan.ledger.names if names is None else names

    # --- the frame ----------------------------------------------------------------------------------

    def header(
        self, place: int, sides: Sequence[int], opening: Any, closing: Any
    ) -> tuple[Terms, tuple[str, ...]]:
        """The header's terms, and the lines that stand above everything."""
        period, day = self._period_name(place, sides)
        asked = self._event_name(sides) if self.one_event else period
        edition = max((first for first, _ in self.rules.editions if first <= day), default=0)
        terms = {
            "player": self.player,
            "ruleset": Term(self.rules.id, TEXT),
            "edition": Term(edition, DAY),
            "period": Term(period, TEXT),
            "opening": Term(opening.rating, "Grains"),
            "opening_label": Term(self._label(opening), TEXT),
            "closing": Term(closing.rating, "Grains"),
            "closing_label": Term(self._label(closing), TEXT),
        }
        title = self._layout("title" if asked else "title_bare", player=self.player, period=Term(asked, TEXT))
        rules = self._layout("rules" if edition else "rules_undated", **terms)
        own = self._own_parameters(day, edition)
        return terms, (title, *filter(None, (rules, own)))

    def _period_name(self, place: int, sides: Sequence[int]) -> tuple[str, int]:
        """The period in words, and the day whose edition holds; ("", 0) where there is none."""
        ticks, count = self.plan.ticks, MONTHS.get(self.rules.period, 0)
        if count and ticks is not None and place < len(ticks.month):
            return self.wording.month(int(ticks.month[place]), count), first_day(int(ticks.month[place]))
        if sides:
            start = self.plan.day[sides[-1] // 2]
            if self.rules.period != "game":
                start = self.plan.order.first_day[self.plan.event[sides[-1] // 2]]
            return self._event_name(sides), start
        acts = self.found.acts(place)
        day = acts[-1].act.day if acts else 0
        return self.wording.day(day), day

    def _event_name(self, sides: Sequence[int]) -> str:
        """The event of the sides (the last one's, where there are several) with its days."""
        row = sides[-1] // 2
        event = self.plan.event[row]
        first, last = self.plan.order.first_day[event], self.plan.order.last_day[event]
        if self.rules.period == "game":
            first, last = self.plan.day[sides[0] // 2], self.plan.day[row]
        days = Term(self.wording.span(first, last), TEXT)
        name = Term(self.events[event].name, TEXT)
        return self._layout("event" if name.value else "loose", event=name, days=days)

    def _own_parameters(self, day: int, edition: int) -> str:
        """The parameters that are not the published ones."""
        published = dict(self.rules.editions).get(edition)
        if published is None:
            return ""
        now = self.plan.dated.at(day)
        own = [
            f"{name} = {self.wording.shown(Term(value, 'Factor'))}"
            for name, value in now._asdict().items()
            if value != getattr(published, name)
        ]
        return self._layout("own", own=Term(", ".join(own), TEXT)) if own else ""

    def line(self, key: str, state: Any) -> str:
        """The line of the rating before or after."""
        return self._layout(key, rating=Term(self._rating(state), TEXT))

    def notes(self, any_items: bool) -> tuple[str, ...]:
        """What stands at the end."""
        if not any_items:
            return (self._layout("nothing"),)
        return (self._layout("rounded"),) if self.wording.inexact else ()

    def _label(self, state: Any) -> str:
        """What a list shows, a rank in the words of the language."""
        label = self.rules.label(state)
        index = rank_index(label)
        return label if index is None else self.wording.rank(index)

    def _rating(self, state: Any) -> str:
        """A rating with what a list shows where that is something else."""
        points, label = Term(state.rating, "Grains"), Term(self._label(state), TEXT)
        if state.rating == UNRATED or str(self.wording.shown(points)) == label.value:
            return self._layout("rating", points=points)
        whole = label.value.lstrip("-").isdigit()
        return self._layout("rating_whole" if whole else "rating_rank", points=points, label=label)

    def _layout(self, key: str, **terms: Term) -> str:
        return self.wording.sentence(self.messages.get("layout", key), terms)

    # --- periods ------------------------------------------------------------------------------------

    def period(self, place: int, shown: set[int], several: bool, previous: Any) -> Period:
        """Everything since the settlement before the period at `place`; of its games those in `shown`."""
        found = self.found
        acts = found.acts(place)
        games = [found.game(side) for side in found.by_place.get(place, ())]
        closed = found.settlement(place, games)
        now = found.past.state(found.person, place)
        opening = acts[0].before if acts else now
        closing = closed.after if closed else now
        items = [self._act(outcome) for outcome in acts]
        items += [self._game(game, place) for game in games if game.side in shown]
        if closed:
            others = sum(1 for game in games if not game.reason and game.side not in shown)
            items.append(self._settlement(closed, place, others))
        if previous is not None and previous != opening:
            items[0] = _with(items[0], first=[self.line("between", opening)])
        if several and closed:
            items[-1] = _with(items[-1], last=[self.line("now", closing)])
        return Period(opening, items, closing)

    # --- games --------------------------------------------------------------------------------------

    def _game(self, game: SteppedGame, place: int) -> Item:
        side, history = self.found.history.side(game.side), self.found.history
        facts = {
            "date": day_text(side.day),
            "event": self.events[side.event].name,
            "round": self.plan.ledger.games.round[side.game] or None,
            "opponent": self.names[side.opponent],
            "result": str(self._result(side.game, side.turn)),
            "rated": not game.reason,
            "reason": game.reason,
        }
        terms = game_terms(game.game)
        terms["before"] = Term(int(history.before[game.side]), "Grains")
        terms["other_before"] = Term(int(history.before[game.side ^ 1]), "Grains")
        if game.step is not None:
            terms |= terms_of(game.step)
        words = self._game_words(side.opponent, side.day, side.event, side.game, side.turn) | terms
        return Item("game", self._game_heading(game, words), terms, self._game_sentences(game, words), facts)

    def _result(self, game: int, turn: int) -> Result:
        result = self.plan.ledger.results[self.plan.ledger.games.result[game]]
        return mirrored(result) if turn else result

    def _game_words(self, opponent: int, day: int, event: int, game: int, turn: int) -> Terms:
        words = {
            "player": self.player,
            "other": Term(self.names[opponent], TEXT),
            "date": Term(day, DAY),
            "event": Term(self.events[event].name, TEXT),
            "round": Term(self.plan.ledger.games.round[game], "Count"),
        }
        words["result"] = Term(self._result_words(self._result(game, turn), turn, words), TEXT)
        return words

    def _result_words(self, result: Result, turn: int, words: Terms) -> str:
        """The result as the player saw it, own score first; `turn` 1: the player was player 2."""
        side = {2: "won", 1: "drawn", 0: "lost"}
        if result.kind == GAME:
            key = side[result.first]
        elif result.kind == FORFEIT:
            key = "forfeit_won" if result.first else "forfeit_lost" if result.second else "forfeit_both"
        elif result.kind == SETS:
            numbers = {"first": Term(result.first, "Count"), "second": Term(result.second, "Count")}
            sets = Term(self.wording.sentence(self.messages.get("result", "sets"), numbers), TEXT)
            if not result.retired:
                return str(sets.value)
            key, words = ("retired_self" if result.retired == 1 else "retired_other"), words | {"sets": sets}
        else:
            key = result.kind
        return self.wording.sentence(self.messages.get("result", key), words)

    def _game_heading(self, game: SteppedGame, words: Terms) -> str:
        where = [str(self.wording.shown(words["date"]))]
        if self.rules.period in MONTHS and not self.one_event and words["event"].value:
            where.append(str(words["event"].value))
        if words["round"].value:
            where.append(self._layout("round", **words))
        outcome = self.messages.get("outcome", "unrated")
        if not game.reason:
            unit = words["change"].unit.lower()
            template = self.messages.of_term("outcome", unit, words["change"].value)
            outcome = self.wording.sentence(template, words)
        more = {"where": Term(", ".join(where), TEXT), "outcome": Term(outcome, TEXT)}
        return self._layout("against", **(words | more))

    def _game_sentences(self, game: SteppedGame, words: Terms) -> tuple[str, ...]:
        if game.reason:
            return self._reason_sentences(game, words)
        contrary = words.get("contrary") or Term(_contrary(game), "Count")
        lead = self._of_term("step", "contrary", contrary, words, game.params, counted=words["change"])
        if not lead:
            lead = self._of_term("step", "change", words["change"], words, game.params)
        rest = [name for name in game.step._fields if name not in LEADING]
        return (*lead, *self._of_terms("step", rest, words, game.params))

    def _reason_sentences(self, game: SteppedGame, words: Terms) -> tuple[str, ...]:
        sentences: list[str] = []
        if game.reason == BY_RULE:
            sentences = self._of_term("step", "rated", words["rated"], words, game.params)
        if not sentences:
            template = self.messages.get("reason", game.reason)
            sentences = [self.wording.sentence(template, words, game.params)]
        clause = self.messages.get("clause", game.reason)
        if clause:
            sentences.append(self._layout("clause", clause=Term(clause, TEXT)))
        return tuple(sentences)

    def _of_terms(self, table: str, names: Iterable[str], words: Terms, params: Any) -> list[str]:
        return [s for name in names for s in self._of_term(table, name, words[name], words, params)]

    def _of_term(
        self, table: str, name: str, term: Term, words: Terms, params: Any, counted: Term | None = None
    ) -> list[str]:
        """The sentence of a term; none where it is silent. `counted`: the term that decides the plural."""
        singular = self.wording.is_one(counted or term)
        template = self.messages.of_term(table, name, term.value, singular)
        return [self.wording.sentence(template, words, params)] if template else []

    # --- settlements --------------------------------------------------------------------------------

    def _settlement(self, closed: Settlement, place: int, others: int) -> Item:
        period = self.rules.period
        if self.plan.ticks is None or getattr(self.plan.dated.rows[0], "game_by_game", False):
            period = "game"
        name = Term(self._period_name(place, self.found.by_place[place])[0], TEXT)
        heading = self._layout(f"settlement_{period}", period=name)
        words: Terms = {"player": self.player, "period": name}
        if closed.settled is None:
            terms = self._opening_terms(closed) | self._states(closed.before, closed.after)
            sentences = self._opening_sentences(closed, place, words | terms)
        else:
            assert closed.tally is not None
            terms = (
                terms_of(closed.tally) | self._states(closed.before, closed.after) | terms_of(closed.settled)
            )
            names = [field for field in closed.settled._fields if field in terms]
            sentences = self._of_terms("settle", names, words | terms, closed.params)
        if others:
            terms["others"] = Term(others, "Count")
            sentences += self._of_term("layout", "others", terms["others"], words | terms, closed.params)
        return Item("settlement", heading, terms, tuple(sentences), {"period": name.value})

    def _states(self, before: Any, after: Any) -> Terms:
        return {
            "before": Term(int(before.rating), "Grains"),
            "after": Term(int(after.rating), "Grains"),
            "label_before": Term(self._label(before), TEXT),
            "label": Term(self._label(after), TEXT),
        }

    def _opening_terms(self, closed: Settlement) -> Terms:
        kinds, kind = self.plan.kinds, self.plan.kind
        scores = [(kinds.score[kind[side // 2]], side % 2) for side in closed.openings]
        total = sum(100 - score if turn else score for score, turn in scores)
        return {"games": Term(len(scores), "Count"), "score": Term(total, "Hundredths")}

    def _opening_sentences(self, closed: Settlement, place: int, words: Terms) -> list[str]:
        """A first rating, or how far it still is; then the games of earlier periods that count for it."""
        key = "waiting" if closed.after.rating == UNRATED else "text"
        sentences = self._of_term("newcomer", key, words["games"], words, closed.params)
        template = self.messages.get("newcomer", "game")
        for index in closed.openings:
            side = self.found.history.side(index)
            if template and self.plan.place_of_row(side.row) != place:
                more = self._game_words(side.opponent, side.day, side.event, side.game, side.turn)
                more["other_before"] = Term(side.opponent_before, "Grains")
                sentences.append(self.wording.sentence(template, more, closed.params))
        return sentences

    # --- acts -----------------------------------------------------------------------------------------

    def _act(self, outcome: Outcome) -> Item:
        act, kind = outcome.act, KIND_NAMES[outcome.act.kind]
        terms = self._states(outcome.before, outcome.after)
        words: Terms = {"player": self.player, "date": Term(act.day, DAY), "reason": Term(act.reason, TEXT)}
        if act.kind == ENTRY:
            assert act.application is not None
            terms |= application_terms(act.application)
            table, keys = "entry", _entry_keys(act.application, outcome.after)
        else:
            table = "corrected" if act.kind == CORRECTION else "posting"
            if act.points == act.points:
                terms["points"] = Term(act.points, "Points")
            keys = [_act_key(table, "points" in terms, outcome.after)]
            keys = [f"{key}_undated" for key in keys] if not act.day else keys
        if act.reason:
            keys.append("reason")
        p = self.plan.dated.at(act.day)
        words |= terms
        said = [self._of_term(table, key, words.get(key, self.player), words, p) for key in keys]
        heading = self._layout(kind if act.day else f"{kind}_undated", date=words["date"])
        facts = {"date": day_text(act.day) or None, "reason": act.reason}
        return Item(kind, heading, terms, tuple(s for part in said for s in part), facts)


def _with(item: Item, first: Sequence[str] = (), last: Sequence[str] = ()) -> Item:
    return item._replace(sentences=(*first, *item.sentences, *last))


def game_terms(game: Game) -> Terms:
    """What a ruleset was handed, as terms."""
    units = units_of(Game)
    terms = {
        name: Term(getattr(game, name), units[name]) for name in ("score", "best_of", "stones", "weight")
    }
    return terms | {"score": Term(game.score, SCORE)}


def _contrary(game: SteppedGame) -> int:
    """-1: won and loses points; 1: lost and gains; else 0."""
    if game.game.score > 50 and game.step.change < 0:
        return -1
    return int(game.game.score < 50 and game.step.change > 0)


def application_terms(application: Application) -> Terms:
    """What was known of a player at the first rating; never the year of birth."""
    units = {"rating": "Points", "rank": "Rank", "percentage": "Factor", "standard": "Points"}
    values = {name: Term(getattr(application, name), unit) for name, unit in units.items()}
    terms = {name: term for name, term in values.items() if term.value is not None}
    if application.league:
        terms["league"] = Term(application.league, TEXT)
    if application.adjustment:
        terms["adjustment"] = Term(application.adjustment, "Points")
    return terms


def _act_key(table: str, has_points: bool, after: Any) -> str:
    """A club's posting of points; the ruleset's own; one that takes the rating away."""
    if table == "posting" and has_points:
        return "points"
    return "unrated" if table == "posting" and after.rating == UNRATED else "text"


def _entry_keys(application: Application, after: Any) -> list[str]:
    if after.rating == UNRATED:
        return ["unrated"]
    if application.rating is not None:
        key = "rating"
    elif application.league:
        key = "league"
    elif application.rank is not None:
        key = "rank"
    else:
        key = "standard"
    return [key, "adjustment"] if application.adjustment else [key]
