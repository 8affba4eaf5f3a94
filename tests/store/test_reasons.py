"""The reason of a first rating is free text: beside the fact, erasable, in no public export."""

from __future__ import annotations

import json
from typing import Any

from arpad.domain.play import Application
from arpad.store.erasure import erase, plan_erasure
from arpad.store.export import COMPLETE, PUBLIC, Export
from arpad.store.models import Application as ApplicationFact
from arpad.store.models import Text
from arpad.store.person_data import person_data
from arpad.store.recorder import recording, ref
from arpad.store.settle import Settler
from arpad.store.source import snapshot
from arpad.store.verify import verify

REASON = "Quackelbeen Mina held 1612 in another federation"


def _ledger(organisation: Any, make_pool: Any) -> int:
    pool = make_pool("elo-logistic")
    with recording(organisation, author="1") as r:
        mina, jop = (r.person(name) for name in ("Mina Quackelbeen", "Jop Twee"))
        r.first_rating(ref(pool), mina, Application(rating=1612.0, reason=REASON))
        r.first_rating(ref(pool), jop, Application(rating=1500.0))
    Settler(pool).settle()
    return int(mina.key)


def test_it_stands_beside_the_fact(organisation, make_pool):
    mina = _ledger(organisation, make_pool)
    facts = ApplicationFact.objects.order_by("pk")
    assert [json.loads(fact.content) for fact in facts] == [{"rating": 1612.0}, {"rating": 1500.0}]
    assert [fact.reason and fact.reason.body for fact in facts] == [REASON, None]
    assert bytes(facts[0].reason_mac) and not bytes(facts[1].reason_mac)
    (entry,) = person_data(organisation, mina)["first_ratings"]
    assert entry["reason"] == REASON


def test_it_is_erased_with_the_person(organisation, make_pool, tmp_path):
    mina = _ledger(organisation, make_pool)
    text = ApplicationFact.objects.get(person=mina).reason
    assert text.uuid in plan_erasure(organisation, mina).texts
    erase(organisation, mina, journal=tmp_path / "erasures.jsonl")
    report = verify()
    assert not report.bad
    Text.objects.filter(pk=text.pk).update(body="She held 1700.")  # a damaged one is told from an erased one
    assert [bad.code for bad in verify().bad] == ["text-damaged"]


def test_it_is_in_the_complete_export_alone(organisation, make_pool):
    _ledger(organisation, make_pool)
    told = {}
    for kind in (COMPLETE, PUBLIC):
        with snapshot("default") as source:
            export = Export(source, organisation, kind)
            lines = list(export._facts())
        told[kind] = [line for line in lines if line["kind"] == "application"]
    assert [bool(line.get("reason")) for line in told[COMPLETE]] == [True, False]
    assert all("reason" not in line and line["content"][-1] == "" for line in told[PUBLIC])
    assert "Quackelbeen" not in json.dumps(told[PUBLIC])
