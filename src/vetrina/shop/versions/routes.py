"""The older versions of the shop's interface, told from the routes of the newest.

`shop/v2` and `shop/v1` have the same routes where they differ in shape only: another address, fewer members, other
members. What they have of their own is written in the room of its subject. Rules: the recordings of older versions.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import replace
from typing import Any, Final

from vetrina.rest.call import Call, Request, Result
from vetrina.rest.derived_routes import Run, made_from
from vetrina.rest.fields import Field
from vetrina.rest.route import CHANGE, READ, WRITE, Route

__all__ = ["NEWEST", "Retell", "derived", "without"]

NEWEST: Final = "shop/v3"

Retell = Callable[[dict[str, Any], Call], dict[str, Any]]  # a record's members as v3 shows them → as an older version
Relink = Callable[[dict[str, Any]], dict[str, Any]]


def _same(body: dict[str, Any], call: Call) -> dict[str, Any]:
    return body


def _same_links(links: dict[str, Any]) -> dict[str, Any]:
    return links


def without(*names: str) -> Retell:
    """Return what leaves some members out."""
    gone = frozenset(names)
    return lambda body, call: {name: value for name, value in body.items() if name not in gone}


def derived(
    routes: Iterable[Route],
    version: str,
    retell: Retell = _same,
    *,
    less: Collection[str] = (),
    less_filters: Collection[str] = (),
    more: Mapping[str, Field] | None = None,
    filters: Mapping[str, Field] | None = None,
    turned: Callable[[Call], None] | None = None,
    shows: Mapping[str, Field] | None = None,
    leave: str | tuple[str, ...] = (),
    relinked: Relink = _same_links,
) -> tuple[Route, ...]:
    """Return routes of an older version that do what those of the newest do.

    version: `shop/v2` or `shop/v1`. retell: shows a record as that version does; it may add members that `_fields`
    names. less, less_filters: arguments that its writes and its lists do not have. more, filters: those that they have
    beside, which `turned` writes into those of the newest before the handler is called. shows: members that its records
    have beside. leave: routes whose path ends so are left out. relinked: returns the links of a record as that version
    has them.
    """
    return tuple(
        _derived(route, version, retell, less, less_filters, more or {}, filters or {}, turned, shows or {}, relinked)
        for route in routes
        if not leave or not route.path.endswith(leave)
    )


def _derived(
    route: Route,
    version: str,
    retell: Retell,
    less: Collection[str],
    less_filters: Collection[str],
    more: Mapping[str, Field],
    filters: Mapping[str, Field],
    turned: Callable[[Call], None] | None,
    shows: Mapping[str, Field],
    relinked: Relink,
) -> Route:
    old, new = f"/{NEWEST}/", f"/{version}/"
    if route.path.endswith("/batch"):
        # Its members are requests of this version, which says by itself how it shows them.
        return replace(route, path=route.path.replace(old, new), shows={**route.shows, **shows})

    def shown(body: Any, call: Call) -> Any:
        if isinstance(body, list):
            return [shown(one, call) for one in body]
        if not isinstance(body, dict) or "error" in body:
            return body
        if body.keys() == {"deleted", "previous"}:
            return {**body, "previous": retell(body["previous"], call)}
        if body.keys() == {"related_ids"}:  # no record, the same in every version
            return body
        out = retell(body, call)
        if "_links" in body:
            out["_links"] = relinked(_moved(body["_links"], old, new))
        return out

    def around(call: Call, run: Run) -> Result:
        inner = replace(call, request=_whole(call.request))
        if turned is not None:
            turned(inner)
        result = run(inner)
        result.body = shown(result.body, call)
        if result.rels:
            result.rels = relinked(_moved(result.rels, old, new))
        if "Location" in result.headers:
            result.headers["Location"] = result.headers["Location"].replace(old, new)
        return result

    own: Mapping[str, Field] = {}
    gone: Collection[str] = less
    if route.methods in (WRITE, CHANGE):
        own = more
    elif route.methods == READ and "per_page" in route.args:
        own, gone = filters, less_filters
    args: dict[str, Field] = {**{name: field for name, field in route.args.items() if name not in gone}, **own}
    return made_from(route, around, path=route.path.replace(old, new), args=args,
                     shows={**route.shows, **shows})  # fmt: skip


def _whole(request: Request) -> Request:
    """Return a request that asks for every member: its `_fields` names those of the older version."""
    if request.raw("_fields") is None:
        return request
    query, form, json = (
        {key: value for key, value in source.items() if key != "_fields"}
        for source in (request.query, request.form, request.json)
    )
    return replace(request, query=query, form=form, json=json)


def _moved(links: Any, old: str, new: str) -> Any:
    if isinstance(links, dict):
        return {name: _moved(value, old, new) for name, value in links.items()}
    if isinstance(links, list):
        return [_moved(one, old, new) for one in links]
    return links.replace(old, new) if isinstance(links, str) else links
