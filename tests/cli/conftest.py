"""The program as a user meets it: arguments in; status, standard output and standard error out."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from arpad.cli import main

PLAYERS = """\
player,league,percentage,rating
Daniel Okonkwo,1e klasse,50,
Ilse Vermeer,2e klasse,65,
Maja Lindqvist,,,1650
Paul Moreau,2e klasse,50,
"""
GAMES = """\
date,player1,player2,result
2025-09-05,Daniel Okonkwo,Maja Lindqvist,3-2
2025-09-05,Ilse Vermeer,Paul Moreau,3-0
2025-09-12,Daniel Okonkwo,Ilse Vermeer,1-3
2025-09-12,Maja Lindqvist,Paul Moreau,+--
"""
TABLE = """\
; CL[A]
; EV[Spring Tournament]
; PC[BE,Ghent]
; DT[2025-03-01,2025-03-02]
1 Vermeer  Ilse   2d BE Gent 4 12  2+/w0  3+/b0
2 Okonkwo  Daniel 1d BE Gent 3 11  1-/b0  4+!
3 Lindqvist Maja  3k BE Leuv 2 10  4+/w0  1-/w0
4 Moreau   Paul   5k BE Leuv 1  9  3-/b0  2-!
"""


class Done(NamedTuple):
    status: int
    out: str
    err: str


Arpad = Callable[..., Done]


@pytest.fixture
def arpad(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], folder: Path) -> Arpad:
    """Run the program in `folder`. Anything but an exit is a traceback, and fails the test."""

    def run(*arguments: object) -> Done:
        capsys.readouterr()
        monkeypatch.setattr(sys, "argv", ["arpad", *map(str, arguments)])
        with pytest.raises(SystemExit) as exit_:
            main()
        out, err = capsys.readouterr()
        code = exit_.value.code
        return Done(code if isinstance(code, int) else int(code is not None), out, err)

    return run


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder with a club's two files and a go tournament, and the working folder."""
    monkeypatch.chdir(tmp_path)
    for name, text in (("games.csv", GAMES), ("players.csv", PLAYERS), ("spring.h9", TABLE)):
        (tmp_path / name).write_text(text, "utf-8")
    return tmp_path
