"""Derives the older versions of the shop's interface from the routes of the newest.

`shop/v2` and `shop/v1` have the same routes where only the shape differs: another path, fewer or other members. Their
own routes are in the other files of this folder.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import replace
from typing import Any, Final

from vetrina.core.call import Call
from vetrina.rest.call import Request, Result
from vetrina.rest.derived_routes import RunRoute, derive_route
from vetrina.rest.fields import Field
from vetrina.rest.response_fields import Omitted, add_response_fields
from vetrina.rest.route import CHANGE, READ, WRITE, Route

CURRENT_VERSION: Final = "shop/v3"

RecordConverter = Callable[[dict[str, Any], Call], dict[str, Any]]  # a record of v3 → the same in an older version
LinkConverter = Callable[[dict[str, Any]], dict[str, Any]]


def _keep_record(body: dict[str, Any], call: Call) -> dict[str, Any]:
    return body


def _keep_links(links: dict[str, Any]) -> dict[str, Any]:
    return links


def derive_version_routes(
    routes: Iterable[Route], version: str, convert: RecordConverter = _keep_record, *,
    removed_arguments: Collection[str] = (), removed_filters: Collection[str] = (),
    added_arguments: Mapping[str, Field] | None = None, added_filters: Mapping[str, Field] | None = None,
    translate_arguments: Callable[[Call], None] | None = None, added_fields: Mapping[str, Field] | None = None,
    omit: str | tuple[str, ...] = (), omitted_fields: Collection[str] = (), convert_links: LinkConverter = _keep_links,
) -> tuple[Route, ...]:  # fmt: skip
    """Return routes of an older version that do what those of the newest do.

    version: `shop/v2` or `shop/v1`. convert: converts a record to that version; may add members that `_fields` names.
    removed_arguments, removed_filters: arguments that its writes and its lists do not have. added_arguments,
    added_filters: additional ones, which `translate_arguments` translates into those of the newest before the handler
    is called. added_fields: additional members of its records. omit: suffixes of paths of routes that are left out.
    omitted_fields: members that its records do not have. convert_links: returns the links of a record in that version.
    """
    shown = {**dict.fromkeys(omitted_fields, Omitted()), **(added_fields or {})}
    return tuple(
        _derive_version_route(
            route, version, convert, removed_arguments, removed_filters, added_arguments or {}, added_filters or {},
            translate_arguments, shown, convert_links,
        )
        for route in routes
        if not omit or not route.path.endswith(omit)
    )  # fmt: skip


def _derive_version_route(
    route: Route, version: str, convert: RecordConverter, removed_arguments: Collection[str],
    removed_filters: Collection[str], added_arguments: Mapping[str, Field], added_filters: Mapping[str, Field],
    translate_arguments: Callable[[Call], None] | None, added_fields: Mapping[str, Field],
    convert_links: LinkConverter,
) -> Route:  # fmt: skip
    old, new = f"/{CURRENT_VERSION}/", f"/{version}/"
    if route.path.endswith("/batch"):
        # Its members are requests of this version, whose routes convert them.
        answers = (
            add_response_fields(route.answers, added_fields) if isinstance(route.answers, Field) else route.answers
        )
        return replace(
            route, path=route.path.replace(old, new), response_fields={**route.response_fields, **added_fields},
            answers=answers,
        )  # fmt: skip

    def serialize(body: Any, call: Call) -> Any:
        if isinstance(body, list):
            return [serialize(one, call) for one in body]
        if not isinstance(body, dict) or "error" in body:
            return body
        if body.keys() == {"related_ids"}:  # not a record, the same in every version
            return body
        out = convert(body, call)
        if "_links" in body:
            out["_links"] = convert_links(_rewrite_link_version(body["_links"], old, new))
        return out

    def around(call: Call, run: RunRoute) -> Result:
        inner = replace(call, request=_drop_fields_argument(call.request))
        if translate_arguments is not None:
            translate_arguments(inner)
        result = run(inner)
        result.body = serialize(result.body, call)
        if result.rels:
            result.rels = convert_links(_rewrite_link_version(result.rels, old, new))
        if "Location" in result.headers:
            result.headers["Location"] = result.headers["Location"].replace(old, new)
        return result

    own: Mapping[str, Field] = {}
    removed: Collection[str] = removed_arguments
    if route.methods in (WRITE, CHANGE):
        own = added_arguments
    elif route.methods == READ and "per_page" in route.args:
        own, removed = added_filters, removed_filters
    args: dict[str, Field] = {**{name: field for name, field in route.args.items() if name not in removed}, **own}
    return derive_route(route, around, path=route.path.replace(old, new), args=args,
                     response_fields={**route.response_fields, **added_fields})  # fmt: skip


def _drop_fields_argument(request: Request) -> Request:
    """Return a request for every member: its `_fields` uses the names of the older version."""
    if request.raw("_fields") is None:
        return request
    query, form, json = (
        {key: value for key, value in source.items() if key != "_fields"}
        for source in (request.query, request.form, request.json)
    )
    return replace(request, query=query, form=form, json=json)


def _rewrite_link_version(links: Any, old: str, new: str) -> Any:
    if isinstance(links, dict):
        return {name: _rewrite_link_version(value, old, new) for name, value in links.items()}
    if isinstance(links, list):
        return [_rewrite_link_version(one, old, new) for one in links]
    return links.replace(old, new) if isinstance(links, str) else links
