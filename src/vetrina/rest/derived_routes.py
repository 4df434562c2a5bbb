"""Routes derived from others: an older version, a mirror, a write that takes more, an additional check.

The permission of the original route holds for every call: it is checked again with the arguments that are passed on.
No other code may call a route's handler or permission (tests/architecture/test_one_door.py).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from vetrina.rest.call import Call, Result
from vetrina.rest.route import Route
from vetrina.rest.summaries import extract_docstring

RunRoute = Callable[[Call[Any]], Result]  # runs the original route for a call


def derive_route(route: Route, around: Callable[[Call[Any], RunRoute], Result], **changes: Any) -> Route:
    """Return a route that does something before or after another one.

    around: (call, run) -> Result; `run` runs the original route, permission included, for the call that it is given.
    changes: what else differs; neither handler nor permission.
    """

    def run(call: Call[Any]) -> Result:
        return call.ask.run_route(route, call)

    def handler(call: Call[Any]) -> Result:
        return around(call, run)

    handler.__doc__ = extract_docstring(route.handler)
    return route.replace(handler=handler, **changes)


def guard_route(route: Route, first: Callable[[Call[Any]], None], words: str, **changes: Any) -> Route:
    """Return a route with a check before its own permission.

    words: what the check requires, added to the description of that permission.
    """

    def allow(call: Call[Any]) -> None:
        first(call)
        call.ask.check_permission(route, call)

    allow.__doc__ = f"{extract_docstring(route.allow).rstrip('.')}, {words}."
    return route.replace(allow=allow, **changes)
