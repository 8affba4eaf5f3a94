"""Verifying an export from its files alone: no database, no trust in who wrote it.

Every file's sha256, every fact's digest, the chain, and each pool's ratings are computed again. What a
third party compares with what was published: the chain's link and each pool's settled digest.
"""

from __future__ import annotations

import hashlib
import json
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from arpad.domain.problems import FATAL, Problem, Refused
from arpad.engine.replay import replay
from arpad.rulesets.catalogue import find
from arpad.store import canonical, public
from arpad.store.digest import digest
from arpad.store.export import (
    COMPLETE,
    FACT_LINES,
    FORMAT,
    MANIFEST,
    PUBLIC,
    RECORDINGS,
    Line,
    content_of_recording,
)
from arpad.store.fact_rows import Rows, Window
from arpad.store.models import FACTS, Application, Event, EventInPool, Game, Organisation, Pool
from arpad.store.pool_ledger import PoolLedger
from arpad.store.settle import ruleset_digest
from arpad.store.verify import Bad

REMEDY = "Ask for the export again, and compare its sha256."


class ExportFact(NamedTuple):
    """A fact of an export; `key` is its place among those of its kind, in the order they were recorded."""

    key: int
    recording: int
    uuid: str
    content: list[Any]
    reason: str | None


class Verified(NamedTuple):
    """What an export holds, and what is wrong with it."""

    kind: str  # "complete", "public"
    organisation: str
    counts: dict[str, int]
    link: str  # of the last recording
    digests: dict[str, str]  # pool's short name -> settled digest, computed here
    bad: list[Bad]
    other_rules: list[str]  # pools whose ruleset here is not the one of the export


class ExportFiles:
    """An export that was read. Raises Refused (`export-unreadable`)."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        try:
            self.manifest: Line = json.loads((folder / MANIFEST).read_text("utf-8"))
            if self.manifest["format"] != FORMAT or self.manifest["kind"] not in (COMPLETE, PUBLIC):
                raise ValueError("it has another format")
            self.kind: str = self.manifest["kind"]
            self.slug: str = self.manifest["organisation"]["slug"]
            self.recordings = sorted(self.lines(RECORDINGS), key=lambda line: line["number"])
            self.facts = self._facts()
        except (OSError, ValueError, KeyError, TypeError) as error:
            reason = getattr(error, "strerror", None) or f"{type(error).__name__} {error}"
            message = f"{folder} is no export that can be read: {reason}."
            raise Refused(Problem("export-unreadable", FATAL, message, REMEDY)) from error

    def lines(self, name: str) -> Iterator[Line]:
        """The lines of one of its files."""
        with (self.folder / name).open("rb") as file:
            for line in file:
                yield json.loads(line)

    def _facts(self) -> dict[str, list[ExportFact]]:
        found: dict[str, list[ExportFact]] = {model.KIND: [] for model in FACTS}
        for line in self.lines(FACT_LINES):
            fact = ExportFact(0, line["recording"], line["uuid"], line["content"], line.get("reason"))
            found[line["kind"]].append(fact)
        for kind, facts in found.items():
            facts.sort(key=lambda fact: (fact.recording, fact.uuid))
            found[kind] = [fact._replace(key=key) for key, fact in enumerate(facts, 1)]
        return found


def verify_export(folder: Path) -> Verified:
    """Verify an export. Raises Refused where it cannot be read at all."""
    files = ExportFiles(folder)
    counts = {
        "recordings": len(files.recordings),
        **{kind: len(facts) for kind, facts in files.facts.items()},
    }
    bad = [*_files(files), *_chain(files)]
    link = files.recordings[-1]["link"] if files.recordings else bytes(32).hex()
    if files.kind == COMPLETE and link != files.manifest["link"]:
        bad.append(_bad(files, "chain-broken", 0, "organisation", "", "The chain ends with another link."))
    digests, other = {}, []
    for pool in files.manifest["pools"] if not bad else ():
        found, same_rules = _settled(files, pool)
        digests[pool["slug"]] = found
        if not same_rules:
            other.append(pool["slug"])
        if found != pool["digest"]:
            message = f"{pool['slug']}: the ratings of its facts are not those that the manifest names."
            bad.append(_bad(files, "derived-differs", 0, "pool", pool["uuid"], message))
    return Verified(files.kind, files.slug, counts, link, digests, bad, other)


def _bad(files: ExportFiles, code: str, recording: int, kind: str, identity: str, message: str) -> Bad:
    return Bad(code, files.slug, recording, kind, identity, message)


def _files(files: ExportFiles) -> Iterator[Bad]:
    """Files that are gone or are not what the manifest says."""
    for name, expected in files.manifest["files"].items():
        path = files.folder / name
        if not path.is_file():
            yield _bad(files, "file-missing", 0, "file", name, "It is not there.")
            continue
        with path.open("rb") as file:
            if hashlib.file_digest(file, "sha256").hexdigest() != expected:
                yield _bad(files, "file-altered", 0, "file", name, "Its sha256 is not the manifest's.")


def _chain(files: ExportFiles) -> Iterator[Bad]:
    digests: dict[int, list[bytes]] = {line["number"]: [] for line in files.recordings}
    for kind, facts in files.facts.items():
        for fact in facts:
            if fact.recording not in digests:
                yield _bad(
                    files, "fact-altered", fact.recording, kind, fact.uuid, "Its recording is not there."
                )
                continue
            digests[fact.recording].append(canonical.fact_digest(kind, fact.uuid, fact.content))
    link = bytes(32)
    for number, line in enumerate(files.recordings, 1):
        identity, mine = line["uuid"], digests[line["number"]]
        found = canonical.facts_digest(mine)
        if line["number"] != number:
            yield _bad(files, "chain-broken", number, "recording", identity, "One is missing before it.")
        if len(mine) != line["facts"]:
            message = f"It has {len(mine)} facts of {line['facts']}."
            yield _bad(files, "fact-missing", number, "recording", identity, message)
        elif found.hex() != line["digest"]:
            message = "Its facts are not those it was sealed with."
            yield _bad(files, "fact-altered", number, "recording", identity, message)
        if canonical.link(link, content_of_recording(line), found).hex() != line["link"]:
            message = "Its link does not follow from the one before and what it says."
            yield _bad(files, "chain-broken", number, "recording", identity, message)
        link = bytes.fromhex(line["link"])


# --- ratings ----------------------------------------------------------------------------------------


def _settled(files: ExportFiles, said: Line) -> tuple[str, bool]:
    """(settled digest of a pool, whether the rules here are those it was made with)."""
    rules = find(said["ruleset"])
    same_rules = ruleset_digest(rules.module.__file__) == said["ruleset_digest"]
    organisation = Organisation(time_zone=files.manifest["organisation"]["time_zone"])
    pool = Pool(
        uuid=uuid.UUID(said["uuid"]), ruleset=said["ruleset"], policy=said["policy"],
        window_days=said["window_days"], organisation=organisation,
    )  # fmt: skip
    facts = PoolLedger(pool)
    facts.take(FromFiles(files, pool))
    if not facts.ledger.events:
        return "", same_rules
    return digest(facts, replay(facts.ledger, rules)), same_rules


class FromFiles:
    """The facts of an export as a pool's ledger takes them (pool_ledger.Source)."""

    def __init__(self, files: ExportFiles, of: Pool) -> None:
        pool = of.uuid.hex
        self.facts, self.pool, self.window = files.facts, pool, Window(of)
        self.recorded = {line["number"]: line["recorded"] for line in files.recordings}
        years = files.manifest.get("birth_years", {}).get("stand_in", {})
        self.stand_in: int = years.get(pool, 0)
        self.public = files.kind == PUBLIC
        self.keys = {kind: {fact.uuid: fact.key for fact in facts} for kind, facts in self.facts.items()}
        self.fed = {fact.content[1] for fact in self._of_pool("event-in-pool")}

    def _of_pool(self, kind: str) -> Iterator[ExportFact]:
        return (fact for fact in self.facts[kind] if fact.content[0] == self.pool)

    def _late(self, fact: ExportFact, day: int) -> int:
        return self.window.late(day, self.recorded[fact.recording])

    def people(self) -> Rows:
        """(key, UUID, order key)"""
        return ((fact.key, fact.uuid, fact.content[1]) for fact in self.facts["person"])

    def feeds(self) -> Rows:
        """Events that count in the pool."""
        events = {fact.uuid: fact for fact in self.facts["event"]}
        assert (Event.CONTENT, EventInPool.CONTENT) == (
            ("name", "start", "order_key"),
            ("pool", "event", "event_class", "order"),
        )
        for fact in self._of_pool("event-in-pool"):
            event = events[fact.content[1]]
            yield fact.key, event.key, *event.content, *fact.content[2:]

    def games(self) -> Rows:
        """Games of the events that are fed, as fact_rows.GAMES."""
        people, events = self.keys["person"], self.keys["event"]
        for fact in self.facts["game"]:
            content = dict(zip(Game.CONTENT, fact.content, strict=True))
            if content["event"] not in self.fed:
                continue
            two = content["player2"]
            yield (
                fact.key, fact.uuid, events[content["event"]], content["day"], content["round"],
                content["board"], content["sequence"], people[content["player1"]],
                None if two is None else people[two], content["result"], content["best_of"],
                content["stones"], content["weight"], content["size"], self._late(fact, content["day"]),
            )  # fmt: skip

    def earlier_games(self, event: int) -> Rows:
        """None: everything is taken at once."""
        return ()

    def applications(self) -> Rows:
        """(key, person, day, content)"""
        assert Application.CONTENT == ("pool", "person", "day", "content", "reason_mac")
        for fact in self._of_pool("application"):
            _, person, day, content, _ = fact.content
            text = public.with_year(content, self.stand_in) if self.public else content
            yield fact.key, self.keys["person"][person], day, text

    def corrections(self) -> Rows:
        """(key, person, day, rating)"""
        for fact in self._of_pool("correction"):
            _, person, day, rating, _ = fact.content
            yield fact.key, self.keys["person"][person], self._late(fact, day) or day, rating

    def postings(self) -> Rows:
        """(key, day, points)"""
        for fact in self._of_pool("posting"):
            _, day, points, _ = fact.content
            yield fact.key, self._late(fact, day) or day, points

    def parameters(self) -> Rows:
        """(key, day, name, value)"""
        return ((fact.key, *fact.content[1:]) for fact in self._of_pool("parameter"))

    def merges(self) -> Rows:
        """(key, kept, merged)"""
        people = self.keys["person"]
        return ((f.key, people[f.content[0]], people[f.content[1]]) for f in self.facts["merge"])

    def voids(self) -> Rows:
        """(key, target's kind, target's key)"""
        for fact in self.facts["void"]:
            kind, target = fact.content[0], fact.content[1]
            yield fact.key, kind, self.keys.get(kind, {}).get(target, 0)
