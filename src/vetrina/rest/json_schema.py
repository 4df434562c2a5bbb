"""The interface's schemas of requests as JSON Schema 2020-12, which OpenAPI 3.1 uses.

The index and OPTIONS keep the older draft, as existing clients read it. Schemas of responses: rest/response_schema.py.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

# No titles: generators name types after them, and several arguments have the same.
_COPIED_KEYWORDS = (
    "description", "format", "enum", "default", "minLength", "maxLength", "pattern", "minItems", "maxItems",
    "uniqueItems", "minProperties", "maxProperties", "multipleOf",
)  # fmt: skip
_TYPE_ALIASES = {"int": "integer", "bool": "boolean", "float": "number", "date-time": "string", "text": "string"}
ALL_TYPES = ("array", "boolean", "integer", "null", "number", "object", "string")
_KNOWN_TYPES = frozenset(ALL_TYPES)
_PYTHON_TYPES: dict[str, Any] = {
    "array": list, "boolean": bool, "integer": int, "null": type(None), "number": (int, float), "object": dict,
    "string": str,
}  # fmt: skip
_BOUND_KEYWORDS = (("minimum", "exclusiveMinimum"), ("maximum", "exclusiveMaximum"))


def modernize_schema(schema: Any) -> dict[str, Any]:
    """Return the schema of a request's argument in JSON Schema 2020-12."""
    if isinstance(schema, str):
        return build_type_keyword(schema)
    if not isinstance(schema, Mapping):
        return {}
    if "$ref" in schema:
        return {"$ref": schema["$ref"]}
    out = build_type_keyword(schema["type"]) if "type" in schema else {}
    out |= {word: schema[word] for word in _COPIED_KEYWORDS if word in schema}
    if "default" in out and not _is_of_type(out["default"], out.get("type")):
        # Text stands for a list of its items; a default of another type describes what is left out, not what is sent.
        default = out.pop("default")
        if out.get("type") == "array" and isinstance(default, str):
            out["default"] = [default] if default else []
    if "default" in out and out["default"] not in out.get("enum", (out["default"],)):
        del out["default"]
    for word, strict in _BOUND_KEYWORDS:
        if word in schema:
            out[strict if schema.get(strict) is True else word] = schema[word]
    if schema.get("readonly"):
        out["readOnly"] = True
    if schema.get("context"):
        out["x-context"] = list(schema["context"])
    if "items" in schema or out.get("type") == "array":
        # Generators refuse a list that does not say of what.
        out["items"] = modernize_schema(schema.get("items"))
    if isinstance(properties := schema.get("properties"), Mapping):
        out |= build_object_schema(properties, type=out.get("type", "object"))
    if isinstance(rest := schema.get("additionalProperties"), Mapping):
        out["additionalProperties"] = modernize_schema(rest)
    elif rest is False:
        out["additionalProperties"] = False
    for word in ("oneOf", "anyOf", "allOf"):
        if word in schema:
            out[word] = [modernize_schema(one) for one in schema[word]]
            if all("type" in form for form in out[word]):
                # Generators take a type beside the forms for one more form.
                out.pop("type", None)
    return _allow_raw_text(out)


def _allow_raw_text(schema: dict[str, Any]) -> dict[str, Any]:
    """Return a schema that takes text too where it is of a text with its raw form: `title` is sent as either."""
    if schema.get("type") != "object" or "raw" not in schema.get("properties", {}):
        return schema
    outer: dict[str, Any] = {
        word: schema.pop(word) for word in ("description", "readOnly", "x-context") if word in schema
    }
    return {**outer, "anyOf": [{"type": "string"}, schema]}


def build_object_schema(properties: Mapping[str, Any], *, type: Any = "object") -> dict[str, Any]:
    """Return the schema of an object with these members; each says itself whether it is required."""
    members = {name: modernize_schema(one) for name, one in properties.items()}
    out: dict[str, Any] = {"type": type, "properties": members}
    required = [name for name, one in properties.items() if isinstance(one, Mapping) and one.get("required") is True]
    if required:
        out["required"] = required
    return out


def _is_of_type(value: Any, kinds: Any) -> bool:
    """Return whether a value is of a type, or of one of several; None stands for any."""
    if kinds is None:
        return True
    return any(
        isinstance(value, _PYTHON_TYPES[kind]) and (kind == "boolean" or not isinstance(value, bool))
        for kind in ([kinds] if isinstance(kinds, str) else kinds)
    )


def build_type_keyword(kinds: Any) -> dict[str, Any]:
    """Return the keyword `type` for one or several types; nothing for one that can be anything."""
    several = [kinds] if isinstance(kinds, str) else list(kinds or ())
    known = list(dict.fromkeys(_TYPE_ALIASES.get(kind, kind) for kind in several))
    if not known or not _KNOWN_TYPES.issuperset(known):
        return {}
    return {"type": known[0] if len(known) == 1 else known}
