"""Routes that are made from others: an older version, a mirror, a write that takes more, a door in front.

The permission of the route beneath holds for every call of it: it is asked again with the arguments that are handed on,
whatever the route above has made of them. Nothing else may take a route's handler or permission into its own hands
(tests/architecture/test_one_door.py).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from vetrina.rest.call import Call, Result
from vetrina.rest.route import Route
from vetrina.rest.summaries import said

__all__ = ["Run", "guarded", "made_from"]

Run = Callable[[Call], Result]  # what the route beneath does for a call


def made_from(route: Route, around: Callable[[Call, Run], Result], **changes: Any) -> Route:
    """Return a route that does something before or after what another does.

    around: (call, run) -> Result; `run` goes through the door of the route beneath, with the call that it is given.
    changes: what else differs; neither handler nor permission.
    """

    def run(call: Call) -> Result:
        return call.ask.through(route, call)

    def handler(call: Call) -> Result:
        return around(call, run)

    handler.__doc__ = said(route.handler)
    return route.but(handler=handler, **changes)


def guarded(route: Route, first: Callable[[Call], None], words: str, **changes: Any) -> Route:
    """Return a route that asks something before its own permission.

    words: what is said of `first` behind the words of that permission.
    """

    def allow(call: Call) -> None:
        first(call)
        call.ask.permit(route, call)

    allow.__doc__ = f"{said(route.allow).rstrip('.')}, {words}."
    return route.but(allow=allow, **changes)
