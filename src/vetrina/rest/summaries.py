"""What a route does and who may call it, in a sentence each.

The sentence of a route is its `says`, or the first one of its handler's docstring; for the plain routes of a
collection (list, create, read, update, delete) it follows from their shape. Who may call it is the docstring of its
permission. Words for arguments and members are those of their fields (rest/fields/).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from typing import Any, Final

from vetrina.rest.route import CHANGE, READ, REMOVE, WRITE, Route

_SENTENCE_END: Final = re.compile(r"(?<=[.!?])\s+(?=[A-Z`])")


def describe_route(route: Route) -> str:
    """Return what a route does; empty when neither its declaration nor its shape says it."""
    text = route.says or extract_docstring(route.handler)
    return _SENTENCE_END.split(text, maxsplit=1)[0] if text else _derive_summary(route)


def describe_permission(route: Route) -> str:
    """Return who may call a route; empty when its permission has no docstring."""
    return extract_docstring(route.allow)


def extract_docstring(function: Callable[..., Any]) -> str:
    """Return the first paragraph of a function's docstring in one line, empty for none."""
    while isinstance(function, partial):
        function = function.func
    return " ".join((function.__doc__ or "").strip().partition("\n\n")[0].split())


def _derive_summary(route: Route) -> str:
    """Return what a route of a collection, or of one item in it, does."""
    if route.schema is None:
        return ""
    parts = [part for part in route.segments() if part]
    one = bool(parts) and "(?P<" in parts[-1]
    what = _describe_path(parts[:-1] if one else parts)
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


def _describe_path(parts: list[str]) -> str:
    """Return what a path is about: its last word, and what that belongs to where a parameter stands before it."""
    words = [re.sub(r"[-_]", " ", part) for part in parts if "(?P<" not in part]
    held = len(parts) > 2 and "(?P<" in parts[-2]
    return f"{words[-1]} of one of the {words[-2]}" if held and len(words) > 1 else words[-1] if words else "site"
