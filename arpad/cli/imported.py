"""What `arpad import` says: the preview, and what was recorded with what it changed for whom."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from arpad.cli.say import Format, counted, say, say_csv, say_json, say_table

if TYPE_CHECKING:
    from arpad.store.intake import Done, Preview
    from arpad.store.named_effect import NamedEffect
    from arpad.store.recorded import Stored
    from arpad.store.settle import Settler
    from arpad.store.told import News

TOP = 10  # lines of each kind that are shown
COLUMNS = (
    "what",
    "day",
    "round",
    "board",
    "player1",
    "player2",
    "result",
    "before",
    "rating_before",
    "rating",
)


def say_preview(preview: Preview, form: Format) -> None:
    """What the file would do."""
    if form is Format.JSON:
        say_json(_data(preview))
    elif form is Format.CSV:
        say_csv(COLUMNS, _rows(preview))
    elif preview.already is not None:
        say(f"already there: recording {preview.already.number}")
    elif preview.empty and not preview.blocked:
        say(f"nothing new: {counted(preview.same, 'game')} as recorded")
    else:
        _say_table(preview)


def say_outcome(done: Done, settler: Settler | None, form: Format) -> None:
    """What was recorded, and whose rating changed by it."""
    preview, recording = done.preview, done.recording
    assert recording is not None
    settled = settler.settle() if settler is not None else None
    if form is Format.JSON:
        data = _data(preview) | {"recording": recording.number, "facts": recording.facts}
        say_json(data | {"settlement": settled and settled.settlement, "digest": settled and settled.digest})
        return
    if form is Format.CSV:
        say_csv(COLUMNS, _rows(preview))
        return
    say(f"recorded as no. {recording.number}: {counted(recording.facts, 'fact')}")
    _say_table(preview)
    if settled is not None:
        say(f"settled: {counted(settled.rows_written, 'row')} written")


def _say_table(preview: Preview) -> None:
    new = preview.new_people
    say(
        f"games: {len(preview.new):,} new, {len(preview.changed):,} changed, "
        f"{len(preview.withdrawn):,} withdrawn, {preview.same:,} as before"
    )
    if new:
        say(f"new players: {_some(new)}")
    if preview.first_ratings:
        say(f"first ratings: {len(preview.first_ratings):,}")
    if preview.told:
        say(f"more of players: {len(preview.told):,} with ids, birth, title, federation or club")
    if preview.told and preview.clubs and not preview.request.clubs:
        say(f"clubs: of {counted(len(preview.clubs), 'player')}, not recorded without --clubs")
    for answer in preview.questions[:TOP]:
        near = ", ".join(
            f"{s.name} ({s.score:.2f}{', ' if s.why else ''}{s.why})" for s in answer.suggestions
        )
        say(f"  who is '{answer.spelling}'? {near or 'somebody new'}")
    _more(len(preview.questions))
    lines = list(_differences(preview))
    if lines:
        say_table(COLUMNS[:8], [row[:8] for row in lines[:TOP]], right=("round", "board"))
        _more(len(lines))
    if preview.effect is not None:
        _say_effect(preview.effect)
    say(f"as recording {preview.seen} left the ledger")


def _say_effect(effect: NamedEffect) -> None:
    known = [shown for shown in effect.changed if shown.person > 0]
    say(f"ratings: {counted(effect.newcomers, 'newcomer')}, {counted(len(known), 'other rating')} changed")
    rows = [
        (s.name, _points(s.old_now), s.old_label, _points(s.new_now), s.new_label)
        for s in sorted(known, key=lambda s: -abs((s.new_now or 0) - (s.old_now or 0)))
    ]
    if rows:
        say_table(("player", "before", "label", "after", "label"), rows[:TOP], right=("before", "after"))
        _more(len(rows))


def _points(value: float | None) -> str:
    return "" if value is None else f"{value:.2f}"


def _some(names: list[str]) -> str:
    more = f" and {len(names) - TOP:,} more" if len(names) > TOP else ""
    return f"{len(names):,}: {', '.join(names[:TOP])}{more}"


def _more(count: int) -> None:
    if count > TOP:
        say(f"... and {count - TOP:,} more")


# --- rows ---------------------------------------------------------------------------------------


def _rows(preview: Preview) -> Iterator[tuple[Any, ...]]:
    """Everything that the file does, one thing a row."""
    for name in preview.new_people:
        yield ("new player", "", None, None, name, "", "", "", "", "")
    for answer in preview.questions:
        near = answer.suggestions[0].name if answer.suggestions else ""
        yield ("to decide", "", None, None, answer.spelling, near, "", "", "", "")
    for game in preview.new:
        yield ("new", *_told(preview, game), "", "", "")
    yield from _differences(preview)
    for shown in preview.effect.changed if preview.effect else ():
        ratings = (_points(shown.old_now), _points(shown.new_now))
        yield ("rating", _day(shown.day), None, None, shown.name, "", "", "", *ratings)


def _differences(preview: Preview) -> Iterator[tuple[Any, ...]]:
    """Games that were reported otherwise before."""
    names = _names(preview)
    for stored, game in preview.changed:
        yield ("changed", *_told(preview, game), _before(preview, stored, game, names), "", "")
    for stored in preview.withdrawn:
        yield ("withdrawn", *_stored(stored, names), "", "", "")
    for conflict in preview.conflicts:
        before = _before(preview, conflict.stored, conflict.game, names)
        yield ("conflict", *_told(preview, conflict.game), before, "", "")


def _told(preview: Preview, game: int) -> tuple[Any, ...]:
    sheet = preview.request.sheet
    row = sheet.games[game]
    second = sheet.players[row.player2] if row.player2 >= 0 else ""
    result = str(sheet.results[row.result])
    return _day(row.day), row.round or None, row.board or None, sheet.players[row.player1], second, result


def _stored(stored: Stored, names: dict[int, str]) -> tuple[Any, ...]:
    game = stored.played
    second = names.get(stored.player2, "")
    first = names.get(stored.player1, "")
    return _day(game.day), game.round or None, game.board or None, first, second, game.result


def _before(preview: Preview, stored: Stored, game: int, names: dict[int, str]) -> str:
    """What differs in the earlier report, in a few words."""
    told, was = _told(preview, game), _stored(stored, names)
    words = [
        str(old) if what == "result" else f"{what} {old or 'none'}"
        for what, old, new in zip(COLUMNS[1:7], was, told, strict=True)
        if old != new
    ]
    stones = preview.request.sheet.games.stones[game]
    if stored.played.stones != stones:
        words.append(f"{stored.played.stones} stones")
    return ", ".join(words) or "another place in the order"


def _names(preview: Preview) -> dict[int, str]:
    from arpad.store.named_effect import shown_names

    told: Iterable[Stored] = [stored for stored, _ in preview.changed]
    everybody = [*told, *preview.withdrawn, *(conflict.stored for conflict in preview.conflicts)]
    return shown_names(sorted({key for s in everybody for key in (s.player1, s.player2) if key}))


def _day(day: int) -> str:
    from arpad.domain.dates import day_text

    return day_text(day)


def _data(preview: Preview) -> dict[str, Any]:
    already = preview.already
    data: dict[str, Any] = {
        "seen": preview.seen,
        "already": None if already is None else already.number,
        "same": preview.same,
        "first_ratings": len(preview.first_ratings),
        "new_players": preview.new_people,
        "people": [_news(news) for news in preview.told],
        "clubs": [list(pair) for pair in preview.clubs],
        "questions": [
            {"spelling": asked.spelling, "suggestions": [[s.name, s.score, s.why] for s in asked.suggestions]}
            for asked in preview.questions
        ],
    }
    rows = [dict(zip(COLUMNS[1:8], row[1:8], strict=True)) | {"what": row[0]} for row in _rows(preview)]
    for what in ("new", "changed", "withdrawn", "conflict"):
        data[what] = [{k: v for k, v in row.items() if k != "what"} for row in rows if row["what"] == what]
    data["effect"] = preview.effect and [
        {"player": s.name, "day": _day(s.day), "before": s.old_now, "after": s.new_now}
        for s in preview.effect.changed
    ]
    return data


def _news(news: News) -> dict[str, Any]:
    """What the file adds to what is known of a person. Of a birth only that there is one."""
    said: dict[str, Any] = {"name": news.name, "ids": dict(news.ids), **dict(news.details)}
    return said | {"birth": news.birth is not None, "club": news.club}
