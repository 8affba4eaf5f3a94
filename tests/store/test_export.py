"""An export gives the same ledger elsewhere, and a third party the same digests without a database."""

from __future__ import annotations

import json
import re
import subprocess
import sys

import pytest

from arpad.cli.export import write_export
from arpad.domain.play import Application
from arpad.domain.problems import Refused
from arpad.domain.results import read_result
from arpad.store.importing import import_export
from arpad.store.models import FACTS, Organisation, PersonName, Pool, RatingList, RawFile, Settlement, Text
from arpad.store.recorder import recording, ref
from arpad.store.settle import Settler
from arpad.store.verify import verify
from arpad.store.verify_export import verify_export
from tests.store import databases
from tests.store.kept import DAYS, NAMES, everything, unsealed


@pytest.fixture
def kind(address, monkeypatch, tmp_path):
    monkeypatch.setenv("ARPAD_DATA", str(tmp_path / "data"))
    return "sqlite" if address.startswith("sqlite") else "postgres"


def settled():
    """By pool: the digest of what readers see."""
    return {
        pool.slug: Settlement.objects.get(pool=pool, number=pool.current).digest
        for pool in Pool.objects.order_by("pk")
    }


def state():
    """What must be equal elsewhere, internal keys aside."""
    facts = {
        model.KIND: sorted(row.hex for row in model.objects.values_list("uuid", flat=True)) for model in FACTS
    }
    names = sorted(PersonName.objects.values_list("person__uuid", "name", "shown", "first"))
    texts = sorted((row.uuid, row.body, row.erased) for row in Text.objects.all())
    files = [(row.sha256, bytes(row.content)) for row in RawFile.objects.all()]
    pools = sorted(Pool.objects.values_list("slug", "name", "policy", "window_days", "headline"))
    lists = sorted(RatingList.objects.values_list("uuid", "day", "version", "digest", "through"))
    organisation = Organisation.objects.get()
    chain = organisation.chain_number, bytes(organisation.chain_link), bytes(organisation.salt)
    return facts, names, texts, files, pools, lists, chain


def elsewhere(kind, tmp_path):
    (tmp_path / "other").mkdir(exist_ok=True)
    databases.use(databases.empty_url(kind, tmp_path / "other"))


@pytest.mark.parametrize("target", databases.KINDS)
def test_a_complete_export_gives_the_same_ledger_elsewhere(organisation, kind, tmp_path, target):
    everything(organisation, "youth-realtime")
    Pool.objects.filter(slug="youth").update(name="Jeugd", policy="recompute")
    before, digests = state(), settled()
    write_export(organisation, tmp_path / "export", public=False)
    verified = verify_export(tmp_path / "export")
    assert verified.bad == []
    assert verified.link == bytes(organisation.chain_link).hex()
    assert verified.digests == digests
    elsewhere(target, tmp_path)
    restored = import_export(tmp_path / "export")
    assert restored.report.good, restored.report.bad
    assert restored.report.counts["derived rows"] > 0
    assert state() == before
    assert settled() == digests
    # it goes on: the void of a void can be voided, the next recording follows in the chain
    again = Organisation.objects.get()
    with recording(again, author="1") as r:
        r.person("Somebody New")
    assert again.chain_number == before[-1][0] + 1
    assert verify().good


def test_published_lists_go_along(organisation, kind, tmp_path):
    from arpad.store.lists import publish

    pool = everything(organisation)
    publish(Settler(pool), DAYS[3], author="1")
    before = state()
    assert len(before[5]) == 1
    write_export(organisation, tmp_path / "export", public=False)
    elsewhere(kind, tmp_path)
    report = import_export(tmp_path / "export").report
    assert (report.good, report.counts["published lists"]) == (True, 1)
    assert state() == before


def test_the_public_export_names_nobody_and_gives_the_same_digests(organisation, kind, tmp_path):
    everything(organisation, "youth-realtime")
    digests = settled()
    made = write_export(organisation, tmp_path / "export", public=True)
    verified = verify_export(tmp_path / "export")
    assert (verified.kind, verified.bad) == ("public", [])
    assert verified.digests == digests
    text = b"\n".join(
        path.read_bytes() for path in (tmp_path / "export").rglob("*") if path.is_file()
    ).decode()
    assert not re.search(r"(?<![0-9a-f-])2009(?![0-9a-f-])", text)  # digits of hashes and UUIDs apart
    secrets = [*NAMES, "Hondt", "wrong way round", "committee", "bonus", "spring.csv", 'A club"']
    secrets += [bytes(organisation.salt).hex(), bytes(organisation.chain_link).hex()]
    secrets += [bytes(row.salt).hex() for row in PersonName.objects.all()]
    assert [secret for secret in secrets if secret in text and secret != 'A club"'] == []
    assert made.years.told()["left out"] == 2  # 14 in the first game: adult for this ruleset
    assert not (tmp_path / "export" / "side").exists()
    elsewhere(kind, tmp_path)
    with pytest.raises(Refused, match="export-public"):
        import_export(tmp_path / "export")


YEARS = {  # of birth: what is told of somebody who plays in 2023 and 2024 under the rule "below 13"
    1980: "none needed",
    2000: "none needed",
    2010: "none needed",  # 13 in the first game
    2011: "the year itself",  # 12, then 13
    2012: "junior",  # 11, then 12
    2016: "junior",
}


@pytest.mark.parametrize("born", YEARS)
def test_a_birth_year_is_told_only_where_a_rule_needs_it(organisation, make_pool, tmp_path, born):
    from arpad.store.models import Application as Entry

    pool = make_pool("youth-realtime")
    with recording(organisation, author="1") as r:
        people = [r.person(name) for name in ("One", "Two")]
        for person, year in zip(people, (born, 0), strict=True):
            r.first_rating(ref(pool), person, Application(rating=1000.0, born=year, games=40))
        event = r.event("Cup", DAYS[0])
        r.feed(ref(pool), event)
        for day in (DAYS[0], DAYS[3]):
            r.game(event, day, *people, read_result("1-0"))
    digest = Settler(pool).settle().digest
    made = write_export(organisation, tmp_path / "export", public=True)
    key = Entry.objects.get(person_id=people[0].key).pk
    assert made.years.chosen == {key: YEARS[born]}
    verified = verify_export(tmp_path / "export")
    assert (verified.bad, verified.digests) == ([], {"main": digest})
    facts = (tmp_path / "export" / "facts.jsonl").read_text()
    assert (str(born) in facts) == (YEARS[born] == "the year itself")


def test_what_is_not_sealed_is_in_no_export(organisation, kind, tmp_path):
    everything(organisation)
    before = state()
    unsealed(organisation)
    write_export(organisation, tmp_path / "export", public=False)
    assert "Somebody New" not in (tmp_path / "export" / "side" / "personname.jsonl").read_text()
    elsewhere(kind, tmp_path)
    import_export(tmp_path / "export")
    assert state() == before


def test_another_organisation_is_not_in_it(organisation, tmp_path):
    other = Organisation.objects.create(slug="other", name="Another", salt=b"fedcba9876543210")
    everything(organisation)
    everything(other)
    write_export(organisation, tmp_path / "export", public=False)
    verified = verify_export(tmp_path / "export")
    assert (verified.bad, verified.counts["game"], verified.counts["recordings"]) == ([], 16, 4)
    assert verified.digests == {
        pool.slug: Settlement.objects.get(pool=pool, number=pool.current).digest
        for pool in Pool.objects.filter(organisation=organisation)
    }


def test_flat_files_stand_beside(organisation, tmp_path):
    from arpad import read

    pool = everything(organisation, "youth-realtime")
    write_export(organisation, tmp_path / "export", public=False)
    folder = tmp_path / "export" / "pools" / pool.slug
    ledger = read(
        folder / "games.csv", players=folder / "players.csv", corrections=folder / "corrections.csv"
    )
    assert len(ledger.games) == 12  # four are void
    assert "D’Hondt <b>" in ledger.names
    assert ledger.corrections[0].reason == "the committee, 3 May"


def change(path, old, new, at=0):
    lines = path.read_text("utf-8").splitlines()
    assert old in lines[at]
    lines[at] = lines[at].replace(old, new, 1)
    path.write_text("\n".join([*lines, ""]), "utf-8")


def resealed(folder, name):
    """Whoever forges a file writes the manifest anew too."""
    import hashlib

    manifest = json.loads((folder / "manifest.json").read_text())
    manifest["files"][name] = hashlib.sha256((folder / name).read_bytes()).hexdigest()
    (folder / "manifest.json").write_text(json.dumps(manifest))


@pytest.mark.parametrize("public", [False, True])
def test_a_forged_export_is_found(organisation, tmp_path, public):
    everything(organisation)
    write_export(organisation, tmp_path / "export", public=public)
    facts = tmp_path / "export" / "facts.jsonl"
    at = next(i for i, line in enumerate(facts.read_text().splitlines()) if '"1-0"' in line)
    change(facts, '"1-0"', '"0-1"', at)
    assert {bad.code for bad in verify_export(tmp_path / "export").bad} == {
        "file-altered", "fact-altered", "chain-broken"
    }  # fmt: skip
    resealed(tmp_path / "export", "facts.jsonl")
    found = verify_export(tmp_path / "export")
    assert (found.bad[0].code, found.bad[0].recording) == ("fact-altered", 2)
    with pytest.raises(Refused):
        import_export(tmp_path / "export")


def test_a_forged_digest_of_a_pool_is_found(organisation, tmp_path):
    everything(organisation)
    write_export(organisation, tmp_path / "export", public=True)
    manifest = json.loads((tmp_path / "export" / "manifest.json").read_text())
    manifest["pools"][0]["digest"] = "0" * 64
    (tmp_path / "export" / "manifest.json").write_text(json.dumps(manifest))
    assert [bad.code for bad in verify_export(tmp_path / "export").bad] == ["derived-differs"]


def test_what_is_no_export_is_refused(tmp_path):
    with pytest.raises(Refused, match="export-unreadable"):
        verify_export(tmp_path)
    (tmp_path / "manifest.json").write_text("{}")
    with pytest.raises(Refused, match="export-unreadable"):
        verify_export(tmp_path)


def test_an_export_goes_into_no_folder_that_holds_something(organisation, tmp_path):
    everything(organisation, settle=False)
    (tmp_path / "export").mkdir()
    (tmp_path / "export" / "mine.txt").write_text("mine")
    with pytest.raises(Refused, match="output-exists"):
        write_export(organisation, tmp_path / "export", public=False)


def test_the_commands_make_the_folder_they_need(organisation, kind, tmp_path, monkeypatch):
    """Two programs one after another, as somebody types them."""
    everything(organisation)
    write_export(organisation, tmp_path / "export", public=False)
    monkeypatch.delenv("DATABASE_URL", raising=False)
    for arguments in (["restore", "--export", "export", "--data", "new"], ["verify", "--data", "new"]):
        done = subprocess.run(
            [sys.executable, "-m", "arpad", *arguments],
            cwd=tmp_path, capture_output=True, text=True, timeout=100, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
    assert "nothing wrong" in done.stdout


def test_an_import_goes_into_no_ledger_that_is_there(organisation, tmp_path):
    everything(organisation, settle=False)
    write_export(organisation, tmp_path / "export", public=False)
    with pytest.raises(Refused, match="restore-not-empty"):
        import_export(tmp_path / "export")


def test_a_third_party_needs_no_database(organisation, tmp_path):
    everything(organisation)
    write_export(organisation, tmp_path / "export", public=True)
    program = (
        "import os, socket, sqlite3, sys\n"
        "def refused(*a, **k): raise AssertionError('a database was opened')\n"
        "sqlite3.connect = socket.socket.connect = refused\n"
        "from arpad.cli import main\nsys.argv = ['arpad', 'verify-export', sys.argv[1]]\nmain()\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, str(tmp_path / "export")],
        capture_output=True, text=True, timeout=100, check=False,
        env={"PATH": "", "ARPAD_DATA": str(tmp_path / "none"), "DATABASE_URL": "postgres://nobody@localhost:1/none"},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert settled()["main"] in done.stdout
    assert not (tmp_path / "none").exists()
