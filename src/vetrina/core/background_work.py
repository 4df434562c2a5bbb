"""The kinds of things that a part of a site does in the background, and how parts are put together.

Not here: what each part does (system/job_runner.py for content, multilingual/background_work.py,
shop/background_work.py).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

from vetrina.core.unit_of_work import Work

__all__ = ["Background", "Errand", "Handler", "joined", "nothing"]

Handler = Callable[[Work, Mapping[str, Any]], None]


class Errand(NamedTuple):
    """A kind of job that has to wait for something outside.

    ask: reads what it needs and returns the call that waits, None when there is nothing to do any more.
    keep: writes what the call returned.
    """

    ask: Callable[[Work, Mapping[str, Any]], Callable[[], Any] | None]
    keep: Callable[[Work, Mapping[str, Any], Any], None]


class Background(NamedTuple):
    """What a part of a site does in the background.

    handlers, errands: by kind of job. settling: called at the end of every transaction that noted something, by
    whoever opened it: what higher parts make of the notes of lower ones. sweeps: called at the start and every minute;
    they note jobs that should be there and are not, and throw out what is past its time.
    """

    handlers: Mapping[str, Handler] = {}
    errands: Mapping[str, Errand] = {}
    settling: tuple[Callable[[Work], None], ...] = ()
    sweeps: tuple[Callable[[Work], None], ...] = ()


def joined(parts: Iterable[Background]) -> Background:
    """Return what several parts do, in their order; a later one takes the place of an earlier for the same kind."""
    parts = tuple(parts)
    return Background(
        {kind: handler for part in parts for kind, handler in part.handlers.items()},
        {kind: errand for part in parts for kind, errand in part.errands.items()},
        tuple(settle for part in parts for settle in part.settling),
        tuple(sweep for part in parts for sweep in part.sweeps),
    )


def nothing(work: Work, arguments: Mapping[str, Any], found: Any) -> None:
    """What is kept of a call whose answer nobody needs."""
