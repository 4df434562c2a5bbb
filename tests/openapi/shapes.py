"""Checks that a response fits the OpenAPI document: its types, and no member that is not described.

A JSON Schema validator accepts members that are not described; here they are errors, so that an incomplete document
fails. Not here: the requests (test_answers_fit.py, tests/permissions/test_every_route.py).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

__all__ = ["Document", "choose_context", "strays"]

# Added to records by `_embed` and by the language of a URL, which every object of the interface may have.
_EVERYWHERE = frozenset({"_links", "_embedded"})
_KINDS: dict[str, Any] = {
    "array": list, "boolean": bool, "integer": int, "null": type(None), "number": (int, float), "object": dict,
    "string": str,
}  # fmt: skip


class Document:
    """An OpenAPI document to compare responses with."""

    def __init__(self, read: dict[str, Any]) -> None:
        self.read = read
        self.schemas: dict[str, Any] = read["components"]["schemas"]

    def answer(self, path: str, method: str, status: int) -> dict[str, Any] | None:
        """Return the schema of a response by its status, None where none is described as JSON."""
        responses = self.read["paths"][path]["get" if method == "HEAD" else method.lower()]["responses"]
        told = responses.get(str(status))
        content = told.get("content", {}) if told else {}
        schema: dict[str, Any] | None = content.get("application/json", {}).get("schema")
        return schema

    def strays(self, schema: dict[str, Any], value: Any) -> list[str]:
        """Return the places of a value that its schema does not describe, each with why."""
        return list(strays(schema, value, self.schemas))


def strays(schema: dict[str, Any], value: Any, schemas: dict[str, Any], at: str = "$") -> Iterator[str]:
    """Yield the places of a value that a schema does not describe. schemas: those it refers to, by name."""
    if "$ref" in schema:
        schema = schemas[schema["$ref"].rpartition("/")[2]]
    if not schema:
        return
    if "allOf" in schema:
        schema = _join(schema["allOf"], schemas)
    if "anyOf" in schema:
        forms = [list(strays(form, value, schemas, at)) for form in schema["anyOf"]]
        if all(forms):
            # The schema that matches its type is the intended one.
            yield from min(forms, key=lambda form: (form[0].startswith(f"{at} is "), len(form)))
        return
    kinds = schema.get("type", ())
    if not _is_one_of(value, [kinds] if isinstance(kinds, str) else kinds):
        yield f"{at} is {type(value).__name__}, not {kinds}"
    elif value not in schema.get("enum", [value]):
        yield f"{at} is {value!r}, not one of {schema['enum']}"
    elif isinstance(value, int) and value < schema.get("minimum", value):
        yield f"{at} is {value}"
    elif isinstance(value, dict):
        yield from _of_object(schema, value, schemas, at)
    elif isinstance(value, list):
        if len(value) > schema.get("maxItems", len(value)):
            yield f"{at} has {len(value)} items"
        if "items" in schema:
            for number, item in enumerate(value):
                yield from strays(schema["items"], item, schemas, f"{at}[{number}]")
        elif value and schema.get("maxItems") != 0 and not schema.get("additionalProperties"):
            yield f"{at} has items that nobody described"
    elif isinstance(value, str) and len(value) > schema.get("maxLength", len(value)):
        yield f"{at} has {len(value)} letters"


def _join(forms: list[dict[str, Any]], schemas: dict[str, Any]) -> dict[str, Any]:
    """Return one schema of an object that has to fit several; a later one says more of a member."""
    found = [schemas[form["$ref"].rpartition("/")[2]] if "$ref" in form else form for form in forms]
    return {
        "type": "object",
        "required": [name for form in found for name in form.get("required", ())],
        "properties": {name: one for form in found for name, one in form["properties"].items()},
    }


def _of_object(schema: dict[str, Any], value: dict[str, Any], schemas: dict[str, Any], at: str) -> Iterator[str]:
    known, rest = schema.get("properties", {}), schema.get("additionalProperties")
    for name, item in value.items():
        if name in known:
            yield from strays(known[name], item, schemas, f"{at}.{name}")
        elif isinstance(rest, dict):
            yield from strays(rest, item, schemas, f"{at}.{name}")
        elif not rest and name not in _EVERYWHERE:
            yield f"{at}.{name} is not described"
    for name in schema.get("required", ()):
        if name not in value:
            yield f"{at}.{name} is missing"


def _is_one_of(value: Any, kinds: list[str]) -> bool:
    for kind in kinds:
        if kind in ("integer", "number") and isinstance(value, bool):
            continue
        if isinstance(value, _KINDS[kind]) or (kind == "integer" and isinstance(value, float) and value.is_integer()):
            return True
    return False


def choose_context(schema: dict[str, Any], contexts: dict[str, str], context: str) -> dict[str, Any]:
    """Return the schema of a response in a context. contexts: references to its records' schemas by context."""

    def replace(value: Any) -> Any:
        if isinstance(value, list):
            return [replace(one) for one in value]
        if not isinstance(value, dict):
            return value
        if value.get("$ref") == contexts["view"]:
            return {"$ref": contexts[context]}
        return {name: replace(one) for name, one in value.items()}

    chosen: dict[str, Any] = replace(schema) if "view" in contexts and context in contexts else schema
    return chosen
