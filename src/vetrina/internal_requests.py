"""Requests of the site to itself: a record as the interface shows it, inside a transaction that is open already."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final

import orjson

from vetrina import modules
from vetrina.access.users.model import User
from vetrina.core.unit_of_work import Frame, Shown, Work
from vetrina.rest.call import Request
from vetrina.rest.dialects.dialect import Dialect, compiled
from vetrina.rest.dispatcher import Dispatcher

__all__ = ["show_by_rooms", "shower"]

_SHOP: Final = "/shop/v3/orders"


def show_by_rooms(frame: Frame) -> None:
    """Let a frame without a site show records as the interface does; the rooms are joined when one is first shown."""
    found: list[Callable[[Work, str], Shown | None]] = []

    def show(work: Work, path: str) -> Shown | None:
        if not found:
            table, index = modules.joined(frame)
            dispatcher = Dispatcher(table, index, _never, lambda answer: answer(), frame.profile.limits)
            found.append(shower(dispatcher, compiled(frame.profile.dialects, index)))
        return found[0](work, path)

    frame.showing.show = show


def _never(request: Request, caller: User, read: bool) -> Any:
    raise NotImplementedError("records are shown inside a transaction that is open already")


def shower(dispatcher: Dispatcher, dialects: Iterable[Dialect | None]) -> Callable[[Work, str], Shown | None]:
    """Return what shows a record inside an open transaction, in the names that the root of the work speaks."""
    spoken = {dialect.prefix: dialect for dialect in dialects if dialect is not None}

    def show(work: Work, path: str) -> Shown | None:
        dialect = spoken.get(work.root.rpartition("/")[2])
        space = dialect.names.path(_SHOP) if dialect is not None else _SHOP
        space = space.strip("/").partition("/")[0]
        if not path:
            return Shown(b"", space)
        request = Request("GET", path, work.root, work.origin, work.language, inner=True)
        answer = dispatcher.answer_within(request, work)
        if answer.failed:
            return None
        if dialect is None:
            return Shown(orjson.dumps(answer.body), space)
        return Shown(dialect.encoded(request, dispatcher.locate(request)[2], answer.body)[0], space)

    return show
