"""The work behind a preview of an import: who is who, which events are known, what differs."""

from __future__ import annotations

from array import array
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

from arpad.domain.dates import day_text
from arpad.domain.problems import FATAL, NOTE, WARNING, Problem, Refused
from arpad.domain.results import write_result
from arpad.store import recorded
from arpad.store.holding import same
from arpad.store.intake import Conflict, EventPlan, Preview, Request
from arpad.store.known_ids import by_numbers, told_ids
from arpad.store.matching import Answer, recognise
from arpad.store.models import Correction, Organisation, PersonName
from arpad.store.recorded import Origin, Stored
from arpad.store.told import Telling, day_of, shared_ids
from arpad.store.versions import Played, agree, match

AT_ONCE = 50_000  # recorded games that are compared at a time


class Planning:
    """Fills a Preview. Reads only."""

    def __init__(self, request: Request) -> None:
        self.request, self.sheet = request, request.sheet
        self.organisation, self.using = request.organisation, request.using
        organisations = Organisation.objects.using(self.using)
        seen = organisations.values_list("chain_number", flat=True).get(pk=self.organisation.pk)
        self.preview = Preview(request, int(seen))
        self.same = same(self.organisation, self.using)
        self._events()
        if not self._already():
            self._people()
            self._news()
            self._games()
            self._first_ratings()
            self._corrections()
            self._similar_events()

    # --- events ---------------------------------------------------------------------------------

    def _events(self) -> None:
        told = [(event.name, event.start) for event in self.sheet.events]
        found = recorded.find_events(self.organisation, told, self.using)
        self.feeds = recorded.feeds_of(self.request.pool, self.using)
        self.replaced: int | None = None
        for event, where in zip(self.sheet.events, told, strict=True):
            stored = found.get(where)
            if self.request.replaces is not None and (stored is None or stored.key != self.request.replaces):
                self.replaced = self.request.replaces
            feed = self.feeds.get(stored.key) if stored else None
            # a file without classes says nothing about them
            told_class, order = bool(event.event_class), bool(event.order)
            differs = feed is not None and (
                (told_class and feed.event_class != event.event_class)
                or (order and feed.order != event.order)
            )
            self.preview.events.append(EventPlan(stored, feed, differs))

    def _already(self) -> bool:
        """Whether every file's content was taken before, into this pool too."""
        digests = [file.digest for file in self.request.files]
        found = recorded.earlier_imports(self.organisation, digests, self.using)
        fed = all(event.feed is not None for event in self.preview.events)
        if self.request.replaces is None and fed and all(digest in found for digest in digests) and digests:
            self.preview.already = found[digests[0]]
            return True
        return False

    def _similar_events(self) -> None:
        """An event of the same name that starts at another day may be the same one."""
        told = [
            event
            for event, plan in zip(self.sheet.events, self.preview.events, strict=True)
            if event.name and plan.stored is None
        ]
        if not told or self.request.replaces is not None:
            return
        starts = recorded.starts_of(self.organisation, {event.name for event in told}, self.using)
        for event in told:
            for day in starts.get(event.name, ())[:3]:
                if not day or not event.start or abs(day - event.start) < 31:
                    message = f"There is a '{event.name}' that starts on {day_text(day) or 'no day'} already."
                    remedy = "If this is a later state of it, name it with --replaces."
                    self.add("event-similar", WARNING, message, remedy)

    # --- people ---------------------------------------------------------------------------------

    def _people(self) -> None:
        preview, sheet = self.preview, self.sheet
        listed = [fact.player for fact in sheet.first_ratings]
        listed += [fact.player for fact in sheet.corrections]
        preview.names = list(dict.fromkeys([*sheet.players, *listed]))
        unknown = [name for name in preview.names if name not in self.request.who]
        answers = self._recognised(unknown)
        for name in preview.names:
            if name in self.request.who:
                person = self.request.who[name]
                preview.people.append(-1 if person is None else self.same.root(person))
                continue
            answer = answers[name]
            if answer.how == "ask":
                preview.questions.append(answer)
            preview.people.append(-1 if answer.person is None else answer.person)
        self._refuse_self_play()

    def _recognised(self, names: list[str]) -> dict[str, Answer]:
        """Who the names are. With accept_new only namesakes of one spelling are asked for."""
        new = self.request.accept_new
        answers = recognise(self.organisation, names, suggestions=not new, using=self.using)
        if new:
            asked = [name for name, answer in answers.items() if answer.how == "ask"]
            answers |= recognise(self.organisation, asked, using=self.using)
        shared = shared_ids(self.sheet)
        ids = {
            name: [one for one in told_ids(person.ids) if one not in shared]
            for name, person in self.sheet.people.items()
            if person.ids
        }
        day = day_of(self.sheet)
        answers = by_numbers(self.organisation, answers, ids, self.same, day, self.using)
        self._one_each(answers)
        return answers

    def _one_each(self, answers: dict[str, Answer]) -> None:
        """Of spellings that are one person, only the one with the number, else the exact one, is unasked."""
        claims = Counter(answer.person for answer in answers.values() if answer.person is not None)
        twice = {person for person, count in claims.items() if count > 1}
        if not twice:
            return
        numbered = Counter(answer.person for answer in answers.values() if answer.how == "id")
        theirs = PersonName.objects.using(self.using).filter(person__in=twice)
        exact = set(theirs.values_list("name", flat=True))
        for name, answer in answers.items():
            if answer.person not in twice or answer.how not in ("known", "id"):
                continue
            by_number = numbered[answer.person]
            if (answer.how == "id" and by_number > 1) or (
                answer.how == "known" and (by_number or name not in exact)
            ):
                new = self.request.accept_new and answer.how == "known"
                answers[name] = answer._replace(how="new" if new else "ask", person=None)

    def _news(self) -> None:
        """What the file tells of people, whoever they are known to be."""
        if not self.sheet.people:
            return
        asked = {answer.spelling for answer in self.preview.questions}
        who = dict(zip(self.preview.names, self.preview.people, strict=True))
        who = {name: key for name, key in who.items() if name not in asked}
        telling = Telling(
            self.organisation, self.sheet, who, self.same, self._say_of, self.request.clubs, self.using
        )
        self.preview.told, self.preview.clubs = telling.news, telling.clubs

    def _say_of(self, code: str, severity: str, message: str, remedy: str, line: int) -> None:
        problem = Problem(code, severity, message, remedy, self.sheet.file, line, 1 if line else 0)
        self.preview.problems.append(problem)

    def _refuse_self_play(self) -> None:
        """Two spellings that were decided to be one person cannot have played each other."""
        known = [key for key in self.preview.people if key >= 0]
        if len(set(known)) == len(known):
            return
        place = {name: at for at, name in enumerate(self.preview.names)}
        people = [self.preview.people[place[name]] for name in self.sheet.players]
        for row in self.sheet.games:
            if row.player2 >= 0 and people[row.player1] == people[row.player2] >= 0:
                one, two = self.sheet.players[row.player1], self.sheet.players[row.player2]
                message = f"{one} and {two} would be one person, but played each other."
                remedy = "Decide otherwise who one of them is."
                raise Refused(Problem("game-self", FATAL, message, remedy, self.sheet.file, row.line, 1))

    # --- games ----------------------------------------------------------------------------------

    def _games(self) -> None:
        preview, sheet = self.preview, self.sheet
        known = [event.stored.key for event in preview.events if event.stored is not None]
        if self.replaced is not None:
            known.append(self.replaced)
        if not known:
            preview.new = array("i", range(len(sheet.games)))
            return
        place = {name: at for at, name in enumerate(preview.names)}
        # whoever is new is named by a number below zero
        self.persons = [
            preview.people[place[name]] if preview.people[place[name]] >= 0 else -1 - place[name]
            for name in sheet.players
        ]
        self.texts = [(write_result(result), result.best_of) for result in sheet.results]
        self.of_event: dict[int, list[int]] = defaultdict(list)
        for game, event in enumerate(sheet.games.event):
            self.of_event[event].append(game)
        self.gone: dict[str, list[Stored]] = defaultdict(list)  # by the event's name
        self.shared: set[str] = set()  # names of events of which the sheet repeats a game
        for events in self._in_pieces():
            self._compare(events)
        preview.new = array("i", sorted(preview.new))
        self._withdraw()

    def _in_pieces(self) -> Iterator[list[int]]:
        """The sheet's events, some at a time."""
        some: list[int] = []
        size = 0
        for event in range(len(self.sheet.events)):
            some.append(event)
            size += len(self.of_event[event])
            if size >= AT_ONCE or len(some) >= 500:
                yield some
                some, size = [], 0
        if some:
            yield some

    def _compare(self, events: Sequence[int]) -> None:
        keys = {self._earlier(event): event for event in events if self._earlier(event) is not None}
        by_event: dict[int, list[Stored]] = defaultdict(list)
        wanted = [key for key in keys if key is not None]
        for stored in recorded.stored_games(self.organisation, wanted, self.same, self.using):
            by_event[keys[stored.event]].append(stored)
        self.files = recorded.origins([s.recording for some in by_event.values() for s in some], self.using)
        self.by_hand = recorded.hand_voids(self.organisation, wanted, self.same, self.using)
        for event in events:
            if self._earlier(event) is None:
                self.preview.new.extend(self.of_event[event])
            else:
                self._compare_event(event, by_event[event])

    def _earlier(self, event: int) -> int | None:
        """Key of the recorded event that an event of the sheet is compared with."""
        if self.replaced is not None:
            return self.replaced
        stored = self.preview.events[event].stored
        return None if stored is None else stored.key

    def _compare_event(self, event: int, stored: list[Stored]) -> None:
        """First with what earlier states of this file reported, then the rest with other sources."""
        games, name = self.of_event[event], self.sheet.events[event].name
        told = [self._told(game) for game in games]
        moves = self.replaced is not None  # every game goes to the event with the new name or start
        own = [s for s in stored if moves or self._is_own(s)]
        whole = self.request.files[0].whole or moves
        found = match([s.played for s in own], told, whole=whole)
        changed = found.changed + (found.same if moves else [])
        self.preview.same += 0 if moves else len(found.same)
        self.preview.changed += [(own[a], games[b]) for a, b in changed]
        self.gone[name] += [own[a] for a in found.gone]
        if found.same or found.changed:
            self.shared.add(name)
        others = [] if moves else [s for s in stored if not self._is_own(s)]
        rest = [told[b] for b in found.added]
        found_there = match([s.played for s in others], rest, whole=whole, ordered=False, strict=True)
        self.preview.same += len(found_there.same)
        asks, details = self.request.conflicts != "file", 0
        for a, b in found_there.changed:
            if asks and agree(others[a].played, rest[b]):
                details += 1
            else:
                self._conflict(others[a], games[found.added[b]], rest[b])
        self._say_details(details, name)
        if not whole:
            self._warn_of_doubles([others[a].played for a in found_there.gone], found_there.added, rest, name)
        for b in found_there.added:
            if not self._stays_void(rest[b], games[found.added[b]]):
                self.preview.new.append(games[found.added[b]])

    def _say_details(self, count: int, event: str) -> None:
        """Boards, sizes and colours that only one of two sources tells are no conflict."""
        self.preview.same += count
        if count:
            games = "1 game" if count == 1 else f"{count} games"
            message = f"Of {games} of '{event or 'no event'}' another source told other colours or no board."
            self.add("intake-detail", NOTE, message, "Take --conflicts file where this file knows better.")

    def _warn_of_doubles(
        self, recorded_: Sequence[Played], added: Sequence[int], told: Sequence[Played], event: str
    ) -> None:
        """The same pair in the same round on another day may be a next evening, or the same game."""
        known = {(game.round, game.pair) for game in recorded_ if game.round}
        count = sum((told[place].round, told[place].pair) in known for place in added)
        if count:
            games = "1 game" if count == 1 else f"{count} games"
            message = f"{games} of '{event or 'no event'}' may be recorded on another day by another source."
            remedy = "Compare the days; where they are the same games, withdraw one of the two."
            self.add("intake-double", WARNING, message, remedy)

    def _told(self, game: int) -> Played:
        row = self.sheet.games[game]
        second = self.persons[row.player2] if row.player2 >= 0 else 0
        weight = None if row.weight != row.weight else row.weight
        return Played(
            row.day, row.round, row.board, row.sequence, self.persons[row.player1], second,
            *self.texts[row.result], row.stones, weight, row.size,
        )  # fmt: skip

    def _is_own(self, stored: Stored) -> bool:
        """Whether an earlier state of this very file reported the game."""
        file = self.request.files[0]
        return any(
            origin.format == file.format and (file.whole or origin == Origin(file.format, file.name))
            for origin in self.files.get(stored.recording, ())
        )

    def _conflict(self, stored: Stored, game: int, told: Played) -> None:
        """Somebody else reported the game otherwise."""
        content = told._replace(sequence=0)
        for void in self.by_hand:
            if void.replaced_by == stored.ref.uuid and void.played._replace(sequence=0) == content:
                message = f"{self._line(game)} was corrected by hand since; the correction stays."
                self.add("intake-corrected", NOTE, message, "", game)
                return
        if self.request.conflicts == "file":
            self.preview.changed.append((stored, game))
        elif self.request.conflicts == "ask":
            self.preview.conflicts.append(Conflict(game, stored, told))

    def _stays_void(self, told: Played, game: int) -> bool:
        """A game that somebody took back is not entered again by the next state of its file."""
        content = told._replace(sequence=0)
        for place, void in enumerate(self.by_hand):
            if void.played._replace(sequence=0) == content:
                del self.by_hand[place]
                message = f"{self._line(game)} was taken back by hand since; it stays so."
                self.add("intake-corrected", NOTE, message, "", game)
                return True
        return False

    def _withdraw(self) -> None:
        """Games that a later state lacks are withdrawn; another part of a season withdraws nothing."""
        for name, stored in self.gone.items():
            later_state = self.request.files[0].whole or name in self.shared or self.replaced is not None
            if stored and (self.request.keep_missing or not later_state):
                where = name or "no event"
                message = f"{len(stored)} recorded games of '{where}' are not in this file; they stay."
                self.add("intake-part", NOTE, message)
            else:
                self.preview.withdrawn += stored

    def _line(self, game: int) -> str:
        row = self.sheet.games[game]
        second = f" - {self.sheet.players[row.player2]}" if row.player2 >= 0 else ""
        return f"{self.sheet.players[row.player1]}{second}, {day_text(row.day)},"

    # --- ratings --------------------------------------------------------------------------------

    def _first_ratings(self) -> None:
        """First ratings are for persons who have none in the pool; of two, the earlier one is taken."""
        have = recorded.with_first_rating(self.request.pool, self.same, self.using)
        place = {name: at for at, name in enumerate(self.preview.names)}
        best: dict[int, int] = {}
        for at, entry in enumerate(self.sheet.first_ratings):
            who = place[entry.player]
            if self.preview.people[who] in have:
                continue
            if who not in best or entry.day < self.sheet.first_ratings[best[who]].day:
                best[who] = at
        self.preview.first_ratings = sorted(best.values())

    def _corrections(self) -> None:
        if not self.sheet.corrections:
            return
        place = {name: at for at, name in enumerate(self.preview.names)}
        rows = Correction.objects.using(self.using).filter(
            pool=self.request.pool, recording__number__isnull=False
        )
        there = {
            (self.same.root(person), day, rating)
            for person, day, rating in rows.values_list("person_id", "day", "rating")
        }
        for fact in self.sheet.corrections:
            person = self.preview.people[place[fact.player]]
            if (person, fact.day, fact.rating) not in there:
                self.preview.corrections.append(fact)

    def add(self, code: str, severity: str, message: str, remedy: str = "", game: int = -1) -> None:
        """Note a finding; `game` is the sheet's."""
        line = self.sheet.games.line[game] if game >= 0 else 0
        problem = Problem(code, severity, message, remedy, self.sheet.file, line, 1 if line else 0)
        self.preview.problems.append(problem)


__all__ = ["Answer", "Planning"]
