"""Erasing a person: the name goes, the games stay under a pseudonym, chain and ratings are untouched.

    plan = plan_erasure(organisation, person)       what would go, and which texts a person must look at
    erase(organisation, person, also_texts=(...))   once; then the database's files are cleaned

An erasure is also written to a journal outside the database and its backups (no names: a person's UUID,
when, what), so that whoever restores an older backup erases again before anything is served:
apply_journal(). A name that was erased leaves a row with a pseudonym and no salt, which is how
verification tells it from a damaged one.
"""

from __future__ import annotations

import datetime
import json
import os
import uuid
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from django.conf import settings
from django.db import transaction
from django.db.models import Q

from arpad.domain.problems import FATAL, Problem, Refused
from arpad.store import scrubbing
from arpad.store.holding import chunks, same
from arpad.store.mentions import mentions, names_of, spellings_of
from arpad.store.models import (
    BirthDate,
    Decision,
    KeptApart,
    NameKey,
    Organisation,
    OutsideId,
    Person,
    PersonDetail,
    PersonName,
    PersonStatus,
    RawFile,
    Text,
)
from arpad.store.people import PSEUDONYM

JOURNAL = "erasures.jsonl"


class ErasurePlan(NamedTuple):
    """What erasing a person would remove."""

    people: tuple[int, ...]  # the records of that person, as merged
    names: tuple[str, ...]
    outside_ids: int
    decisions: int
    texts: tuple[uuid.UUID, ...]  # free texts that name the person in full or are about the person
    to_decide: tuple[uuid.UUID, ...]  # texts in which only a part of the name stands
    files: tuple[str, ...]  # sha256 of the raw files in which the name stands


class Erased(NamedTuple):
    """What an erasure removed. `left` says where a name can still be found, in words; empty: nowhere."""

    people: tuple[uuid.UUID, ...]
    removed: dict[str, int]
    left: tuple[str, ...]


def pseudonym(person: uuid.UUID) -> str:
    """What stands in lists instead of an erased name. It says nothing and is no counter."""
    import hashlib

    return f"{PSEUDONYM} {hashlib.sha256(person.bytes).hexdigest()[:8]}"


def plan_erasure(organisation: Organisation, person: int, using: str = "default") -> ErasurePlan:
    """What would be erased of a person and of everybody merged with that person. Nothing is written."""
    if not Person.objects.using(using).filter(pk=person, organisation=organisation).exists():
        raise Refused(Problem("person-unknown", FATAL, f"There is no person {person}."))
    people = same(organisation, using).members(person)
    names = names_of(people, using)
    found = mentions(organisation, people, spellings_of(people, using), using)
    ids = OutsideId.objects.using(using).filter(person__in=people).count()
    decisions = _decisions(organisation, people, names, using).count()
    return ErasurePlan(tuple(people), tuple(names), ids, decisions, found.texts, found.to_decide, found.files)


def erase(
    organisation: Organisation, person: int, *, also_texts: Iterable[uuid.UUID] = (),
    journal: Path | None = None, using: str = "default",
) -> Erased:  # fmt: skip
    """Erase a person for good; it cannot be undone.

    also_texts  texts of plan.to_decide that are about the person too
    journal     the journal's path; default: erasures.jsonl in the data folder

    The journal is written and on disk before the database is told: whatever stops this in the middle,
    the next apply_journal() finishes it. Raises Refused (`person-unknown`).
    """
    with transaction.atomic(using=using):
        Organisation.objects.using(using).select_for_update().get(pk=organisation.pk)
        plan = plan_erasure(organisation, person, using)
        texts = (*plan.texts, *also_texts)
        uuids = dict(Person.objects.using(using).filter(pk__in=plan.people).values_list("pk", "uuid"))
        lines = [_line(organisation, uuids[key], texts, plan.files) for key in plan.people]
        needles = scrubbing.telling_parts(organisation, plan.people, using)
        _append(journal or journal_path(), lines)
        removed = _remove(organisation, plan.people, plan.names, texts, plan.files, using)
    left = scrubbing.scrub(plan.names, needles, using)
    return Erased(tuple(uuids.values()), removed, tuple(left))


def _remove(
    organisation: Organisation, people: Iterable[int], names: Iterable[str], texts: Iterable[uuid.UUID],
    files: Iterable[str], using: str,
) -> dict[str, int]:  # fmt: skip
    """Delete the rows; how many of each kind there were."""
    people = list(people)
    removed = {
        "decisions": _decisions(organisation, people, names, using).delete()[0],
        "search keys": NameKey.objects.using(using).filter(person__in=people).delete()[0],
        "outside ids": OutsideId.objects.using(using).filter(person__in=people).delete()[0],
        "birth dates": BirthDate.objects.using(using).filter(person__in=people).delete()[0],
        "details": PersonDetail.objects.using(using).filter(person__in=people).delete()[0],
        "statuses": PersonStatus.objects.using(using).filter(person__in=people).delete()[0],
        "namesakes": KeptApart.objects.using(using)
        .filter(Q(person__in=people) | Q(other__in=people), organisation=organisation)
        .delete()[0],
        "names": PersonName.objects.using(using).filter(person__in=people).exclude(salt=b"").delete()[0],
        "texts": Text.objects.using(using)
        .filter(organisation=organisation, uuid__in=list(texts), erased=False)
        .update(body="", salt=b"", erased=True),
        "raw files": RawFile.objects.using(using)
        .filter(organisation=organisation, sha256__in=list(files))
        .delete()[0],
    }
    marked = set(
        PersonName.objects.using(using).filter(person__in=people).values_list("person_id", flat=True)
    )
    for row in Person.objects.using(using).filter(pk__in=people).exclude(pk__in=marked):
        PersonName.objects.using(using).create(
            organisation=organisation, person=row, name=pseudonym(row.uuid), shown=True, first=True, salt=b""
        )
    return removed


def _decisions(organisation: Organisation, people: Iterable[int], names: Iterable[str], using: str) -> Any:
    """Decisions for the person, and those about a spelling that is one of the names."""
    rows = Decision.objects.using(using).filter(organisation=organisation)
    return rows.filter(Q(person__in=list(people)) | Q(person__isnull=True, spelling__in=list(names)))


# --- the journal ----------------------------------------------------------------------------------


def journal_path() -> Path:
    """erasures.jsonl in the data folder: outside the database, and in no backup."""
    return Path(os.environ.get("ARPAD_DATA") or settings.DATA) / JOURNAL


def _line(
    organisation: Organisation, person: uuid.UUID, texts: Iterable[uuid.UUID], files: Iterable[str]
) -> str:
    now = datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")
    said = {
        "person": str(person), "organisation": str(organisation.uuid), "when": now,
        "what": ["names", "outside ids", "birth date", "details", "decisions", "texts", "raw files"],
        "texts": sorted(str(text) for text in texts), "files": sorted(files),
    }  # fmt: skip
    return json.dumps(said, sort_keys=True)


def _append(path: Path, lines: Iterable[str]) -> None:
    """Add lines and see them safe on disk. A line that a crash left unfinished is ended first."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    new = not path.exists()
    handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o600)
    with os.fdopen(handle, "rb+") as file:
        size = file.seek(0, os.SEEK_END)
        if size:
            file.seek(-1, os.SEEK_END)
            if file.read(1) != b"\n":
                file.write(b"\n")
        file.write("".join(f"{line}\n" for line in lines).encode())
        file.flush()
        os.fsync(file.fileno())
    if new:  # the folder's entry too
        folder = os.open(path.parent, os.O_RDONLY)
        os.fsync(folder)
        os.close(folder)


def read_journal(path: Path | None = None) -> Iterator[dict[str, Any]]:
    """The entries of the journal, oldest first. A last line that a crash cut off is left out."""
    path = path or journal_path()
    if not path.exists():
        return
    for line in path.read_text("utf-8").splitlines():
        try:
            entry = json.loads(line)
            uuid.UUID(entry["person"])
        except (ValueError, KeyError, TypeError):
            continue
        yield entry


def _undone(entries: list[dict[str, Any]], using: str) -> Iterator[dict[str, Any]]:
    """The entries of which this database still holds anything: a few look-ups, however long the journal."""
    live, texts, files = set[str](), set[str](), set[str]()
    names = PersonName.objects.using(using)
    erased = names.filter(salt=b"").values("person")
    for some in chunks([entry["person"] for entry in entries], 500):
        known = Person.objects.using(using).filter(uuid__in=some)
        live |= {str(who) for who in known.exclude(pk__in=erased).values_list("uuid", flat=True)}
        with_name = known.filter(names__in=names.exclude(salt=b""))
        live |= {str(who) for who in with_name.values_list("uuid", flat=True)}
    for some in chunks([text for entry in entries for text in entry.get("texts", [])], 500):
        rows = Text.objects.using(using).filter(uuid__in=some, erased=False)
        texts |= {str(text) for text in rows.values_list("uuid", flat=True)}
    for some in chunks([file for entry in entries for file in entry.get("files", [])], 500):
        files |= set(RawFile.objects.using(using).filter(sha256__in=some).values_list("sha256", flat=True))
    for entry in entries:
        person = str(uuid.UUID(entry["person"]))
        left = texts.intersection(entry.get("texts", [])) or files.intersection(entry.get("files", []))
        if person in live or left:
            yield entry


def apply_journal(path: Path | None = None, using: str = "default") -> int:
    """Erase again whoever the journal names and this database still knows; how many there were.

    For after a backup was restored and at every start: harmless where there is nothing to do.
    """
    done, named, needles = 0, list[str](), set[str]()
    for entry in _undone(list(read_journal(path)), using):
        person = Person.objects.using(using).filter(uuid=entry["person"]).select_related("organisation")
        for row in person:
            with transaction.atomic(using=using):
                names = names_of([row.pk], using)
                found = mentions(row.organisation, [row.pk], spellings_of([row.pk], using), using)
                texts = (*found.texts, *(uuid.UUID(text) for text in entry.get("texts", [])))
                files = (*found.files, *entry.get("files", []))
                parts = scrubbing.telling_parts(row.organisation, [row.pk], using)
                removed = _remove(row.organisation, [row.pk], names, texts, files, using)
            if any(removed.values()):
                done += 1
                named += names
                needles |= parts
    if done:
        scrubbing.scrub(named, needles, using)
    return done
