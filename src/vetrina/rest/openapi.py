"""The site as an OpenAPI 3.1 document, from the same declared routes that answer; whole, or one namespace of it.

Names are those of the dialect that is asked for. Not here: what an operation answers (rest/openapi_responses.py),
schemas in today's spelling (rest/json_schema.py), where the document is served (http/openapi_pages.py). Rules: OpenAPI
3.1; interface.md for what every route takes and answers.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from vetrina.rest import summaries as words
from vetrina.rest.index import Index
from vetrina.rest.json_schema import modern, object_of
from vetrina.rest.merge_operations import joined
from vetrina.rest.openapi_responses import (
    SHARED,
    Errors,
    Names,
    codes,
    errors_of,
    known_errors,
    record_of,
    refusal_everywhere,
    responses,
)
from vetrina.rest.route import Route
from vetrina.rest.route_table import Place

__all__ = ["NEUTRAL", "Described", "Speech", "document", "split"]

_WRITES = frozenset({"POST", "PUT", "PATCH"})
_SECURITY: tuple[dict[str, list[str]], ...] = ({}, {"application-password": []})
_OPENING = re.compile(r"\(\?P<(\w+)>")
_WORDS = re.compile(r"\W+")
_DIGITS = (r"[\d]+", r"\d+")
_HOLES = re.compile(r"\{[^{}]*\}")


class Speech(Names, Protocol):
    """The names of a dialect (declare/dialects)."""

    def pattern(self, pattern: str) -> str: ...

    def arguments(self, arguments: dict[str, Any]) -> dict[str, Any]: ...


class _Neutral:
    def pattern(self, pattern: str) -> str:
        return pattern

    def arguments(self, arguments: dict[str, Any]) -> dict[str, Any]:
        return arguments

    def schema(self, schema: dict[str, Any]) -> dict[str, Any]:
        return schema

    def word(self, name: str) -> str:
        return name

    header = word


NEUTRAL: Speech = _Neutral()


@dataclass(frozen=True)
class Described:
    """What is said of a site besides its routes.

    roots: paths of its API roots, with what each is. everywhere: the errors that a request may meet before its route.
    """

    title: str
    version: str
    roots: Mapping[str, str]
    everywhere: Errors = ()


def document(index: Index, said: Described, speech: Speech = NEUTRAL, namespace: str | None = None) -> dict[str, Any]:
    """Return the OpenAPI document of a site; namespace: a neutral name, None for all of them."""
    records: dict[str, Any] = {}
    names: set[str] = set()
    places = [place for place in index.table.places.values() if namespace in (None, place.namespace)]
    numbered = _numbered(index.table.places.values())
    paths = dict(_item(index, alike, speech, records, names, numbered) for alike in _alike(places))
    spaces = [space for space in ("", *index.namespaces) if namespace in (None, space)]
    return {
        "openapi": "3.1.0",
        "info": {"title": said.title, "version": said.version, "description": _INTRODUCTION},
        "servers": [{"url": url, "description": what} for url, what in said.roots.items()],
        "security": list(_SECURITY),
        "tags": [{"name": _tag(speech.word(space) if space else "")} for space in spaces],
        "paths": paths,
        "components": {
            "schemas": {**SHARED, **{name: records[name] for name in sorted(records)}},
            "parameters": _parameters(),
            "responses": {"Everywhere": refusal_everywhere(said.everywhere, speech)},
            "securitySchemes": {
                "application-password": {
                    "type": "http",
                    "scheme": "basic",
                    "description": "A login with one of its application passwords.",
                }
            },
        },
        "x-codes-everywhere": codes(said.everywhere, speech),
        "x-error-codes": known_errors(speech),
    }


_INTRODUCTION = (
    "Every answer is JSON. A refusal has a stable `code` beside its sentence; which codes a route may answer stands "
    "under its `x-codes`, what each means under `x-error-codes`. What one may do depends on who asks: send a login and "
    "one of its application passwords."
)


# -- routes


def _alike(places: Iterable[Place]) -> Iterable[list[Place]]:
    """Return places whose paths differ in nothing but what their holes are called and take: OpenAPI knows one of them.

    The one that is asked first stands first.
    """
    found: dict[str, list[Place]] = {}
    for place in places:
        found.setdefault(_plain(place), []).append(place)
    return found.values()


def _plain(place: Place) -> str:
    """Return the path of a place without the names of its holes."""
    return _HOLES.sub("{}", split(place.pattern)[0])


def _item(
    index: Index,
    places: list[Place],
    speech: Speech,
    records: dict[str, Any],
    names: set[str],
    numbered: frozenset[tuple[str, int]],
) -> tuple[str, dict[str, Any]]:
    """Return a path and its operations, each joined of all its places."""
    path, called = split(speech.pattern(places[0].pattern))
    operations: dict[str, list[dict[str, Any]]] = {}
    for place in places:
        holes = split(speech.pattern(place.pattern))[1]
        record = record_of(place, speech, records)
        for route, endpoint in zip(place.routes, index.described(place, "")["endpoints"], strict=True):
            arguments = speech.arguments(endpoint["args"])
            inside = [
                _hole(called[at][0], pattern, arguments.get(name), (_plain(place), at) in numbered)
                for at, (name, pattern) in enumerate(holes)
            ]
            given = {name: one for name, one in arguments.items() if name not in dict(holes)}
            errors = errors_of(route)
            for method in route.methods:
                operation = {
                    "operationId": _WORDS.sub("_", f"{method.lower()} {path}").strip("_"),
                    "summary": words.summary(route).rstrip(".") or f"{method} {path}",
                    "description": words.permission(route) and f"Who may: {words.permission(route)}",
                    "tags": [_tag(speech.word(place.namespace) if place.namespace else "")],
                    **_taken(method, route, inside, given),
                    "responses": responses(route, method, record, errors, speech, records),
                    "x-codes": codes(errors, speech),
                    **({"x-batch": True} if route.batch else {}),
                }
                operations.setdefault(method.lower(), []).append(operation)
    item = {method: functools.reduce(joined, found) for method, found in operations.items()}
    for operation in item.values():
        while operation["operationId"] in names:
            operation["operationId"] += "_"
        names.add(operation["operationId"])
    return path, item


def split(pattern: str) -> tuple[str, list[tuple[str, str]]]:
    """Return a route's path with `{holes}`, and the name and pattern of each."""
    out, holes, at = "", [], 0
    while opening := _OPENING.search(pattern, at):
        end = _closing(pattern, opening.end())
        out += f"{pattern[at : opening.start()]}{{{opening[1]}}}"
        holes.append((opening[1], pattern[opening.end() : end]))
        at = end + 1
    return out + pattern[at:], holes


def _closing(pattern: str, at: int) -> int:
    """Return where the group that is open at a place ends."""
    depth, listed = 1, False
    while True:
        sign = pattern[at]
        if sign == "\\":
            at += 1
        elif listed:
            listed = sign != "]"
        elif sign == "[":
            listed = True
        else:
            depth += {"(": 1, ")": -1}.get(sign, 0)
        if not depth:
            return at
        at += 1


def _numbered(places: Iterable[Place]) -> frozenset[tuple[str, int]]:
    """Return the paths, without the names of their holes, with the places of those holes that take numbers."""
    return frozenset(
        (_plain(place), at)
        for place in places
        for at, (_, pattern) in enumerate(split(place.pattern)[1])
        if pattern in _DIGITS
    )


def _hole(name: str, pattern: str, argument: Mapping[str, Any] | None, numbered: bool) -> dict[str, Any]:
    """Return the parameter of a hole; numbered: whether another route takes what is a number there."""
    words = rf"^(?!\d+$)(?:{pattern})$" if numbered else f"^(?:{pattern})$"
    schema: dict[str, Any] = (
        {"type": "integer", "minimum": 0} if pattern in _DIGITS else {"type": "string", "pattern": words}
    )
    out = {"name": name, "in": "path", "required": True, "schema": schema}
    if argument and argument.get("description"):
        out["description"] = argument["description"]
    return out


def _taken(method: str, route: Route, inside: list[dict[str, Any]], given: dict[str, Any]) -> dict[str, Any]:
    """Return the parameters and the body of an operation."""
    if method in _WRITES:
        body = object_of(given)
        content = {"application/json": {"schema": body}}
        if route.files:
            content["multipart/form-data"] = {"schema": {**body, "additionalProperties": {"format": "binary"}}}
            content["application/octet-stream"] = {"schema": {}}
        return {"parameters": inside, **({"requestBody": {"content": content}} if given or route.files else {})}
    parameters = inside + [_parameter(name, one) for name, one in given.items()]
    if method == "GET":
        parameters += [{"$ref": "#/components/parameters/fields"}, {"$ref": "#/components/parameters/embed"}]
    return {"parameters": parameters}


def _parameter(name: str, argument: Mapping[str, Any]) -> dict[str, Any]:
    schema = modern(argument)
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


def _tag(space: str) -> str:
    return space or "site"


# -- what all routes share


def _parameters() -> dict[str, Any]:
    texts = {"type": "array", "items": {"type": "string"}}
    shared = {"in": "query", "schema": texts, "style": "form", "explode": False}
    return {
        "fields": {"name": "_fields", "description": "Members that the answer is to have; dots lead inside.", **shared},
        "embed": {"name": "_embed", "description": "Relations whose records are to be put into the answer.", **shared},
    }
