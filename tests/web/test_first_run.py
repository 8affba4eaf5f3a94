"""From an empty folder to a published list: the set-up link, members, the first list."""

from __future__ import annotations

import shutil
import time

import pytest

from tests.store import databases

ANSWERS = {
    "name": "TTC D’Hondt & Zn", "game": "us-table-tennis", "language": "nl", "minors": "initial",
    "username": "ilse", "password": "een lang wachtwoord",
}  # fmt: skip
MEMBERS = "Noor ’t Hart; 1512\nD’Hondt, Çağla\t1433\nJo Twee 1390\nRen Okabe"


@pytest.fixture
def empty(tmp_path, settings_restored, monkeypatch):
    """A site without anything: its browser, and the address of the set-up link."""
    from django.test import Client

    from arpad.web import first_run
    from arpad.web.worker import client
    from tests.web.conftest import _made

    _made()
    shutil.copy(databases._sqlite_template(), tmp_path / "arpad.sqlite3")
    databases.use(f"sqlite:///{tmp_path / 'arpad.sqlite3'}")
    monkeypatch.setattr(settings_restored, "DATA", tmp_path)
    client._inline.cache_clear()
    yield Client(), first_run.new_link()
    client._inline.cache_clear()
    databases._close()


def test_from_the_link_to_a_published_list(empty):
    from arpad.store.models import Organisation, RatingList

    browser, link = empty
    assert browser.get(link).status_code == 200
    answer = browser.post(link, ANSWERS, follow=True)
    assert answer.status_code == 200 and b"textarea" in answer.content
    where = answer.redirect_chain[-1][0]
    looked = browser.post(where, {"text": MEMBERS, "start": "1500"})
    assert looked.status_code == 200 and "D’Hondt, Çağla" in looked.content.decode()
    assert not RatingList.objects.exists() and Organisation.objects.get().chain_number == 1
    done = browser.post(where, {"text": MEMBERS, "start": "1500", "record": "1"}, follow=True)
    assert "1512" in done.content.decode() and "1500" in done.content.decode()
    publish = where.replace("/start", "/publish")
    assert browser.get(publish).status_code == 200
    shown = browser.post(publish, {"open": "1"}, follow=True)
    assert shown.status_code == 200 and "1512" in shown.content.decode()
    assert RatingList.objects.get().version == 1


def test_a_link_holds_once_and_for_an_hour(empty, monkeypatch):
    from arpad.web import first_run

    browser, link = empty
    assert browser.get("/set-up/something-else").status_code == 404
    later = time.time() + 3601
    monkeypatch.setattr(time, "time", lambda: later)
    assert browser.get(link).status_code == 404
    monkeypatch.undo()
    browser.get(link)
    assert first_run.new_link() != link


def test_after_the_first_account_there_is_no_link(empty):
    from arpad.web import first_run

    browser, link = empty
    browser.post(link, ANSWERS)
    assert first_run.new_link() == ""
    assert browser.get(link).status_code == 404


@pytest.mark.parametrize(
    ("change", "words"), [({"password": "short"}, "10"), ({"name": ""}, ""), ({"game": "bridge"}, "bridge")]
)
def test_a_wrong_answer_makes_nothing(empty, change, words):
    from arpad.store.models import Organisation

    browser, link = empty
    answer = browser.post(link, {**ANSWERS, **change})
    assert answer.status_code == 422 and "st err" in answer.content.decode()
    assert words in answer.content.decode()
    assert not Organisation.objects.exists()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("1500", "no name"),
        ("Jo; 1500\nJo; 1400", "line 1"),
        ("Jo; 3 dan", "no ranks"),
        ("", "no name yet"),
        ("<b>x</b>; 12\n; 5", ""),
    ],
)
def test_a_paste_with_an_error_is_shown_and_kept(empty, text, words):
    browser, link = empty
    where = browser.post(link, {**ANSWERS, "language": "en"}, follow=True).redirect_chain[-1][0]
    answer = browser.post(where, {"text": text, "start": "1500", "record": "1"})
    assert answer.status_code == 422 or words == ""
    assert words in answer.content.decode() and "<b>x</b>" not in answer.content.decode()


def test_who_has_not_signed_in_is_sent_to_do_so(site):
    answer = site.get("/en/go/go/publish")
    assert answer.status_code == 302 and answer.headers["Location"].startswith("/sign-in")
    assert site.get("/en/go/go/publish", role="entry").status_code == 404
    assert site.get("/en/go/go/publish", role="admin").status_code == 200
