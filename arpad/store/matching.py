"""Whose name is this spelling? Known, decided before, to be asked, or new; nobody is joined unasked.

    found = recognise(organisation, ["Jan de Vries", "Vries, J. de"])
    found["Vries, J. de"].how             "ask"
    found["Vries, J. de"].suggestions     Suggestion(person, "Jan de Vries", 0.93), ...
    decide(organisation, "Vries, J. de", person)      asked once, remembered

A spelling is somebody known only where it equals, when folded, a name of exactly one person. Candidates
come from the index of folded name parts, so the time does not grow with the number of people but with
how many share a name.
"""

from __future__ import annotations

import datetime
import unicodedata
import uuid
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from typing import Literal, NamedTuple

from rapidfuzz.fuzz import token_sort_ratio
from rapidfuzz.process import cdist

from arpad.store.bulk import select
from arpad.store.holding import Same, chunks, marks, same
from arpad.store.likeness import likeness, parsed
from arpad.store.models import Decision, KeptApart, NameKey, Organisation, Person, PersonName
from arpad.store.names import PARTICLES, folded, name_parts, spelled_out, whole, words

LEAST = 0.65  # likeness below which nobody is suggested
LOOKED_AT = 300  # names compared with care; which, is told by a quicker measure
ENOUGH = 10  # candidates that share the most words, so that nobody who shares fewer is looked at
ROWS = 20_000  # name parts read at most: more people than that share a given name nowhere
LETTERS = "abcdefghijklmnopqrstuvwxyz"

How = Literal["decided", "known", "id", "ask", "new"]  # id: by an outside id, see known_ids


class Suggestion(NamedTuple):
    """Somebody a spelling may stand for."""

    person: int  # key of the person that is kept
    uuid: uuid.UUID
    name: str  # the name that resembles it
    score: float  # 0..1; 1: equal when folded
    why: str = ""  # in words, where it is not the name alone: whose number it is


class Answer(NamedTuple):
    """What is known of a spelling. `person` is None where it is to be asked, or is somebody new."""

    spelling: str
    how: How
    person: int | None
    suggestions: tuple[Suggestion, ...] = ()


def cleaned(spelling: str) -> str:
    """A spelling as decisions are kept: composed letters, single blanks."""
    return " ".join(unicodedata.normalize("NFC", spelling).split())[:200]


# --- decisions ------------------------------------------------------------------------------------


def decide(
    organisation: Organisation, spelling: str, person: int | None, *, by: str, using: str = "default"
) -> None:
    """Remember who a spelling is; None: somebody new each time. A later decision replaces it.

    `by` is whoever decides, an author number.
    """
    Decision.objects.using(using).update_or_create(
        organisation=organisation, spelling=cleaned(spelling),
        defaults={
            "person_id": person, "recorded": datetime.datetime.now(datetime.UTC), "recorded_by": by
        },
    )  # fmt: skip


def keep_apart(organisation: Organisation, one: int, other: int, *, by: str, using: str = "default") -> None:
    """Two persons (keys) are different: they are never suggested to be one again."""
    if one == other:
        raise ValueError("one person cannot be kept apart")
    first, second = sorted((one, other))
    KeptApart.objects.using(using).get_or_create(
        organisation=organisation, person_id=first, other_id=second, defaults={"recorded_by": by}
    )


def kept_apart(organisation: Organisation, one: Sequence[int], other: Sequence[int], using: str) -> bool:
    """Whether an officer found any of one group to be different from any of another."""
    pairs = KeptApart.objects.using(using).filter(organisation=organisation)
    return (
        pairs.filter(person__in=one, other__in=other) | pairs.filter(person__in=other, other__in=one)
    ).exists()


# --- who is it ------------------------------------------------------------------------------------


def recognise(
    organisation: Organisation, spellings: Iterable[str], *, suggestions: bool = True, using: str = "default"
) -> dict[str, Answer]:
    """An answer for each spelling. Without `suggestions` only what is certain is looked up."""
    every = list(dict.fromkeys(spellings))
    people = same(organisation, using)
    decided = _decisions(organisation, every, using)
    equal = _equal(organisation, [s for s in every if cleaned(s) not in decided], people, using)
    empty = not NameKey.objects.using(using).filter(organisation=organisation).exists()
    answers = {}
    for spelling in every:
        if cleaned(spelling) in decided:
            person = decided[cleaned(spelling)]
            root = None if person is None else people.root(person)
            answers[spelling] = Answer(spelling, "decided", root)
            continue
        who = equal.get(folded(spelling), set())
        if len(who) == 1:
            answers[spelling] = Answer(spelling, "known", next(iter(who)))
        elif who:
            answers[spelling] = Answer(spelling, "ask", None, tuple(_namesakes(who, spelling, using)))
        elif empty or not suggestions:
            answers[spelling] = Answer(spelling, "new", None)
        else:
            found = tuple(suggest(organisation, spelling, using=using, people=people))
            answers[spelling] = Answer(spelling, "ask" if found else "new", None, found)
    return answers


def _namesakes(who: Iterable[int], spelling: str, using: str) -> list[Suggestion]:
    """People who all bear a name that equals the spelling: which of them it is must be asked."""
    rows = Person.objects.using(using).filter(pk__in=list(who)).order_by("pk").values_list("pk", "uuid")
    return [Suggestion(key, of, spelling, 1.0) for key, of in rows]


def _decisions(organisation: Organisation, spellings: Sequence[str], using: str) -> dict[str, int | None]:
    decided: dict[str, int | None] = {}
    for some in chunks([cleaned(spelling) for spelling in spellings]):
        rows = Decision.objects.using(using).filter(organisation=organisation, spelling__in=some)
        decided.update(rows.values_list("spelling", "person_id"))
    return decided


def bearers(organisation: Organisation, name: str, using: str = "default") -> set[int]:
    """Keys of the persons, as entered, who bear a name that is equal when folded."""
    return _equal(organisation, [name], Same([]), using).get(folded(name), set())


def _equal(
    organisation: Organisation, spellings: Sequence[str], people: Same, using: str
) -> dict[str, set[int]]:
    """Folded name -> the persons who bear it (as merged)."""
    found: dict[str, set[int]] = defaultdict(set)
    for some in chunks(sorted({whole(spelling) for spelling in spellings} - {""})):
        query = (
            "SELECT n.name, n.person_id FROM store_namekey k "
            "JOIN store_personname n ON n.person_id = k.person_id "
            "JOIN store_person p ON p.id = k.person_id JOIN store_recording r ON r.id = p.recording_id "
            f"WHERE k.organisation_id = %s AND k.part IN ({marks(some)}) AND r.number IS NOT NULL"
        )
        for name, person in select(using, query, [organisation.pk, *some]):
            found[folded(name)].add(people.root(person))
    return found


def suggest(
    organisation: Organisation, spelling: str, *, limit: int = 3, using: str = "default",
    people: Same | None = None, without: Iterable[int] = (),
) -> list[Suggestion]:  # fmt: skip
    """The persons a spelling may stand for, the likeliest first, at least LEAST alike.

    people   who is merged with whom, where it is known already
    without  keys of persons that are not to be suggested
    """
    people = people or same(organisation, using)
    best: dict[int, tuple[float, str]] = {}
    banned = {people.root(person) for person in without}
    candidates = _candidates(organisation, spelling, using, lambda person: people.root(person) in banned)
    for person, name in _names(candidates, spelling, using):
        root = people.root(person)
        score = likeness(spelling, name)
        if score >= LEAST and score > best.get(root, (0.0, ""))[0]:
            best[root] = (score, name)
    chosen = sorted(best, key=lambda person: (-best[person][0], best[person][1], person))[:limit]
    uuids = dict(Person.objects.using(using).filter(pk__in=chosen).values_list("pk", "uuid"))
    return [Suggestion(person, uuids[person], best[person][1], best[person][0]) for person in chosen]


def likely_same(
    organisation: Organisation, person: int, *, limit: int = 3, using: str = "default"
) -> list[Suggestion]:
    """Persons who may be this one under another spelling, without those that were kept apart."""
    people = same(organisation, using)
    own = people.members(person)
    pairs = KeptApart.objects.using(using).filter(organisation=organisation)
    apart = set(pairs.filter(person__in=own).values_list("other_id", flat=True))
    apart |= set(pairs.filter(other__in=own).values_list("person_id", flat=True))
    best: dict[int, Suggestion] = {}
    for name in PersonName.objects.using(using).filter(person__in=own).values_list("name", flat=True):
        for found in suggest(
            organisation, name, limit=limit, using=using, people=people, without=[*own, *apart]
        ):
            if found.person not in best or best[found.person].score < found.score:
                best[found.person] = found
    return sorted(best.values(), key=lambda found: (-found.score, found.name))[:limit]


# --- candidates -----------------------------------------------------------------------------------


def one_edit(word: str) -> set[str]:
    """Every word one typing error away: a letter more, less, other, or two neighbours changed over."""
    letters = "".join(sorted(set(LETTERS + word) - set(" '")))
    halves = [(word[:i], word[i:]) for i in range(len(word) + 1)]
    found = {a + c + b for a, b in halves for c in letters}
    for a, b in halves[:-1]:
        found.add(a + b[1:])
        found |= {a + c + b[1:] for c in letters}
        if len(b) > 1:
            found.add(a + b[1] + b[0] + b[2:])
    return found - {word, ""}


def _candidates(
    organisation: Organisation, spelling: str, using: str, banned: Callable[[int], bool]
) -> list[int]:
    """Keys of the persons who share the most words with a spelling, typing errors allowed for."""
    told = {w for text in (spelling, spelled_out(spelling)) for w in parsed(text).words}
    told |= {word.replace("'", "") for word in words(spelling) if word not in PARTICLES}
    groups = [_spellings(word) for word in sorted(told, key=len, reverse=True)[:8] if len(word) > 1]
    # Vandenbroeck for Van den Broeck, and the whole name as one word
    groups.append({part for part in name_parts(spelling) if len(part) > 4} - told)
    hits: dict[int, int] = defaultdict(int)
    for parts in groups:
        found: set[int] = set()
        for some in chunks(sorted(parts)):
            query = (
                "SELECT person_id FROM store_namekey "
                f"WHERE organisation_id = %s AND part IN ({marks(some)}) LIMIT {ROWS}"
            )
            found.update(person for (person,) in select(using, query, [organisation.pk, *some]))
        for person in found:
            if not banned(person):
                hits[person] += 1
    chosen: list[int] = []
    for count in sorted(set(hits.values()), reverse=True):
        if len(chosen) >= ENOUGH:
            break
        chosen += sorted(person for person, shared in hits.items() if shared == count)
    return chosen[:ROWS]


def _spellings(word: str) -> set[str]:
    """A word as it may stand in the index: itself, with one typing error, Sint for St."""
    found = {word}
    if word == "st":
        found |= {"sint", "saint", "sankt"}
    if 3 <= len(word) <= 20:
        found |= one_edit(word)
    return found


def _names(candidates: Sequence[int], spelling: str, using: str) -> list[tuple[int, str]]:
    """(person, name) of the candidates worth comparing: who can bear the initials comes first."""
    names: dict[int, list[str]] = defaultdict(list)
    for some in chunks(candidates):
        query = (
            "SELECT n.person_id, n.name FROM store_personname n JOIN store_person p ON p.id = n.person_id "
            "JOIN store_recording r ON r.id = p.recording_id "
            f"WHERE n.person_id IN ({marks(some)}) AND r.number IS NOT NULL"
        )
        for person, name in select(using, query, some):
            names[person].append(name)
    rows = [(person, name) for person in candidates for name in names[person]]
    return rows if len(rows) <= LOOKED_AT else _worth_a_look(rows, spelling)


def _worth_a_look(rows: list[tuple[int, str]], spelling: str) -> list[tuple[int, str]]:
    """The rows that a quick measure finds nearest; where there are initials, who can bear them first."""
    plain = [folded(name) for _, name in rows]
    nearness = cdist([folded(spelling)], plain, scorer=token_sort_ratio)[0]
    initials = [f" {word}" for word in parsed(spelling).words if len(word) == 1]
    order = sorted(
        range(len(rows)),
        key=lambda i: (not all(initial in f" {plain[i]}" for initial in initials), -nearness[i]),
    )
    return [rows[i] for i in order[:LOOKED_AT]]
