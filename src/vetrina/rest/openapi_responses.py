"""What an operation answers, for the OpenAPI document: status, schema, headers, and the codes of its refusals.

Where a route does not say what it answers, its method, its arguments and its schema do. Not here: what it takes and
the document around it (rest/openapi.py), schemas in today's spelling (rest/json_schema.py).
Rules: OpenAPI 3.1; facts of the interface, "Errors" and "Global parameters and headers".
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, Protocol

from vetrina.kernel.errors import ApiError, InvalidParam, MissingParam, NoRoute, Refused
from vetrina.rest.declared_errors import raised
from vetrina.rest.fields import Field
from vetrina.rest.json_schema import modern
from vetrina.rest.response_fields import RECORD
from vetrina.rest.route import READ, REMOVE, WRITE, Route
from vetrina.rest.route_table import Place

__all__ = [
    "SHARED",
    "Errors",
    "Names",
    "codes",
    "errors_of",
    "known_errors",
    "record_of",
    "refusal_everywhere",
    "responses",
]

Errors = tuple[type[ApiError], ...]

NOTHING: Final = 204
_COMMON: Final[tuple[type[ApiError], ...]] = (MissingParam, InvalidParam, NoRoute)
_HOLES: Final = re.compile(r"\{[^{}]*\}")
_WORDS: Final = re.compile(r"\W+")
_REFUSED: Final = {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}}
_LINKS: Final = {"$ref": "#/components/schemas/Links"}
_TEXT: Final = {"type": "string"}
_REASON: Final = {
    "type": "object",
    "properties": {"code": _TEXT, "message": _TEXT, "data": {"type": ["object", "null"], "additionalProperties": True}},
}
_DATA: Final = {
    "type": ["object", "null"],
    "description": "More about it: what is wrong by parameter, and what the code's own meaning names.",
    "properties": {
        "status": {"type": "integer"},
        "params": {
            "description": "What is wrong with each parameter; the names of those that are missing.",
            "anyOf": [{"type": "object", "additionalProperties": _TEXT}, {"type": "array", "items": _TEXT}],
        },
        "details": {
            "description": "The code of each wrong parameter; an empty list where there is none.",
            "anyOf": [
                {"type": "object", "additionalProperties": {"anyOf": [_REASON, {"type": "null"}]}},
                {"type": "array", "maxItems": 0},
            ],
        },
    },
    "additionalProperties": True,
}
_LINK: Final = {
    "type": "object",
    "required": ["href"],
    "properties": {
        "href": {"type": "string"},
        "embeddable": {"type": "boolean"},
        "templated": {"type": "boolean"},
        "name": {"type": "string"},
        "type": {"type": "string"},
        "title": {"type": "string"},
        "taxonomy": {"type": "string"},
        "post_type": {"type": "string"},
        "id": {"type": "integer"},
        "count": {"type": "integer"},
        "targetHints": {
            "type": "object",
            "properties": {"allow": {"type": "array", "items": {"type": "string"}}},
        },
    },
}

# Schemas that many answers share.
SHARED: Final[dict[str, Any]] = {
    "Error": {
        "type": "object",
        "required": ["code", "message"],
        "properties": {"code": {"type": ["string", "integer"]}, "message": {"type": "string"}, "data": _DATA},
    },
    "Links": {"type": "object", "additionalProperties": {"type": "array", "items": _LINK}},
}


class Names(Protocol):
    """The names of a dialect that answers have (declare/dialects)."""

    def schema(self, schema: dict[str, Any]) -> dict[str, Any]: ...

    def word(self, name: str) -> str: ...

    def header(self, name: str) -> str: ...


def record_of(place: Place, speech: Names, records: dict[str, Any]) -> dict[str, Any] | None:
    """Return a reference to the schema of what a path shows, None where nobody says; it is put into `records`."""
    route = next((route for route in place.routes if route.schema), None)
    if route is None or route.schema is None:
        return None
    return _referred(route.schema, route.shows, speech, records, place.pattern)


def _referred(
    schema: Callable[[], dict[str, Any]], shows: Mapping[str, Field], speech: Names, records: dict[str, Any],
    untitled: str = "record",
) -> dict[str, Any]:  # fmt: skip
    """Return a reference to the schema of a record, which is put into `records`; untitled: its name without a title."""
    told = schema()
    if shows:
        told = {**told, "properties": {**told["properties"], **{name: one.schema() for name, one in shows.items()}}}
    found = _with_references(speech.schema(told), speech, records)
    plain = _WORDS.sub("-", str(found.get("title") or untitled)).strip("-")
    shown = modern({**found, "title": found.get("title", plain)}, shown=True)
    if shown.get("type") == "object":
        shown["properties"] = {**shown.get("properties", {}), "_links": _LINKS}
    name, at = plain, 1
    # Two kinds of records may have one title.
    while records.setdefault(name, shown) != shown:
        at += 1
        name = f"{plain}-{at}"
    return {"$ref": f"#/components/schemas/{name}"}


def responses(
    route: Route, method: str, record: dict[str, Any] | None, errors: Errors, speech: Names, records: dict[str, Any]
) -> dict[str, Any]:
    """Return the answers of an operation by status; records: schemas of records by name, to which it adds."""
    good: dict[str, Any] = {"description": "What was asked for."}
    content = {"application/json": {"schema": _answer(route, method, record, speech, records)}}
    others: dict[str, Any] = {kind: {} for kind in route.kinds}
    refused = {"content": {**_REFUSED, **others}}
    if route.status == NOTHING:
        good["description"] = "It is done; there is nothing to tell."
    else:
        good["content"] = {**content, **others}
    if _many(route, method) and "per_page" in route.args:
        good["headers"] = {
            speech.header("X-CMS-Total"): {"description": "Items in the collection.", "schema": {"type": "integer"}},
            speech.header("X-CMS-TotalPages"): {"description": "Pages of it.", "schema": {"type": "integer"}},
            "Link": {"description": "The pages before and after.", "schema": {"type": "string"}},
        }
    out = {str(_status(route)): good}
    for status, classes in sorted(_by_status(errors).items()):
        names = dict.fromkeys(f"`{speech.word(one.code)}`" for one in classes)
        out[str(status)] = {"description": f"Refused, as the code says: {', '.join(names)}.", **refused}
    either = {"anyOf": [content["application/json"]["schema"], _REFUSED["application/json"]["schema"]]}
    for status in route.also:
        out[str(status)] = {**good, "content": {"application/json": {"schema": either}, **others}}
    out["default"] = {"$ref": "#/components/responses/Everywhere"}
    return out


def refusal_everywhere(errors: Errors, speech: Names) -> dict[str, Any]:
    """Return the answer to requests that are refused before their route is asked."""
    names = dict.fromkeys(f"`{speech.word(one.code)}` ({one.status})" for one in errors)
    told = f": {', '.join(names)}" if names else ""
    kinds: dict[str, Any] = {"text/xml": {}} | _REFUSED
    return {"description": f"Refused before any route was asked{told}.", "content": kinds}


def _status(route: Route) -> int:
    if route.status:
        return route.status
    return 201 if route.methods == WRITE and route.schema and not route.path.endswith("}") else 200


def _many(route: Route, method: str) -> bool:
    return route.answers == "many" or (not route.answers and method in READ and "per_page" in route.args)


def _answer(
    route: Route, method: str, record: dict[str, Any] | None, speech: Names, records: dict[str, Any]
) -> dict[str, Any]:
    """Return the schema of what an operation answers."""
    if isinstance(route.answers, Field):
        told = _with_references(speech.schema(route.answers.schema()), speech, records)
        return modern(told, shown=True)
    if record is None:
        return {}
    if _many(route, method):
        return {"type": "array", "items": record}
    if route.answers == "by name":
        # Nothing at all is written as an empty list.
        named = {"type": "object", "additionalProperties": record}
        return {"anyOf": [named, {"type": "array", "maxItems": 0}]}
    if method in REMOVE:
        removed = {"deleted": {"type": "boolean"}, "previous": record}
        return {"anyOf": [{"type": "object", "properties": removed, "required": ["deleted"]}, record]}
    return record


def _with_references(schema: Any, speech: Names, records: dict[str, Any]) -> Any:
    """Return a schema whose records of other declarations are references to them."""
    if isinstance(schema, list):
        return [_with_references(one, speech, records) for one in schema]
    if not isinstance(schema, dict):
        return schema
    if RECORD in schema:
        record, shows = schema[RECORD]
        return _referred(record, shows, speech, records)
    return {name: _with_references(one, speech, records) for name, one in schema.items()}


# -- refusals


def errors_of(route: Route) -> Errors:
    """Return the errors of a route: those that it names, those that its code does, and those of its arguments."""
    found = raised(route.handler, route.allow, route.prepare)
    return tuple(one for one in dict.fromkeys((*route.errors, *found, *_COMMON)) if one is not Refused)


def codes(errors: Errors, speech: Names) -> list[dict[str, Any]]:
    """Return the codes of refusals, with their statuses."""
    return list({(one.code, one.status, issubclass(one, Refused)): _code(one, speech) for one in errors}.values())


def known_errors(speech: Names) -> list[dict[str, Any]]:
    """Return every code of the program with its meaning."""
    found: dict[tuple[str, int], type[ApiError]] = {}
    for one in _classes(ApiError):
        found.setdefault((one.code, one.status), one)
    return [{**_code(found[key], speech), "meaning": _meaning(found[key])} for key in sorted(found)]


def _classes(above: type[ApiError]) -> Iterator[type[ApiError]]:
    for one in above.__subclasses__():
        if "code" in vars(one):
            yield one
        yield from _classes(one)


def _by_status(errors: Errors) -> dict[int, list[type[ApiError]]]:
    out: dict[int, list[type[ApiError]]] = {}
    for one in errors:
        for status in _statuses(one):
            out.setdefault(status, []).append(one)
    return out


def _statuses(error: type[ApiError]) -> list[int]:
    return [401, 403] if issubclass(error, Refused) else list(error.statuses or (error.status,))


def _code(error: type[ApiError], speech: Names) -> dict[str, Any]:
    return {"code": speech.word(error.code), "status": _statuses(error)}


def _meaning(error: type[ApiError]) -> str:
    own = (vars(error).get("__doc__") or "").strip().partition("\n")[0]
    return own or _HOLES.sub("…", error.message)
