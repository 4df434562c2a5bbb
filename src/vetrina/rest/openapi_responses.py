"""What an operation returns, for the OpenAPI document: status, schema, headers.

Where a route does not declare what it returns, it follows from its method, arguments and schema. Schemas of records:
rest/openapi_records.py; refusals: rest/openapi_errors.py. Rules: OpenAPI 3.1; docs/rules/global_parameters.md, 7.
"""

from __future__ import annotations

from typing import Any, Final, Protocol

from vetrina.rest.error_statuses import STATUSES
from vetrina.rest.fields import EDIT, Field, String
from vetrina.rest.openapi_errors import ERROR_CONTENT, ERROR_SCHEMAS, ErrorTypes, build_refusals
from vetrina.rest.openapi_records import SCHEMA_PATH, RecordNaming, RecordSchemas
from vetrina.rest.response_schema import SHOWN
from vetrina.rest.route import READ, REMOVE, WRITE, Route

NO_CONTENT: Final = 204
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
            "properties": {name: {"type": "array", "items": {"type": "string"}} for name in ("allow", "etag")},
        },
    },
}

# Schemas that many responses share.
SHARED_SCHEMAS: Final[dict[str, Any]] = {
    **ERROR_SCHEMAS,
    "Links": {"type": "object", "additionalProperties": {"type": "array", "items": _LINK_SCHEMA}},
    "Embedded": {
        "type": "object",
        "description": "Records that `_embed` puts in, by the relation of their link; refusals among them.",
        "additionalProperties": {
            "type": "array",
            "items": {"anyOf": [{"type": "object", "additionalProperties": True}, {"type": "array", "items": {}}]},
        },
    },
}


class ResponseNaming(RecordNaming, Protocol):
    """The names of a dialect that responses have (rest/dialects)."""

    def header(self, name: str) -> str: ...


def build_responses(
    route: Route,
    method: str,
    errors: ErrorTypes,
    everywhere: ErrorTypes,
    naming: ResponseNaming,
    records: RecordSchemas,
    declared: Route | None,
) -> dict[str, Any]:
    """Return the responses of an operation by status.

    errors: of its route. everywhere: those that a request may meet before its route. records: schemas by name, to which
    it adds. declared: the route of the same path that says what its records are.
    """
    good: dict[str, Any] = {"description": "What was asked for."}
    content = {"application/json": {"schema": _build_response_schema(route, method, records, declared)}}
    others: dict[str, Any] = {kind: {} for kind in route.kinds}
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
    for status, schema, codes in build_refusals(errors, everywhere, naming, records):
        out[str(status)] = {
            "description": f"Refused, as the code says: {codes}.",
            "content": {"application/json": {"schema": schema}, **others},
        }
    either = {"anyOf": [content["application/json"]["schema"], ERROR_CONTENT["application/json"]["schema"]]}
    for status in route.other_statuses:
        out[str(status)] = {**good, "content": {"application/json": {"schema": either}, **others}}
    out["default"] = {"$ref": f"#/components/responses/{'EverywhereOrXml' if route.kinds else 'Everywhere'}"}
    return out


def build_context_references(route: Route, records: RecordSchemas, declared: Route | None) -> dict[str, Any]:
    """Return the schema of a record by context, of a route that can be asked for several."""
    context = route.args.get("context")
    if declared is None or declared.schema is None or not isinstance(context, String) or len(context.enum) < 2:
        return {}
    names = records.name_contexts(declared.schema, declared.response_fields, declared.namespace)
    return {one: f"{SCHEMA_PATH}{names.get(one, names[SHOWN])}" for one in context.enum}


def build_common_refusals(errors: ErrorTypes, naming: ResponseNaming) -> dict[str, Any]:
    """Return the responses to requests that are refused before any route is matched, by name."""
    names = dict.fromkeys(f"`{naming.word(one.code)}` ({STATUSES[one.failure]})" for one in errors)
    listed = f": {', '.join(names)}" if names else ""
    text = f"Refused before any route was asked{listed}."
    return {
        "Everywhere": {"description": text, "content": ERROR_CONTENT},
        "EverywhereOrXml": {"description": text, "content": {**ERROR_CONTENT, "text/xml": {}}},
    }


def _get_success_status(route: Route) -> int:
    if route.status:
        return route.status
    return 201 if route.methods == WRITE and route.schema and not route.path.endswith("}") else 200


def _is_collection(route: Route, method: str) -> bool:
    return route.answers == "many" or (not route.answers and method in READ and "per_page" in route.args)


def _build_response_schema(route: Route, method: str, records: RecordSchemas, declared: Route | None) -> dict[str, Any]:
    """Return the schema of an operation's response."""
    if isinstance(route.answers, Field):
        return records.build(route.answers, route.namespace)
    if declared is None or declared.schema is None:
        return {}
    # What a write answers has the members of one context, unless the caller may choose.
    context = EDIT if route.written_context == EDIT and "context" not in route.args else SHOWN
    record = records.refer(declared.schema, declared.response_fields, declared.namespace, context)
    if _is_collection(route, method):
        return {"type": "array", "items": record}
    if route.answers == "by name":
        # An empty object is written as an empty list.
        named = {"type": "object", "additionalProperties": record}
        return {"anyOf": [named, {"type": "array", "items": {}, "maxItems": 0}]}
    if method in REMOVE:
        removed = {"deleted": {"type": "boolean"}, "previous": record}
        return {"anyOf": [{"type": "object", "properties": removed, "required": ["deleted", "previous"]}, record]}
    return record
