"""From the bytes of a body to its members: JSON, form, multipart; limits on depth and number.

Not here: the limit on bytes, which holds while they arrive (http/app.py). Rules: facts of the interface, "Where
parameters are read from".
"""

from __future__ import annotations

import re
from typing import Any

import orjson

from vetrina.kernel.errors import ApiError
from vetrina.kernel.json_text import more_values
from vetrina.rest import query_strings
from vetrina.rest.call import Request

__all__ = ["MOST_FIELDS", "BodyIncomplete", "InvalidJson", "InvalidMultipart", "TooLarge", "decode", "has_members"]

MOST_FIELDS = 1000  # of a multipart body
_FORM = "application/x-www-form-urlencoded"
_WRITES = frozenset({"POST", "PUT", "PATCH", "DELETE"})
_JSON = re.compile(r"application/(?:[\w!#$&^.+-]+\+)?json(?:\+oembed)?", re.ASCII)


class InvalidJson(ApiError):
    """The body is said to be JSON and is not."""

    code = "rest_invalid_json"
    message = "The body is not JSON: {reason}."


class BodyIncomplete(ApiError):
    """The connection ended before the body did."""

    code = "rest_body_incomplete"
    message = "The connection ended before the body did; nothing was changed."


class TooLarge(ApiError):
    """The body has more bytes than the route takes."""

    status, code = 413, "rest_request_too_large"
    message = "The body is larger than {limit} bytes."


class InvalidMultipart(ApiError):
    """The body is said to be multipart and is not, or ends before it is complete."""

    code = "rest_invalid_multipart"
    message = "The multipart body cannot be read: {reason}."


def has_members(request: Request) -> bool:
    """Say whether the type of a body is one whose members are read."""
    kind = _kind(request)
    return _is_json(kind) or kind == _FORM


def _kind(request: Request) -> str:
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    # Tools that send a bare text as a body often name no type but with POST.
    return kind or ("" if request.method == "POST" else _FORM)


def _is_json(kind: str) -> bool:
    return _JSON.fullmatch(kind) is not None


def decode(request: Request, body: bytes, depth: int, values: int) -> None:
    """Put the members of a body into the request; what is wrong with it waits until the route is known.

    depth: levels of lists and objects that a JSON body may have. values: that it may have in all.
    """
    request.body = body
    kind = _kind(request)
    if _is_json(kind):
        value, request.body_fault = _json(body, depth, values)
        if isinstance(value, list):
            request.items = value
        else:
            request.json = value
    elif kind == _FORM and request.method in _WRITES:
        request.form = query_strings.parse(body.decode("utf-8", "replace"))
    elif kind == "multipart/form-data" and request.method in ("POST", "PUT", "PATCH"):
        request.parts, request.body_fault = _parts(request.headers["content-type"], body)
        request.form = query_strings.nested([(name, value) for name, value in request.parts if value is not None])


def _json(body: bytes, depth: int, values: int) -> tuple[dict[str, Any] | list[Any], ApiError | None]:
    if not body:
        return {}, None
    if more_values(body, values):
        return {}, _broken(f"it holds more than {values} values")
    try:
        value = orjson.loads(body)
    except orjson.JSONDecodeError as error:
        return {}, _broken(str(error))
    if body.count(b"[") + body.count(b"{") > depth and _deeper(value, depth):
        return {}, _broken(f"it is nested more than {depth} levels deep")
    if isinstance(value, (dict, list)):
        return value, None
    if value is None:
        return {}, None
    return {}, _broken("an object is expected")


def _marks(body: bytes) -> int:
    """Return how many entries a JSON body can have at most: one follows each opening and each comma."""
    return body.count(b",") + body.count(b"[") + body.count(b"{")


def _more_entries(body: bytes, most: int) -> bool:
    """Say whether a JSON body has more entries than so many, whatever its texts hold; each step is one over bytes."""
    bare = body.replace(b"\\\\", b"").replace(b'\\"', b"")
    # An entry has two texts at most, its name and its value.
    return bare.count(b'"') > 4 * most or _marks(b"".join(bare.split(b'"')[::2])) > most


def _broken(reason: str) -> InvalidJson:
    return InvalidJson(reason=reason, data={"json_error_code": 4, "json_error_message": reason})


def _deeper(value: Any, depth: int) -> bool:
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


def _parts(content_type: str, body: bytes) -> tuple[list[tuple[str, str | None]], ApiError | None]:
    """Return the fields of a multipart body, None for a file, and why it is refused.

    Files are for the routes that take them (http/multipart.py).
    """
    from io import BytesIO

    from python_multipart import parse_form
    from python_multipart.exceptions import FormParserError

    found: list[tuple[str, str | None]] = []

    def keep(name: bytes | None, value: str | None) -> None:
        if len(found) == MOST_FIELDS:
            raise InvalidMultipart(reason=f"it holds more than {MOST_FIELDS} fields")
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
