"""`arpad export`: the whole ledger of an organisation into a folder of files."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from arpad.cli.database import Data, OrganisationOption, find_organisation, with_database
from arpad.cli.say import Format, FormatOption, counted, say, say_json
from arpad.domain.problems import FATAL, Problem, Refused

if TYPE_CHECKING:
    from arpad.ledger.ledger import Ledger
    from arpad.store.export import Export
    from arpad.store.models import Organisation, Pool
    from arpad.store.pool_ledger import PoolLedger

Folder = Annotated[Path, typer.Argument(help="The folder to write; it must be new or empty.", metavar="DIR")]
Public = Annotated[
    bool, typer.Option("--public", help="Pseudonyms, no free text, birth years only where a rule needs them.")
]


def export(
    folder: Folder, public: Public = False, organisation: OrganisationOption = "", data: Data = None,
    form: FormatOption = Format.TABLE,
) -> None:  # fmt: skip
    """Write the whole ledger as JSON lines and flat files: to be verified, or imported elsewhere."""
    with_database(data)
    owner = find_organisation(organisation)
    made = write_export(owner, folder, public)
    if form is not Format.TABLE:
        say_json(
            {"folder": str(folder), "kind": made.kind, "pools": made.settled, "years": made.years.told()}
        )
        return
    say(f"wrote {folder}: {made.kind} export, {counted(len(made.recorded), 'recording')}")
    for pool in made.settled:
        say(f"{pool['slug']}: settled digest {pool['digest'] or '(no events)'}")
    if public:
        told = made.years.told()
        counts = (f"{told[what]} {what}" for what in ("left out", "told as junior", "kept"))
        say(f"birth years: {', '.join(counts)}")
        for slug in told["pools that need every year"]:
            say(f"{slug}: its ruleset gives other numbers without the years, so every one is in the export")


def write_export(owner: Organisation, folder: Path, public: bool, using: str = "default") -> Export:
    """Write an export into a new or empty folder. Raises Refused (`output-exists`, `output-unwritable`)."""
    from arpad.cli.writing import write_files, writer_of
    from arpad.store.export import COMPLETE, MANIFEST, PUBLIC, Export
    from arpad.store.source import snapshot

    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        message = f"{folder} is there and not empty."
        raise Refused(Problem("output-exists", FATAL, message, "Give a new folder; nothing was written."))
    with snapshot(using) as source:
        made = Export(source, owner, PUBLIC if public else COMPLETE, using)
        flat: dict[str, bytes] = {}
        for pool, facts in made.pools:
            flat |= {name: made.noted(name, content) for name, content in _flat(made, pool, facts).items()}
        files = {name: writer_of(content) for name, content in flat.items()} | made.files()
        files[MANIFEST] = files.pop(MANIFEST)  # last: it names the others
        write_files({folder / name: writer for name, writer in files.items()})
    return made


def _flat(made: Export, pool: Pool, facts: PoolLedger) -> dict[str, bytes]:
    """games.csv, players.csv and corrections.csv of a pool."""
    from arpad.formats.flat_write import write_corrections, write_games, write_players

    ledger = _named(made, facts)
    writers: dict[str, Callable[[Ledger], bytes]] = {
        "games.csv": write_games, "players.csv": write_players, "corrections.csv": write_corrections
    }  # fmt: skip
    return {f"pools/{pool.slug}/{name}": write(ledger) for name, write in writers.items()}


def _named(made: Export, facts: PoolLedger) -> Ledger:
    """A pool's ledger under the names that the export may tell, namesakes kept apart."""
    from arpad.store.export import COMPLETE
    from arpad.store.models import Correction
    from arpad.store.public import JUNIOR, NONE

    complete = made.kind == COMPLETE
    ledger = facts.copy().ledger
    ledger._kept, ledger._kept_at = {}, ()
    if complete:
        ledger.names = _names(made, facts)
    reasons: dict[int, str] = {}
    if complete:
        rows: Any = Correction.objects.using(made.using).exclude(reason=None)
        reasons = dict(rows.values_list("pk", "reason__body"))
    keys = facts.keys["application"]
    stand_in = made.years.stand_in.get(facts.pool.uuid.hex, 0)
    for number, fact in enumerate(ledger.first_ratings if not complete else ()):
        choice = made.years.chosen.get(keys[number], NONE)
        born = {NONE: 0, JUNIOR: stand_in}.get(choice, fact.application.born)
        application = fact.application._replace(born=born, reason="")
        ledger.first_ratings[number] = fact._replace(application=application)
    ledger.corrections = [
        fact._replace(reason=reasons.get(key, ""))
        for key, fact in zip(facts.keys["correction"], ledger.corrections, strict=True)
    ]
    _one_first_rating_each(ledger)
    return ledger


def _one_first_rating_each(ledger: Ledger) -> None:
    """Of people who were merged, the first rating that counts: a flat file knows one a player."""
    now = ledger.effective()
    first: dict[int, Any] = {}
    for fact in now.first_ratings:
        if fact.person not in first or fact.day < first[fact.person].day:
            first[fact.person] = fact
    now.first_ratings[:] = first.values()


def _names(made: Export, facts: PoolLedger) -> list[str]:
    from arpad.store.models import PersonName

    rows = PersonName.objects.using(made.using).filter(organisation=made.organisation, shown=True)
    shown = dict(rows.values_list("person_id", "name"))
    names = [shown.get(key, "") for key in facts.keys["person"]]
    merged = facts.ledger.effective().person
    kept = [person for person in range(len(names)) if merged[person] == person]
    counts = Counter(names[person] for person in kept)
    return [
        name if name and counts[name] == 1 else f"{name} {facts.person_uuids[person].hex()[16:]}".strip()
        for person, name in enumerate(names)
    ]
