"""Verifying: is what is stored what was recorded? The first bad entry is named.

Every fact's digest is computed again from its row, every recording's digest and link from its facts.
Names and texts not erased are checked against the HMAC of their facts. It reads a snapshot.
"""

from __future__ import annotations

import hashlib
import time
import uuid
from collections import Counter
from collections.abc import Iterator
from typing import Any, NamedTuple

from arpad.domain.dates import day_text
from arpad.store import canonical, triggers
from arpad.store.chain import (
    READ_IN_ORDER,
    Dangling,
    FactReader,
    FactRow,
    Recorded,
    Tenant,
    head_of,
    link_of,
    raw,
    recordings,
    tenants,
)
from arpad.store.erasure import pseudonym
from arpad.store.models import (
    WITH_REASON,
    Fact,
    Person,
    PersonName,
    Pool,
    RatingList,
    RawFile,
    Text,
    Void,
)
from arpad.store.source import Source, column_field, snapshot

MOST = 50  # findings that are kept; the first one is what matters
MORE: dict[type[Fact], tuple[str, ...]] = {
    Person: ("name_mac",), Void: ("target_key",), **dict.fromkeys(WITH_REASON, ("reason_id", "reason_mac")),
}  # fmt: skip


class Bad(NamedTuple):
    """One thing that is not as it was recorded."""

    code: str
    organisation: str  # its slug
    recording: int  # number; 0: not known
    kind: str  # of the fact, or "recording", "organisation", "trigger", ...
    uuid: str
    message: str

    def place(self) -> str:
        """Where it is, for a person."""
        parts = [
            self.organisation,
            f"recording {self.recording}" if self.recording else "",
            self.kind,
            self.uuid,
        ]
        return ", ".join(part for part in parts if part)


class Report(NamedTuple):
    """What was looked at and what was found."""

    counts: dict[str, int]
    bad: list[Bad]  # the first MOST, in the order they should be looked at
    found: int  # how many there are
    seconds: float

    @property
    def good(self) -> bool:
        return not self.found


def verify(using: str = "default") -> Report:
    """Everything: facts and their chain, what guards them, and what readers see against a replay."""
    from arpad.store import beside

    started = time.perf_counter()
    derived_counts: dict[str, int] = {}
    derived: list[Bad] = []
    if beside.is_large(using):
        facts, derived = beside.facts_and(using, lambda: list(_derived(using, derived_counts)), derived)
    else:
        with snapshot(using) as source:
            facts = verify_facts(source)
        if facts.good:  # from damaged facts nothing can be computed
            derived = list(_derived(using, derived_counts))
    bad, counts = list(facts.bad), dict(facts.counts)
    expected, there = triggers.expected(using), triggers.names(using)
    counts["triggers"] = len(expected & there)
    for name in sorted(expected - there):
        message = "It is not there; `arpad upgrade` makes it anew."
        bad.append(Bad("trigger-missing", "", 0, "trigger", name, message))
    bad += _published(using, counts)
    bad += derived
    counts |= derived_counts if facts.good else {}
    found = facts.found + len(bad) - len(facts.bad)
    return Report(counts, bad, found, time.perf_counter() - started)


def _published(using: str, counts: dict[str, int]) -> Iterator[Bad]:
    """Published lists against their hashes."""
    from arpad.store.lists import intact

    counts["published lists"] = 0
    for found in RatingList.objects.using(using).select_related("pool", "organisation").order_by("pk"):
        counts["published lists"] += 1
        if not intact(found, using):
            message = (
                f"The list of {day_text(found.day)}, version {found.version}, is not what was published."
            )
            yield Bad("list-altered", found.organisation.slug, 0, "list", found.uuid.hex, message)


def _derived(using: str, counts: dict[str, int]) -> Iterator[Bad]:
    """What readers see of every pool that is settled."""
    from arpad.store.check import check

    counts["derived rows"] = 0
    for pool in Pool.objects.using(using).filter(current__gt=0).select_related("organisation"):
        checked = check(pool, using)
        counts["derived rows"] += checked.rows
        if checked.bad is not None:
            place = f"{pool.slug}: {checked.bad} `arpad settle --full` makes it anew."
            yield Bad("derived-differs", pool.organisation.slug, 0, "pool", pool.uuid.hex, place)


def verify_facts(source: Source) -> Report:
    """Chain, facts, references, names and texts of every organisation."""
    return _Verifier(source).run()


class _Verifier:
    def __init__(self, source: Source) -> None:
        self.source = source
        self.tenants = tenants(source)
        self.recorded, self.unsealed = recordings(source)
        self.heads = {key: head_of(recorded) for key, recorded in self.recorded.items()}
        self.by_head = {head: self.recorded[key] for key, head in self.heads.items()}
        self.digests: dict[int, list[bytes]] = {key: [] for key in self.recorded}
        self.numbers: dict[int, set[int]] = {}
        self.bad: list[Bad] = []
        self.counts: Counter[str] = Counter(organisations=len(self.tenants), recordings=len(self.recorded))
        if self.unsealed:
            self.counts["recordings not sealed"] = len(self.unsealed)
        self.targets: dict[tuple[str, str], list[tuple[int, Bad]]] = {}
        self.seen_targets: set[tuple[str, str]] = set()

    def run(self) -> Report:
        started = time.perf_counter()
        texts = _texts(self.source)
        names = _first_names(self.source)
        reader = FactReader(self.source)
        self._voids()
        for model in READ_IN_ORDER:
            self._facts(reader, model, texts, names)
        self._reasons_of_recordings(texts)
        for wanted in self.targets.values():
            for _, bad in wanted:
                self.bad.append(bad)
        self._files()
        self._chains()
        found = sorted(self.bad, key=_first)
        return Report(dict(self.counts), found[:MOST], len(found), time.perf_counter() - started)

    # --- facts ------------------------------------------------------------------------------------

    def _voids(self) -> None:
        """What voids speak of: their targets must turn up with that key."""
        columns = ("recording_id", "uuid", "target_kind", "target_uuid", "target_key")
        for recording, identity, kind, target, key in self.source.rows(Void, columns):
            if recording in self.recorded:
                message = f"It voids {kind} {target}, which is not there under the key {key}."
                bad = self._say("fact-reference", self.recorded[recording], "void", identity, message)
                self.targets.setdefault((kind, target), []).append((key, bad))

    def _facts(
        self, reader: FactReader, model: type[Fact], texts: dict[int, Any], names: dict[int, Any]
    ) -> None:
        kind, count, targets = model.KIND, 0, self.targets
        salts = {key: tenant.salt for key, tenant in self.tenants.items()}
        for row in reader.read(model, MORE.get(model, ())):
            recorded = self.recorded.get(row.recording)
            if recorded is None:
                if row.recording not in self.unsealed:
                    self._orphan(kind, row)
                continue
            count += 1
            content = canonical.content_text(row.content)
            self.digests[row.recording].append(canonical.fact_digest(kind, row.uuid, content))
            self._identity(kind, row, recorded, content, salts)
            if row.more:
                self._side(model, row, recorded, texts, names)
            if targets and (kind, row.uuid) in targets:
                wanted = targets.pop((kind, row.uuid))
                self.bad += [bad for key, bad in wanted if key != row.key]
        self.counts[kind] = count

    def _identity(
        self, kind: str, row: FactRow, recorded: Recorded, content: str, salts: dict[int, bytes]
    ) -> None:
        """A fact's UUID says of which recording it is, the how manieth, and what it should contain."""
        message = ""
        try:
            number, mark = canonical.uuid_number(row.uuid)
        except ValueError:
            number, mark, message = -1, 0, "Its UUID was changed."
        if row.uuid[:16] != self.heads[row.recording] or not 0 <= number < recorded.facts:
            message = "It does not belong to this recording: its UUID or its recording was changed."
        elif row.organisation != recorded.organisation:
            message = "It belongs to another organisation than its recording."
        elif mark and mark != canonical.mark(salts.get(row.organisation, b""), kind, content):
            message = "Its content was changed."
        if message:
            code = "fact-altered"
            dangling = [value.key for value in row.content if isinstance(value, Dangling)]
            if dangling:
                code, message = (
                    "fact-reference",
                    f"It refers to something that is not there (key {dangling[0]}).",
                )
            owner = self.by_head.get(row.uuid[:16], recorded)
            self.bad.append(self._say(code, owner, kind, row.uuid, message))

    def _orphan(self, kind: str, row: FactRow) -> None:
        message = f"Its recording (key {row.recording}) is not there."
        owner = self.by_head.get(row.uuid[:16])
        if owner is not None:
            self.bad.append(self._say("fact-altered", owner, kind, row.uuid, message))
        else:
            slug = self._slug(row.organisation)
            self.bad.append(Bad("fact-altered", slug, 0, kind, row.uuid, message))

    # --- what can be erased -------------------------------------------------------------------------

    def _side(
        self,
        model: type[Fact],
        row: FactRow,
        recorded: Recorded,
        texts: dict[int, Any],
        names: dict[int, Any],
    ) -> None:
        if model is Person:
            self._name(row, recorded, names.get(row.key))
        elif model is not Void:
            self._text(model.KIND, row.uuid, recorded, row.more[0], raw(row.more[1]), texts)

    def _name(self, row: FactRow, recorded: Recorded, name: tuple[str, bytes] | None) -> None:
        if name is not None and not name[1] and name[0] == _pseudonym(row.uuid):
            self.counts["names erased"] += 1
        elif name is None or canonical.text_mac(name[1], name[0]) != raw(row.more[0]):
            message = (
                "The name it was entered under is not the one recorded; it was not erased, it is damaged."
            )
            self.bad.append(self._say("name-damaged", recorded, "person", row.uuid, message))
        else:
            self.counts["names"] += 1

    def _text(
        self, kind: str, identity: str, recorded: Recorded, key: int | None, mac: bytes, texts: dict[int, Any]
    ) -> None:
        message = ""
        text = texts.get(key) if key is not None else None
        if key is None:
            message = "Its reason is no longer referred to." if mac else ""
        elif text is None:
            message = "Its reason is not there; an erased one leaves its place."
        elif text[2] and not text[0] and not text[1]:
            self.counts["texts erased"] += 1
        elif canonical.text_mac(text[1], text[0]) != mac:
            message = "Its reason is not the one recorded; it was not erased, it is damaged."
        else:
            self.counts["texts"] += 1
        if message:
            self.bad.append(self._say("text-damaged", recorded, kind, identity, message))

    def _reasons_of_recordings(self, texts: dict[int, Any]) -> None:
        for recorded in self.recorded.values():
            mac = recorded.reason_mac
            self._text("recording", recorded.uuid, recorded, recorded.reason, mac, texts)

    def _files(self) -> None:
        """Raw files against the sha256 that their imports keep."""
        for organisation, sha256, content in self.source.rows(
            RawFile, ("organisation_id", "sha256", "content")
        ):
            self.counts["files"] += 1
            if hashlib.sha256(raw(content)).hexdigest() != sha256:
                message = f"The file {sha256} has another content."
                self.bad.append(Bad("text-damaged", self._slug(organisation), 0, "file", sha256, message))

    # --- the chain ------------------------------------------------------------------------------------

    def _chains(self) -> None:
        chains: dict[int, list[Recorded]] = {key: [] for key in self.tenants}
        for recorded in self.recorded.values():
            if recorded.organisation in chains:
                chains[recorded.organisation].append(recorded)
            else:
                message = f"Its organisation (key {recorded.organisation}) is not there."
                self.bad.append(self._say("chain-broken", recorded, "recording", recorded.uuid, message))
        for tenant in self.tenants.values():
            self._chain(tenant, sorted(chains[tenant.key], key=lambda recorded: recorded.number))

    def _chain(self, tenant: Tenant, chain: list[Recorded]) -> None:
        previous, before = bytes(32), 0
        for recorded in chain:
            if recorded.number != before + 1:
                message = f"After recording {before} comes {recorded.number}: one is missing, or renumbered."
                self.bad.append(self._say("chain-broken", recorded, "recording", recorded.uuid, message))
            before = recorded.number
            self._recording(recorded, previous)
            previous = recorded.link
        if (before, previous) != (tenant.chain_number, tenant.chain_link):
            message = (
                f"Its chain should end at recording {tenant.chain_number}; the last one there is {before}."
            )
            if before == tenant.chain_number:
                message = "The end of its chain is not the link of its last recording."
            self.bad.append(Bad("chain-broken", tenant.slug, before, "organisation", tenant.uuid, message))

    def _recording(self, recorded: Recorded, previous: bytes) -> None:
        digests = self.digests[recorded.key]
        digest = canonical.facts_digest(digests)
        if len(digests) != recorded.facts:
            message = f"It has {len(digests)} facts of {recorded.facts}.{self._missing(recorded)}"
            self.bad.append(self._say("fact-missing", recorded, "recording", recorded.uuid, message))
        elif digest != recorded.digest:
            message = "Its facts are not those it was sealed with."
            self.bad.append(self._say("fact-altered", recorded, "recording", recorded.uuid, message))
        if link_of(previous, recorded, recorded.digest) != recorded.link:
            message = "Its link does not follow from the one before and what it says."
            self.bad.append(self._say("chain-broken", recorded, "recording", recorded.uuid, message))

    def _missing(self, recorded: Recorded) -> str:
        """The number of the first fact that is missing. Reads every UUID again, which happens once."""
        if not self.numbers:
            self.numbers = {key: set() for key in self.recorded}
            for model in READ_IN_ORDER:
                for recording, identity in self.source.rows(model, ("recording_id", "uuid")):
                    if recording in self.numbers:
                        self.numbers[recording].add(_number(identity))
        there = self.numbers[recorded.key]
        missing = next((number for number in range(recorded.facts) if number not in there), None)
        return "" if missing is None else f" The first one missing is its fact no. {missing + 1}."

    def _say(self, code: str, recorded: Recorded, kind: str, identity: str, message: str) -> Bad:
        slug = self._slug(recorded.organisation)
        return Bad(code, slug, recorded.number, kind, str(identity), message)

    def _slug(self, organisation: int) -> str:
        tenant = self.tenants.get(organisation)
        return tenant.slug if tenant else f"organisation {organisation}"


def _pseudonym(identity: str) -> str:
    try:
        return pseudonym(uuid.UUID(identity))
    except ValueError:
        return ""


def _number(identity: Any) -> int:
    try:
        return canonical.uuid_number(identity)[0]
    except ValueError:
        return -1


def _first(bad: Bad) -> tuple[Any, ...]:
    """By recording; inside one the fact before what follows from it."""
    return bad.organisation, bad.recording or 0, bad.kind in ("recording", "organisation")


def _texts(source: Source) -> dict[int, tuple[str, bytes, bool]]:
    rows = source.rows(Text, ("id", "body", "salt", "erased"))
    return {key: (str(body), raw(salt), bool(erased)) for key, body, salt, erased in rows}


def _first_names(source: Source) -> dict[int, tuple[str, bytes]]:
    """By person: the name as first reported, and its salt."""
    rows: Iterator[tuple[Any, ...]] = source.rows(PersonName, ("person_id", "name", "first", "salt"))
    return {person: (str(name), raw(salt)) for person, name, first, salt in rows if first}


assert all(column_field(model, column) for model, columns in MORE.items() for column in columns)
