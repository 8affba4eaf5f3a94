"""What the worker can be asked. Every question and answer is plain data; persons and events are keys."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any

from arpad.domain.problems import Refused, RuleRefusal
from arpad.store.days import today
from arpad.store.models import Organisation, Pool
from arpad.store.service import Service
from arpad.store.settle import Settler
from arpad.web.models import ROLES
from arpad.web.reader import Reader, page_of
from arpad.web.shown import Names
from arpad.web.worker.pool_figures import comparison, pool_figures

log = logging.getLogger(__name__)
Answer = dict[str, Any]


class Asks:
    """Answers questions with pools kept in memory."""

    def __init__(self) -> None:
        self.service = Service()
        self.woken: Callable[[], None] = lambda: None
        self._statistics_of: dict[tuple[int, int], Answer] = {}
        self._known: dict[str, Callable[..., Any]] = {
            "wake": self._wake, "explain": self._explain, "settle": self._settle, "as-of": self._as_of,
            "publish": self._publish, "statistics": self._statistics, "compare": self._compare,
        }  # fmt: skip

    def answer(self, what: str, question: dict[str, Any]) -> Answer:
        """{"answer": ...}, or {"refused": {code, message, remedy}}."""
        try:
            return {"answer": self._known[what](**question)}
        except Refused as refused:
            first = refused.problems[0]
            return {"refused": {"code": first.code, "message": first.message, "remedy": first.remedy}}
        except RuleRefusal as refusal:
            return {"refused": {"code": refusal.code, "message": refusal.message, "remedy": refusal.remedy}}

    def _wake(self) -> None:
        self.woken()

    def _settle(self, pool: int) -> Answer:
        """Settle a pool now; what was done."""
        with self.service.settler(Pool.objects.select_related("organisation").get(pk=pool)) as settler:
            done = settler.settle()
        return {"settlement": done.settlement, "through": done.through, "rows": done.rows_changed}

    def _settled(self, settler: Settler) -> Any:
        """The history readers look at: that of the pool's current settlement."""
        current = settler.current()
        return None if current is None else settler.warm(current.through)

    def _explain(self, pool: int, person: int, event: int | None, role: str, language: str) -> Answer | None:
        """How a person's rating came about in an event, or in the last period; None: nothing is rated yet."""
        from arpad.engine.explain import explain

        row = Pool.objects.select_related("organisation").get(pk=pool)
        with self.service.settler(row) as settler:
            history = self._settled(settler)
            if history is None:
                return None
            facts = settler.facts
            number = facts.number("person", person)
            where = facts.number("event", event) if event is not None else None
            if number is None or (event is not None and where is None):
                return None
            number = history.plan.now.person[number]
            names = ShownNames(settler, _names(row, role))
            found = explain(history, number, event=where, language=language, names=names)
        return {
            "title": list(found.title), "before": found.before, "after": found.after,
            "notes": list(found.notes),
            "items": [
                {"kind": item.kind, "heading": item.heading, "sentences": list(item.sentences), **item.facts}
                for item in found.items
            ],
        }  # fmt: skip

    def _as_of(self, pool: int, day: int, known: int | None) -> Answer:
        """The list of a day, as known on another."""
        from arpad.store.asof import as_of

        with self.service.settler(Pool.objects.select_related("organisation").get(pk=pool)) as settler:
            found = as_of(settler, day, known)
        return {
            "day": found.day, "recording": found.recording, "rules_changed": found.rules_changed,
            "lines": [list(line) for line in found.lines],
        }  # fmt: skip

    def _publish(self, pool: int, day: int, author: str) -> Answer:
        """Freeze the list of a day as it is known now; what waits is settled first."""
        from arpad.store.lists import publish

        with self.service.settler(Pool.objects.select_related("organisation").get(pk=pool)) as settler:
            settler.settle()
            made = publish(settler, day, author)
        return {"day": made.day, "version": made.version, "digest": made.digest}

    def _statistics(self, pool: int, width: int) -> Answer | None:
        """Figures of the pool as it is shown now; made once a settlement."""
        row = Pool.objects.select_related("organisation").get(pk=pool)
        known = self._statistics_of.get((pool, row.current))
        if known is not None or not row.current:
            return known
        with self.service.settler(row) as settler:
            history = self._settled(settler)
            found = pool_figures(settler, history, today(row.organisation), width)
        self._statistics_of = {key: told for key, told in self._statistics_of.items() if key[0] != pool}
        self._statistics_of[pool, row.current] = found
        return found

    def _compare(self, pool: int, ruleset: str, parameters: dict[str, float]) -> Answer | None:
        """The same results under other rules or parameters: who moves, and which predicts better."""
        from arpad.engine.replay import replay
        from arpad.rulesets.catalogue import find

        row = Pool.objects.select_related("organisation").get(pk=pool)
        with self.service.settler(row) as settler:
            history = self._settled(settler)
            if history is None:
                return None
            rules = find(ruleset)
            # tried on every edition: today's parameters with those that were asked for
            tried = rules.editions[-1][1]._replace(**parameters) if parameters else None
            other = replay(settler.facts.ledger, rules, params=tried)
            return comparison(settler, history, other)


class ShownNames:
    """Names by number in the ledger, as one reader may see them."""

    def __init__(self, settler: Settler, names: Names) -> None:
        self.keys, self.names = settler.facts.keys["person"], names

    def __getitem__(self, person: int) -> str:
        return self.names[self.keys[person]].name or "…"


def _names(pool: Pool, role: str) -> Names:
    organisation: Organisation = pool.organisation
    youth = hasattr(pool, "page") and pool.page.youth
    return Names(organisation, page_of(organisation), Reader(role if role in ROLES else ""), youth)
