"""Refusals in the OpenAPI document: the schema `Error`, and for each set of codes one that names them.

Which errors a route has follows from its declaration and its code (rest/declared_errors.py). Rules:
docs/rules/errors.md, 1.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from hashlib import sha256
from typing import Any, Final

from vetrina.kernel.errors import ApiError, InvalidParam, MissingParam, NoRoute, PermissionDenied, SecretInUrl
from vetrina.rest.declared_errors import ScannedFunctions, list_declared_errors
from vetrina.rest.error_statuses import STATUSES, list_error_statuses
from vetrina.rest.openapi_records import SCHEMA_PATH, RecordNaming, RecordSchemas, build_type_name
from vetrina.rest.route import Route

ErrorTypes = tuple[type[ApiError], ...]

ERROR_CONTENT: Final = {"application/json": {"schema": {"$ref": f"{SCHEMA_PATH}Error"}}}
_COMMON_ERRORS: Final[ErrorTypes] = (MissingParam, InvalidParam, NoRoute)
_PLACEHOLDERS: Final = re.compile(r"\{[^{}]*\}")
_DIGEST_CHARACTERS: Final = 6
_TEXT_SCHEMA: Final = {"type": "string"}
_REASON_SCHEMA: Final = {
    "type": "object",
    "required": ["code", "message"],
    "properties": {
        "code": _TEXT_SCHEMA,
        "message": _TEXT_SCHEMA,
        "data": {"type": ["object", "null"], "additionalProperties": True},
    },
}
_DATA_SCHEMA: Final = {
    "type": "object",
    "description": "More about it: what is wrong by parameter, and what the code's own meaning names.",
    "properties": {
        "status": {"type": "integer", "description": "The status of the response."},
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
                {"type": "array", "items": {}, "maxItems": 0},
            ],
        },
    },
    "additionalProperties": True,
}

_MESSAGE_SCHEMA: Final = {"type": "string", "description": "What is wrong, in a sentence for people."}
ERROR_SCHEMAS: Final[dict[str, Any]] = {
    "ErrorData": _DATA_SCHEMA,
    "Error": {
        "type": "object",
        "description": "A refusal.",
        "required": ["code", "message"],
        "properties": {
            "code": {"type": "string", "description": "What is wrong, for programs; it stays."},
            "message": _MESSAGE_SCHEMA,
            "data": {"$ref": f"{SCHEMA_PATH}ErrorData"},
        },
    },
    "NumberedError": {
        "type": "object",
        "description": "A refusal to a remote party that knows codes by number.",
        "required": ["code", "message"],
        "properties": {
            "code": {"type": "integer"},
            "message": _MESSAGE_SCHEMA,
            "data": {"$ref": f"{SCHEMA_PATH}ErrorData"},
        },
    },
}


def list_route_errors(route: Route, scanned: ScannedFunctions | None = None) -> ErrorTypes:
    """Return the errors of a route: those that it declares, those in its code, and those of its arguments.

    scanned: functions of other routes that were scanned before.
    """
    found = list_declared_errors(route.handler, route.allow, route.prepare, scanned=scanned)
    of_arguments = (SecretInUrl,) if route.arguments.secrets else ()
    every = dict.fromkeys((*route.errors, *found, *of_arguments, *_COMMON_ERRORS))
    return tuple(one for one in every if one is not PermissionDenied)


def build_refusals(
    errors: ErrorTypes, everywhere: ErrorTypes, naming: RecordNaming, records: RecordSchemas
) -> Iterator[tuple[int, Any, str]]:
    """Yield each status of a route's errors with the schema of its refusals and the route's own codes in words.

    everywhere: errors that a request may meet before its route; the schemas of their statuses have their codes too.
    """
    common = _group_by_status(everywhere)
    for status, classes in sorted(_group_by_status(errors).items()):
        own = _list_codes(classes, naming)
        schema = build_refusal_schema([*own, *_list_codes(common.get(status, ()), naming)], status, records)
        yield status, schema, ", ".join(f"`{code}`" for code in own)


def build_refusal_schema(codes: list[str], status: int, records: RecordSchemas) -> dict[str, Any]:
    """Return the schema of a refusal with one of several codes; it is shared by all routes that have these."""
    forms: list[dict[str, Any]] = []
    if words := sorted({code for code in codes if not code.isdigit()}):
        # A name that follows from the codes stays when other routes come and go.
        short = sha256(" ".join(words).encode()).hexdigest()[:_DIGEST_CHARACTERS].upper()
        name = f"{build_type_name(words[0])}Error" if len(words) == 1 else f"Refusal{status}X{short}"
        forms.append(_narrow("Error", {"type": "string", "enum": words}, name, records))
    if numbers := sorted(int(code) for code in codes if code.isdigit()):
        forms.append(_narrow("NumberedError", {"type": "integer", "enum": numbers}, f"NumberedError{status}", records))
    return forms[0] if len(forms) == 1 else {"anyOf": forms}


def _narrow(general: str, code: dict[str, Any], name: str, records: RecordSchemas) -> dict[str, Any]:
    narrowed = {"type": "object", "required": ["code"], "properties": {"code": code}}
    return {"$ref": SCHEMA_PATH + records.add(name, {"allOf": [{"$ref": SCHEMA_PATH + general}, narrowed]})}


def list_error_codes(errors: ErrorTypes, naming: RecordNaming) -> list[dict[str, Any]]:
    """Return error codes with their statuses."""
    return list(
        {
            (code, STATUSES[one.failure], issubclass(one, PermissionDenied)): _serialize_error_code(one, code, naming)
            for one in errors
            for code in one.list_codes()
        }.values()
    )


def list_known_errors(naming: RecordNaming) -> list[dict[str, Any]]:
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


def _list_codes(errors: Iterable[type[ApiError]], naming: RecordNaming) -> list[str]:
    return list(dict.fromkeys(naming.word(code) for one in errors for code in one.list_codes()))


def _serialize_error_code(error: type[ApiError], code: str, naming: RecordNaming) -> dict[str, Any]:
    return {"code": naming.word(code), "status": list_error_statuses(error)}


def _describe_error(error: type[ApiError]) -> str:
    own = (vars(error).get("__doc__") or "").strip().partition("\n")[0]
    return own or _PLACEHOLDERS.sub("…", error.message)
