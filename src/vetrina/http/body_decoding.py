"""From the bytes of a body to its members: JSON, form, multipart; limits on depth and number of values.

Rules: docs/rules/requests.md, 6 and 7. The limit on bytes applies while they arrive (http/request_reader.py).
"""

from __future__ import annotations

import re
from typing import Any

import orjson

from vetrina.kernel.errors import ApiError, Failure
from vetrina.kernel.json_text import has_more_values
from vetrina.rest import query_strings
from vetrina.rest.call import Request

MAX_FIELDS = 1000  # of a multipart body
_FORM_TYPE = "application/x-www-form-urlencoded"
_BODY_METHODS = frozenset({"POST", "PUT", "PATCH", "DELETE"})
_JSON_TYPE = re.compile(r"application/(?:[\w!#$&^.+-]+\+)?json(?:\+oembed)?", re.ASCII)


class InvalidJson(ApiError):
    """The body claims to be JSON and is not."""

    code = "rest_invalid_json"
    message = "The body is not JSON: {reason}."


class BodyIncomplete(ApiError):
    """The connection ended before the body did."""

    code = "rest_body_incomplete"
    message = "The connection ended before the body did; nothing was changed."


class RequestTooLarge(ApiError):
    """The body has more bytes than the route accepts."""

    failure, code = Failure.TOO_LARGE, "rest_request_too_large"
    message = "The body is larger than {limit} bytes."


class InvalidMultipart(ApiError):
    """The body claims to be multipart and is not, or ends before it is complete."""

    code = "rest_invalid_multipart"
    message = "The multipart body cannot be read: {reason}."


def has_members(request: Request) -> bool:
    """Return whether the content type of a body is one whose members are read."""
    kind = _get_content_type(request)
    return _is_json(kind) or kind == _FORM_TYPE


def _get_content_type(request: Request) -> str:
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    # Tools that send plain text as a body often send no type except with POST.
    return kind or ("" if request.method == "POST" else _FORM_TYPE)


def _is_json(kind: str) -> bool:
    return _JSON_TYPE.fullmatch(kind) is not None


def decode_body(request: Request, body: bytes, depth: int, values: int) -> None:
    """Put the members of a body into the request; a fault in it is reported once the route is known.

    depth: levels of lists and objects that a JSON body may have. values: how many it may have in all.
    """
    request.body = body
    kind = _get_content_type(request)
    if _is_json(kind):
        value, request.body_fault = _decode_json(body, depth, values)
        if isinstance(value, list):
            request.items = value
        else:
            request.json = value
    elif kind == _FORM_TYPE and request.method in _BODY_METHODS:
        request.form = query_strings.parse_query(body.decode("utf-8", "replace"))
    elif kind == "multipart/form-data" and request.method in ("POST", "PUT", "PATCH"):
        request.parts, request.body_fault = _parse_multipart(request.headers["content-type"], body)
        request.form = query_strings.nest_pairs([(name, value) for name, value in request.parts if value is not None])


def _decode_json(body: bytes, depth: int, values: int) -> tuple[dict[str, Any] | list[Any], ApiError | None]:
    if not body:
        return {}, None
    if has_more_values(body, values):
        return {}, _build_invalid_json(f"it holds more than {values} values")
    try:
        value = orjson.loads(body)
    except orjson.JSONDecodeError as error:
        return {}, _build_invalid_json(str(error))
    if body.count(b"[") + body.count(b"{") > depth and _is_deeper(value, depth):
        return {}, _build_invalid_json(f"it is nested more than {depth} levels deep")
    if isinstance(value, (dict, list)):
        return value, None
    if value is None:
        return {}, None
    return {}, _build_invalid_json("an object is expected")


def _build_invalid_json(reason: str) -> InvalidJson:
    return InvalidJson(reason=reason, data={"json_error_code": 4, "json_error_message": reason})


def _is_deeper(value: Any, depth: int) -> bool:
    level = [value]
    for _ in range(depth):
        level = [
            item
            for node in level
            for item in (node.values() if isinstance(node, dict) else node)
            if isinstance(item, (dict, list))
        ]
        if not level:
            return False
    return True


def _parse_multipart(content_type: str, body: bytes) -> tuple[list[tuple[str, str | None]], ApiError | None]:
    """Return the fields of a multipart body, None for a file, and its fault.

    Files are read only for routes that take them (http/multipart.py).
    """
    from io import BytesIO

    from python_multipart import parse_form
    from python_multipart.exceptions import FormParserError

    found: list[tuple[str, str | None]] = []

    def keep(name: bytes | None, value: str | None) -> None:
        if len(found) == MAX_FIELDS:
            raise InvalidMultipart(reason=f"it holds more than {MAX_FIELDS} fields")
        found.append(((name or b"").decode("utf-8", "replace"), value))

    def on_field(field: Any) -> None:
        keep(field.field_name, (field.value or b"").decode("utf-8", "replace"))

    def on_file(file: Any) -> None:
        keep(file.field_name, None)

    try:
        parse_form({"Content-Type": content_type.encode()}, BytesIO(body), on_field, on_file)
    except InvalidMultipart as error:
        return [], error
    except (FormParserError, ValueError):
        return [], None
    return found, None
