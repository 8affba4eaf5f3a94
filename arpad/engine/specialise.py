"""Binds the loops to one ruleset: as they are (interpreted), or under numba (compiled).

The glue that reads and writes a State or Params is generated from their field names, and is the
same in both modes. Nothing here is a second formula.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Callable, Iterable
from functools import lru_cache
from pathlib import Path
from types import FunctionType
from typing import Any, NamedTuple

from arpad.domain.kernel import kernel, recorded
from arpad.engine import loops
from arpad.rulesets.catalogue import Ruleset


class Loops(NamedTuple):
    """The loops, bound to one ruleset."""

    games: Callable[..., int]
    periods: Callable[..., int]
    post: Callable[..., int]


@kernel
def _claims_nothing(p: Any, me: Any, opponent: Any) -> int:
    return 0


@kernel
def _no_newcomer(p: Any, me: Any, openings: Any, n: int, when: Any) -> Any:
    return me


def interpreted(ruleset: Ruleset, lists_are_periods: bool) -> Loops:
    """The loops as Python runs them, on flat arrays of the standard library."""
    names = dict(vars(loops)) | glue(ruleset) | _constants(ruleset, lists_are_periods)
    found = (loops.run_games, loops.run_periods, loops.run_posting)
    return Loops(*(bound(loop, names) for loop in found))


@lru_cache(maxsize=64)
def compiled(ruleset_id: str, ruleset: Ruleset, lists_are_periods: bool) -> Loops:
    """The same loops under numba."""
    plain = interpreted(ruleset, lists_are_periods)
    names: dict[str, Any] = plain.games.__globals__
    helpers = [names[name] for name in ("load", "load_as", "store", "params_at")]
    return Loops(*compile_loops(f"{ruleset_id}-{lists_are_periods:d}", ruleset, plain, helpers))


def compile_loops(
    name: str, ruleset: Ruleset, loops: Iterable[Callable[..., int]], helpers: Iterable[Callable[..., Any]]
) -> list[Callable[..., int]]:
    """Loops and what they call under numba, kept on disk as `name` where the folder can be written."""
    import numba
    from numba.extending import register_jitable

    for function in (*recorded(), *helpers):
        _register(register_jitable, function)
    folder = _cache_folder(name, ruleset)
    config: Any = numba.config
    previous = config.CACHE_DIR
    config.CACHE_DIR = folder or previous
    try:
        return [numba.njit(loop, cache=bool(folder), nogil=True) for loop in loops]
    finally:
        config.CACHE_DIR = previous


_registered: set[Any] = set()


def _register(register: Callable[[Any], Any], function: Any) -> None:
    if function not in _registered:
        _registered.add(function)
        register(function)


def _constants(ruleset: Ruleset, lists_are_periods: bool) -> dict[str, Any]:
    return {
        "step": ruleset.step,
        "settle": ruleset.settle,
        "claim": ruleset.claim or _claims_nothing,
        "newcomer": ruleset.newcomer or _no_newcomer,
        "corrected": ruleset.corrected,
        "posting": ruleset.posting,
        "HAS_CLAIM": ruleset.claim is not None,
        "HAS_NEWCOMER": ruleset.newcomer is not None,
        "STEPS_UNRATED": ruleset.steps_unrated,
        "LISTS_ARE_PERIODS": lists_are_periods,
    }


def bound(loop: Any, names: dict[str, Any]) -> Any:
    """The function with other globals: the same code, another ruleset."""
    return FunctionType(loop.__code__, names, loop.__name__)


@lru_cache(maxsize=64)
def glue(ruleset: Ruleset) -> dict[str, Any]:
    """load, load_as, store and params_at for the State and Params of a ruleset."""
    fields = ruleset.state_type._fields
    width = len(fields)
    values = [f"states[o + {i}] + 0" for i in range(width)]
    stores = "\n".join(f"    states[o + {i}] = state.{name}" for i, name in enumerate(fields))
    whole = whole_fields(ruleset)
    parameters = ruleset.params_type._fields
    params = [
        f"int(table[o + {i}])" if name in whole else f"table[o + {i}] + 0.0"
        for i, name in enumerate(parameters)
    ]
    source = (
        f"def load(states, i):\n    o = i * {width}\n    return State({', '.join(values)})\n"
        f"def load_as(states, i, rating):\n    o = i * {width}\n"
        f"    return State({', '.join(['rating', *values[1:]])})\n"
        f"def store(states, i, state):\n    o = i * {width}\n{stores}\n"
        f"def params_at(table, row):\n    o = row * {len(parameters)}\n"
        f"    return Params({', '.join(params)})\n"
    )
    names: dict[str, Any] = {"State": ruleset.state_type, "Params": ruleset.params_type}
    exec(compile(source, f"<glue of {ruleset.id}>", "exec"), names)
    return {name: names[name] for name in ("load", "load_as", "store", "params_at")}


def whole_fields(ruleset: Ruleset) -> frozenset[str]:
    """Parameters that are whole numbers: those whose published value is an int."""
    params = ruleset.editions[0][1]
    return frozenset(
        name for name, value in zip(params._fields, params, strict=True) if isinstance(value, int)
    )


def _cache_folder(name: str, ruleset: Ruleset) -> str:
    """A folder for compiled code, keyed by the sources it was made from; "" where none can be written.

    numba's own check sees the loops' file only, not the ruleset's or a helper's.
    """
    root = Path(__file__).parent.parent
    digest = hashlib.sha256()
    paths = [path for part in ("domain", "rulesets", "engine") for path in sorted((root / part).glob("*.py"))]
    if ruleset.module.__file__ and Path(ruleset.module.__file__) not in paths:
        paths.append(Path(ruleset.module.__file__))
    for path in paths:
        digest.update(path.read_bytes())
    base = os.environ.get("ARPAD_CACHE") or os.environ.get("XDG_CACHE_HOME")
    folder = Path(base or "~/.cache").expanduser() / "arpad" / digest.hexdigest()[:16] / name
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return str(folder)
    except (OSError, RuntimeError):  # read-only, full, or no home folder: compile afresh each time
        return ""
