"""The site as an OpenAPI 3.1 document, built from the declared routes; whole, or one namespace of it.

Names are those of the requested dialect. Responses: rest/openapi_responses.py; schemas: rest/json_schema.py; where the
document is served: http/openapi_pages.py. Rules: OpenAPI 3.1; docs/rules/root_index.md, 3.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from vetrina.rest import summaries as words
from vetrina.rest.declared_errors import ScannedFunctions
from vetrina.rest.json_schema import build_object_schema, modernize_schema
from vetrina.rest.merge_operations import merge_operations
from vetrina.rest.openapi_errors import ErrorTypes, list_error_codes, list_known_errors, list_route_errors
from vetrina.rest.openapi_records import RecordSchemas, iterate_references
from vetrina.rest.openapi_responses import (
    SHARED_SCHEMAS,
    ResponseNaming,
    build_common_refusals,
    build_context_references,
    build_responses,
)
from vetrina.rest.operation_names import build_operation_name
from vetrina.rest.route import Route
from vetrina.rest.route_descriptions import RouteIndex
from vetrina.rest.route_table import Endpoint

_BODY_METHODS = frozenset({"POST", "PUT", "PATCH"})
_SECURITY_SCHEMES: Mapping[str, dict[str, str]] = {
    "application-password": {
        "type": "http",
        "scheme": "basic",
        "description": "A login with one of its application passwords.",
    },
    "access-token": {
        "type": "http",
        "scheme": "bearer",
        "bearerFormat": "JWT",
        "description": "An access token, as `POST /access/v1/tokens` gives it; good for minutes, within its scopes.",
    },
    "session": {
        "type": "apiKey",
        "in": "header",
        "name": "X-CMS-Nonce",
        "description": "The word that `GET /admin/nonce` gives, beside the cookie of who signed in.",
    },
}
_SHOP_KEY: Mapping[str, dict[str, str]] = {
    "consumer-key": {
        "type": "http",
        "scheme": "basic",
        "description": "A consumer key of the shop with its secret; it opens the routes of the shop alone.",
    },
}
_GROUP_START = re.compile(r"\(\?P<(\w+)>")
_DIGIT_PATTERNS = (r"[\d]+", r"\d+")
_PATH_PARAMETERS = re.compile(r"\{[^{}]*\}")


class Naming(ResponseNaming, Protocol):
    """The names of a dialect (rest/dialects)."""

    def pattern(self, pattern: str) -> str: ...

    def arguments(self, arguments: dict[str, Any]) -> dict[str, Any]: ...


class _NeutralNaming:
    def pattern(self, pattern: str) -> str:
        return pattern

    def arguments(self, arguments: dict[str, Any]) -> dict[str, Any]:
        return arguments

    def schema(self, schema: dict[str, Any]) -> dict[str, Any]:
        return schema

    def word(self, name: str) -> str:
        return name

    header = word


NEUTRAL_NAMING: Naming = _NeutralNaming()


@dataclass(frozen=True)
class SiteDescription:
    """What describes a site besides its routes.

    roots: paths of its API roots, with a description of each. everywhere: errors that a request may meet before its
    route.
    """

    title: str
    version: str
    roots: Mapping[str, str]
    everywhere: ErrorTypes = ()


def build_openapi_document(
    index: RouteIndex, site_description: SiteDescription, naming: Naming = NEUTRAL_NAMING, namespace: str | None = None
) -> dict[str, Any]:
    """Return the OpenAPI document of a site; namespace: a neutral name, None for all of them."""
    records = RecordSchemas(naming, SHARED_SCHEMAS)
    names: set[str] = set()
    scanned = ScannedFunctions()
    endpoints = index.table.endpoints.values()
    numbered = _find_numeric_parameters(endpoints)
    # Every route is described for a part of them too: the names of schemas and operations follow from all.
    described = [
        (
            alike[0].namespace,
            _build_path_item(index, alike, site_description.everywhere, naming, records, names, numbered, scanned),
        )
        for alike in _group_equivalent_endpoints(endpoints)
    ]
    paths = dict(item for space, item in described if namespace in (None, space))
    schemas = records.schemas if namespace is None else _select_schemas(paths, records.schemas)
    security = {
        name: {**scheme, **({"name": naming.header(scheme["name"])} if "name" in scheme else {})}
        for name, scheme in {**_SECURITY_SCHEMES, **(_SHOP_KEY if "shop/v3" in index.namespaces else {})}.items()
    }
    spaces = [space for space in ("", *index.namespaces) if namespace in (None, space)]
    return {
        "openapi": "3.1.0",
        "info": {"title": site_description.title, "version": site_description.version, "description": _INTRODUCTION},
        "servers": [{"url": url, "description": what} for url, what in site_description.roots.items()],
        "security": [{}, *({name: []} for name in security)],
        "tags": [{"name": _format_tag(naming.word(space) if space else "")} for space in spaces],
        "paths": paths,
        "components": {
            "schemas": {name: schemas[name] for name in sorted(schemas)},
            "parameters": _build_shared_parameters(),
            "responses": build_common_refusals(site_description.everywhere, naming),
            "securitySchemes": security,
        },
        "x-codes-everywhere": list_error_codes(site_description.everywhere, naming),
        "x-error-codes": list_known_errors(naming),
    }


_INTRODUCTION = (
    "Every answer is JSON. A refusal has a stable `code` beside its sentence; which codes a route may answer stands "
    "under its `x-codes`, what each means under `x-error-codes`. What one may do depends on who asks: send a login and "
    "one of its application passwords."
)


# -- routes


def _group_equivalent_endpoints(endpoints: Iterable[Endpoint]) -> Iterable[list[Endpoint]]:
    """Return endpoints grouped by paths that differ only in the names and patterns of their parameters.

    OpenAPI knows one path for each group. The endpoint that is matched first stands first.
    """
    found: dict[str, list[Endpoint]] = {}
    for endpoint in endpoints:
        found.setdefault(_strip_parameter_names(endpoint), []).append(endpoint)
    return found.values()


def _strip_parameter_names(endpoint: Endpoint) -> str:
    """Return the path of an endpoint without the names of its parameters."""
    return _PATH_PARAMETERS.sub("{}", split_pattern(endpoint.pattern)[0])


def _build_path_item(
    index: RouteIndex,
    endpoints: list[Endpoint],
    everywhere: ErrorTypes,
    naming: Naming,
    records: RecordSchemas,
    names: set[str],
    numbered: frozenset[tuple[str, int]],
    scanned: ScannedFunctions,
) -> tuple[str, dict[str, Any]]:
    """Return a path and its operations, each merged from all its endpoints."""
    path, called = split_pattern(naming.pattern(endpoints[0].pattern))
    operations: dict[str, list[dict[str, Any]]] = {}
    for endpoint in endpoints:
        path_parameters = split_pattern(naming.pattern(endpoint.pattern))[1]
        declared = next((route for route in endpoint.routes if route.schema), None)
        neutral_path = split_pattern(endpoint.pattern)[0]
        for route, operation_entry in zip(
            endpoint.routes, index.describe_endpoint(endpoint, "")["endpoints"], strict=True
        ):
            unlisted = {name: arg.argument() for name, arg in route.args.items() if arg.written and not arg.in_index}
            arguments = naming.arguments({**operation_entry["args"], **unlisted})
            inside = [
                _build_path_parameter(
                    called[at][0], pattern, arguments.get(name), (_strip_parameter_names(endpoint), at) in numbered
                )
                for at, (name, pattern) in enumerate(path_parameters)
            ]
            given = {name: one for name, one in arguments.items() if name not in dict(path_parameters)}
            errors = list_route_errors(route, scanned)
            for method in route.methods:
                operation = {
                    "operationId": build_operation_name(route, method, neutral_path, endpoint.namespace),
                    "summary": words.describe_route(route).rstrip(".") or f"{method} {path}",
                    "description": words.describe_permission(route) and f"Who may: {words.describe_permission(route)}",
                    "tags": [_format_tag(naming.word(endpoint.namespace) if endpoint.namespace else "")],
                    **_build_operation_inputs(method, route, inside, given),
                    "responses": build_responses(route, method, errors, everywhere, naming, records, declared),
                    "x-codes": list_error_codes(errors, naming),
                    **({"x-batch": True} if route.batch else {}),
                }
                if method == "GET" and (contexts := build_context_references(route, records, declared)):
                    operation["x-contexts"] = contexts
                operations.setdefault(method.lower(), []).append(operation)
    item = {method: functools.reduce(merge_operations, found) for method, found in operations.items()}
    for operation in item.values():
        while operation["operationId"] in names:
            operation["operationId"] += "_"
        names.add(operation["operationId"])
    return path, item


def split_pattern(pattern: str) -> tuple[str, list[tuple[str, str]]]:
    """Return a route's path with `{parameters}`, and the name and pattern of each."""
    out, path_parameters, at = "", [], 0
    while opening := _GROUP_START.search(pattern, at):
        end = _find_group_end(pattern, opening.end())
        out += f"{pattern[at : opening.start()]}{{{opening[1]}}}"
        path_parameters.append((opening[1], pattern[opening.end() : end]))
        at = end + 1
    return out + pattern[at:], path_parameters


def _find_group_end(pattern: str, at: int) -> int:
    """Return where the group that is open at a position ends."""
    depth, listed = 1, False
    while True:
        character = pattern[at]
        if character == "\\":
            at += 1
        elif listed:
            listed = character != "]"
        elif character == "[":
            listed = True
        else:
            depth += {"(": 1, ")": -1}.get(character, 0)
        if not depth:
            return at
        at += 1


def _find_numeric_parameters(endpoints: Iterable[Endpoint]) -> frozenset[tuple[str, int]]:
    """Return the paths, without parameter names, with the positions of parameters that accept numbers."""
    return frozenset(
        (_strip_parameter_names(endpoint), at)
        for endpoint in endpoints
        for at, (_, pattern) in enumerate(split_pattern(endpoint.pattern)[1])
        if pattern in _DIGIT_PATTERNS
    )


def _build_path_parameter(
    name: str, pattern: str, argument: Mapping[str, Any] | None, numbered: bool
) -> dict[str, Any]:
    """Return the schema of a path parameter; numbered: whether another route takes numbers there."""
    words = rf"^(?!\d+$)(?:{pattern})$" if numbered else f"^(?:{pattern})$"
    schema: dict[str, Any] = (
        {"type": "integer", "minimum": 0} if pattern in _DIGIT_PATTERNS else {"type": "string", "pattern": words}
    )
    out = {"name": name, "in": "path", "required": True, "schema": schema}
    if argument and argument.get("description"):
        out["description"] = argument["description"]
    return out


def _build_operation_inputs(
    method: str, route: Route, inside: list[dict[str, Any]], given: dict[str, Any]
) -> dict[str, Any]:
    """Return the parameters and the body of an operation."""
    if method in _BODY_METHODS:
        body = build_object_schema(given)
        content = {"application/json": {"schema": body}}
        if route.files:
            content["multipart/form-data"] = {"schema": {**body, "additionalProperties": {"format": "binary"}}}
            content["application/octet-stream"] = {"schema": {}}
        return {"parameters": inside, **({"requestBody": {"content": content}} if given or route.files else {})}
    parameters = inside + [_build_query_parameter(name, one) for name, one in given.items()]
    if method == "GET":
        parameters += [{"$ref": "#/components/parameters/fields"}, {"$ref": "#/components/parameters/embed"}]
    return {"parameters": parameters}


def _build_query_parameter(name: str, argument: Mapping[str, Any]) -> dict[str, Any]:
    schema = modernize_schema(argument)
    out: dict[str, Any] = {"name": name, "in": "query", "schema": schema}
    if description := schema.pop("description", ""):
        out["description"] = description
    if argument.get("required"):
        out["required"] = True
    if schema.get("type") == "array":
        out |= {"style": "form", "explode": False}
    elif schema.get("type") == "object":
        out |= {"style": "deepObject", "explode": True}
    return out


def _format_tag(space: str) -> str:
    return space or "site"


def _select_schemas(paths: Mapping[str, Any], schemas: Mapping[str, Any]) -> dict[str, Any]:
    """Return the schemas that paths refer to, and those of every document."""
    found = {name: schemas[name] for name in SHARED_SCHEMAS}
    waiting = [*iterate_references(list(paths.values()))]
    while waiting:
        name = waiting.pop()
        if name not in found:
            found[name] = schemas[name]
            waiting += iterate_references(schemas[name])
    return found


# -- shared by all routes


def _build_shared_parameters() -> dict[str, Any]:
    texts = {"type": "array", "items": {"type": "string"}}
    shared = {"in": "query", "schema": texts, "style": "form", "explode": False}
    return {
        "fields": {"name": "_fields", "description": "Members that the answer is to have; dots lead inside.", **shared},
        "embed": {"name": "_embed", "description": "Relations whose records are to be put into the answer.", **shared},
    }
