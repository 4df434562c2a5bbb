"""From the bytes of a body to its members: JSON, form, multipart; limits on depth and number.

Not here: the limit on bytes, which holds while they arrive (asgi.py). Rules: facts of the interface, "Where parameters
are read from".
"""

from __future__ import annotations

from typing import Any

import orjson

from vetrina.declare import query
from vetrina.declare.call import Request
from vetrina.kernel.errors import ApiError

__all__ = ["BodyIncomplete", "InvalidJson", "TooLarge", "decode", "has_members"]


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


def has_members(request: Request) -> bool:
    """Say whether the type of a body is one whose members are read."""
    kind = _kind(request)
    return _is_json(kind) or kind == "application/x-www-form-urlencoded"


def _kind(request: Request) -> str:
    return request.headers.get("content-type", "").partition(";")[0].strip().lower()


def _is_json(kind: str) -> bool:
    return kind == "application/json" or (kind.startswith("application/") and kind.endswith("+json"))


def decode(request: Request, body: bytes, depth: int) -> None:
    """Put the members of a body into the request; what is wrong with it waits until the route is known.

    depth: levels of lists and objects that a JSON body may have.
    """
    request.body = body
    kind = _kind(request)
    if _is_json(kind):
        value, request.body_fault = _json(body, depth)
        if isinstance(value, list):
            request.items = value
        else:
            request.json = value
    elif kind == "application/x-www-form-urlencoded" and request.method in ("POST", "PUT", "PATCH"):
        request.form = query.parse(body.decode("utf-8", "replace"))
    elif kind == "multipart/form-data" and request.method in ("POST", "PUT", "PATCH"):
        request.parts = _parts(request.headers["content-type"], body)
        request.form = query.nested([(name, value) for name, value in request.parts if value is not None])


def _json(body: bytes, depth: int) -> tuple[dict[str, Any] | list[Any], ApiError | None]:
    if not body:
        return {}, None
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


def _parts(content_type: str, body: bytes) -> list[tuple[str, str | None]]:
    """Return the fields of a multipart body, None for a file; files are for the routes that take them (incoming.py)."""
    from io import BytesIO

    from python_multipart import parse_form
    from python_multipart.exceptions import FormParserError

    found: list[tuple[str, str | None]] = []

    def on_field(field: Any) -> None:
        found.append(
            ((field.field_name or b"").decode("utf-8", "replace"), (field.value or b"").decode("utf-8", "replace"))
        )

    def on_file(file: Any) -> None:
        found.append(((file.field_name or b"").decode("utf-8", "replace"), None))

    try:
        parse_form({"Content-Type": content_type.encode()}, BytesIO(body), on_field, on_file)
    except (FormParserError, ValueError):
        return []
    return found
