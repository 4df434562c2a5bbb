"""What a route does and who may call it, in a sentence each: said once, where the route is.

The sentence of a route is its `says`, or the first one of its handler's docstring; of the plain routes of a collection
(list, add, read, change, remove) it follows from their shape. Who may call it is the docstring of its permission.
Not here: arguments and answers, whose words are those of their fields (rest/fields.py).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from typing import Any, Final

from vetrina.rest.route import CHANGE, READ, REMOVE, WRITE, Route

__all__ = ["permission", "said", "summary"]

_END: Final = re.compile(r"(?<=[.!?])\s+(?=[A-Z`])")


def summary(route: Route) -> str:
    """Return what a route does; empty when nobody says it and its shape does not either."""
    told = route.says or said(route.handler)
    return _END.split(told, maxsplit=1)[0] if told else _by_shape(route)


def permission(route: Route) -> str:
    """Return who may call a route; empty when its permission does not say it."""
    return said(route.allow)


def said(function: Callable[..., Any]) -> str:
    """Return the first paragraph of a function's docstring in one line, empty for none."""
    while isinstance(function, partial):
        function = function.func
    return " ".join((function.__doc__ or "").strip().partition("\n\n")[0].split())


def _by_shape(route: Route) -> str:
    """Return what a route of a collection, or of one thing in it, does."""
    if route.schema is None:
        return ""
    parts = [part for part in route.segments() if part]
    one = bool(parts) and "(?P<" in parts[-1]
    what = _things(parts[:-1] if one else parts)
    if route.methods == READ:
        many = route.answers in ("many", "by name") or (not route.answers and "per_page" in route.args)
        if many:
            return f"List the {what}{', a page at a time' if 'per_page' in route.args else ''}."
        return f"Read one of the {what}." if one else f"Read the {what}."
    if route.methods == WRITE and not one:
        return f"Add to the {what}."
    if route.methods == CHANGE:
        return f"Change one of the {what}; what is not sent stays." if one else f"Change the {what}."
    if route.methods == REMOVE and one:
        return f"Remove one of the {what}."
    return ""


def _things(parts: list[str]) -> str:
    """Return what a path is about: its last word, and what that belongs to where a hole stands before it."""
    words = [re.sub(r"[-_]", " ", part) for part in parts if "(?P<" not in part]
    held = len(parts) > 2 and "(?P<" in parts[-2]
    return f"{words[-1]} of one of the {words[-2]}" if held and len(words) > 1 else words[-1] if words else "site"
