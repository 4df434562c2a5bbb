"""What an operation returns, for the OpenAPI document: status, schema, headers, and its error codes.

Where a route does not declare what it returns, it follows from its method, arguments and schema. Parameters and the
document: rest/openapi.py; schemas: rest/json_schema.py. Rules: OpenAPI 3.1; docs/rules/errors.md, 1;
docs/rules/global_parameters.md, 7.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, Protocol

from vetrina.kernel.errors import ApiError, InvalidParam, MissingParam, NoRoute, PermissionDenied
from vetrina.rest.declared_errors import ScannedFunctions, list_declared_errors
from vetrina.rest.error_statuses import STATUSES, list_error_statuses
from vetrina.rest.fields import Field
from vetrina.rest.json_schema import modernize_schema
from vetrina.rest.response_fields import RECORD_KEYWORD
from vetrina.rest.route import READ, REMOVE, WRITE, Route
from vetrina.rest.route_table import Endpoint

ErrorTypes = tuple[type[ApiError], ...]

NO_CONTENT: Final = 204
_COMMON_ERRORS: Final[tuple[type[ApiError], ...]] = (MissingParam, InvalidParam, NoRoute)
_PLACEHOLDERS: Final = re.compile(r"\{[^{}]*\}")
_NON_WORD: Final = re.compile(r"\W+")
_ERROR_CONTENT: Final = {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}}
_LINKS_REFERENCE: Final = {"$ref": "#/components/schemas/Links"}
_TEXT_SCHEMA: Final = {"type": "string"}
_REASON_SCHEMA: Final = {
    "type": "object",
    "properties": {
        "code": _TEXT_SCHEMA,
        "message": _TEXT_SCHEMA,
        "data": {"type": ["object", "null"], "additionalProperties": True},
    },
}
_ERROR_DATA_SCHEMA: Final = {
    "type": ["object", "null"],
    "description": "More about it: what is wrong by parameter, and what the code's own meaning names.",
    "properties": {
        "status": {"type": "integer"},
        "params": {
            "description": "What is wrong with each parameter; the names of those that are missing.",
            "anyOf": [
                {"type": "object", "additionalProperties": _TEXT_SCHEMA},
                {"type": "array", "items": _TEXT_SCHEMA},
            ],
        },
        "details": {
            "description": "The code of each wrong parameter; an empty list where there is none.",
            "anyOf": [
                {"type": "object", "additionalProperties": {"anyOf": [_REASON_SCHEMA, {"type": "null"}]}},
                {"type": "array", "maxItems": 0},
            ],
        },
    },
    "additionalProperties": True,
}
_LINK_SCHEMA: Final = {
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

# Schemas that many responses share.
SHARED_SCHEMAS: Final[dict[str, Any]] = {
    "Error": {
        "type": "object",
        "required": ["code", "message"],
        "properties": {
            "code": {"type": ["string", "integer"]},
            "message": {"type": "string"},
            "data": _ERROR_DATA_SCHEMA,
        },
    },
    "Links": {"type": "object", "additionalProperties": {"type": "array", "items": _LINK_SCHEMA}},
}


class ResponseNaming(Protocol):
    """The names of a dialect that responses have (rest/dialects)."""

    def schema(self, schema: dict[str, Any]) -> dict[str, Any]: ...

    def word(self, name: str) -> str: ...

    def header(self, name: str) -> str: ...


def find_record_schema(endpoint: Endpoint, naming: ResponseNaming, records: dict[str, Any]) -> dict[str, Any] | None:
    """Return a reference to the schema of an endpoint's records, None where none is declared; adds it to `records`."""
    route = next((route for route in endpoint.routes if route.schema), None)
    if route is None or route.schema is None:
        return None
    return _build_record_reference(route.schema, route.response_fields, naming, records, endpoint.pattern)


def _build_record_reference(
    schema: Callable[[], dict[str, Any]], shows: Mapping[str, Field], naming: ResponseNaming, records: dict[str, Any],
    untitled: str = "record",
) -> dict[str, Any]:  # fmt: skip
    """Return a reference to the schema of a record, which is added to `records`; untitled: its name without a title."""
    declared = schema()
    if shows:
        declared = {
            **declared,
            "properties": {**declared["properties"], **{name: one.schema() for name, one in shows.items()}},
        }
    found = _replace_records(naming.schema(declared), naming, records)
    plain = _NON_WORD.sub("-", str(found.get("title") or untitled)).strip("-")
    published = modernize_schema({**found, "title": found.get("title", plain)}, for_response=True)
    if published.get("type") == "object":
        published["properties"] = {**published.get("properties", {}), "_links": _LINKS_REFERENCE}
    name, at = plain, 1
    # Two record types may have the same title.
    while records.setdefault(name, published) != published:
        at += 1
        name = f"{plain}-{at}"
    return {"$ref": f"#/components/schemas/{name}"}


def build_responses(
    route: Route,
    method: str,
    record: dict[str, Any] | None,
    errors: ErrorTypes,
    naming: ResponseNaming,
    records: dict[str, Any],
) -> dict[str, Any]:
    """Return the responses of an operation by status; records: schemas of records by name, to which it adds."""
    good: dict[str, Any] = {"description": "What was asked for."}
    content = {"application/json": {"schema": _build_response_schema(route, method, record, naming, records)}}
    others: dict[str, Any] = {kind: {} for kind in route.kinds}
    refused = {"content": {**_ERROR_CONTENT, **others}}
    if route.status == NO_CONTENT:
        good["description"] = "It is done; there is nothing to tell."
    else:
        good["content"] = {**content, **others}
    if _is_collection(route, method) and "per_page" in route.args:
        good["headers"] = {
            naming.header("X-CMS-Total"): {"description": "Items in the collection.", "schema": {"type": "integer"}},
            naming.header("X-CMS-TotalPages"): {"description": "Pages of it.", "schema": {"type": "integer"}},
            "Link": {"description": "The pages before and after.", "schema": {"type": "string"}},
        }
    out = {str(_get_success_status(route)): good}
    for status, classes in sorted(_group_by_status(errors).items()):
        names = dict.fromkeys(f"`{naming.word(code)}`" for one in classes for code in one.list_codes())
        out[str(status)] = {"description": f"Refused, as the code says: {', '.join(names)}.", **refused}
    either = {"anyOf": [content["application/json"]["schema"], _ERROR_CONTENT["application/json"]["schema"]]}
    for status in route.other_statuses:
        out[str(status)] = {**good, "content": {"application/json": {"schema": either}, **others}}
    out["default"] = {"$ref": "#/components/responses/Everywhere"}
    return out


def build_common_refusal(errors: ErrorTypes, naming: ResponseNaming) -> dict[str, Any]:
    """Return the response to requests that are refused before any route is matched."""
    names = dict.fromkeys(f"`{naming.word(one.code)}` ({STATUSES[one.failure]})" for one in errors)
    listed = f": {', '.join(names)}" if names else ""
    kinds: dict[str, Any] = {"text/xml": {}} | _ERROR_CONTENT
    return {"description": f"Refused before any route was asked{listed}.", "content": kinds}


def _get_success_status(route: Route) -> int:
    if route.status:
        return route.status
    return 201 if route.methods == WRITE and route.schema and not route.path.endswith("}") else 200


def _is_collection(route: Route, method: str) -> bool:
    return route.answers == "many" or (not route.answers and method in READ and "per_page" in route.args)


def _build_response_schema(
    route: Route, method: str, record: dict[str, Any] | None, naming: ResponseNaming, records: dict[str, Any]
) -> dict[str, Any]:
    """Return the schema of an operation's response."""
    if isinstance(route.answers, Field):
        schema = _replace_records(naming.schema(route.answers.schema()), naming, records)
        return modernize_schema(schema, for_response=True)
    if record is None:
        return {}
    if _is_collection(route, method):
        return {"type": "array", "items": record}
    if route.answers == "by name":
        # An empty object is written as an empty list.
        named = {"type": "object", "additionalProperties": record}
        return {"anyOf": [named, {"type": "array", "maxItems": 0}]}
    if method in REMOVE:
        removed = {"deleted": {"type": "boolean"}, "previous": record}
        return {"anyOf": [{"type": "object", "properties": removed, "required": ["deleted"]}, record]}
    return record


def _replace_records(schema: Any, naming: ResponseNaming, records: dict[str, Any]) -> Any:
    """Return a schema whose records of other declarations are references."""
    if isinstance(schema, list):
        return [_replace_records(one, naming, records) for one in schema]
    if not isinstance(schema, dict):
        return schema
    if RECORD_KEYWORD in schema:
        record, shows = schema[RECORD_KEYWORD]
        return _build_record_reference(record, shows, naming, records)
    return {name: _replace_records(one, naming, records) for name, one in schema.items()}


# -- errors


def list_route_errors(route: Route, scanned: ScannedFunctions | None = None) -> ErrorTypes:
    """Return the errors of a route: those that it declares, those in its code, and those of its arguments.

    scanned: functions of other routes that were scanned before.
    """
    found = list_declared_errors(route.handler, route.allow, route.prepare, scanned=scanned)
    return tuple(one for one in dict.fromkeys((*route.errors, *found, *_COMMON_ERRORS)) if one is not PermissionDenied)


def list_error_codes(errors: ErrorTypes, naming: ResponseNaming) -> list[dict[str, Any]]:
    """Return error codes with their statuses."""
    return list(
        {
            (code, STATUSES[one.failure], issubclass(one, PermissionDenied)): _serialize_error_code(one, code, naming)
            for one in errors
            for code in one.list_codes()
        }.values()
    )


def list_known_errors(naming: ResponseNaming) -> list[dict[str, Any]]:
    """Return every error code of the program with its meaning."""
    found: dict[tuple[str, int], type[ApiError]] = {}
    for one in _iterate_error_classes(ApiError):
        for code in one.list_codes():
            found.setdefault((code, STATUSES[one.failure]), one)
    return [
        {**_serialize_error_code(found[key], key[0], naming), "meaning": _describe_error(found[key])}
        for key in sorted(found)
    ]


def _iterate_error_classes(above: type[ApiError]) -> Iterator[type[ApiError]]:
    for one in above.__subclasses__():
        if "code" in vars(one):
            yield one
        yield from _iterate_error_classes(one)


def _group_by_status(errors: ErrorTypes) -> dict[int, list[type[ApiError]]]:
    out: dict[int, list[type[ApiError]]] = {}
    for one in errors:
        for status in list_error_statuses(one):
            out.setdefault(status, []).append(one)
    return out


def _serialize_error_code(error: type[ApiError], code: str, naming: ResponseNaming) -> dict[str, Any]:
    return {"code": naming.word(code), "status": list_error_statuses(error)}


def _describe_error(error: type[ApiError]) -> str:
    own = (vars(error).get("__doc__") or "").strip().partition("\n")[0]
    return own or _PLACEHOLDERS.sub("…", error.message)
