"""The interface's schemas as JSON Schema 2020-12, which OpenAPI 3.1 uses.

The index and OPTIONS keep the older draft, as existing clients read it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_COPIED_KEYWORDS = (
    "title", "description", "format", "enum", "default", "minLength", "maxLength", "pattern", "minItems", "maxItems",
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


def modernize_schema(schema: Any, *, for_response: bool = False) -> dict[str, Any]:
    """Return a schema in JSON Schema 2020-12.

    for_response: it describes a response: constraints on requests (bounds, choices, formats) are left out, since stored
    values may be older than the rule.
    """
    if isinstance(schema, str):
        return _build_type_keyword(schema)
    if not isinstance(schema, Mapping):
        return {}
    if "$ref" in schema:
        return {"$ref": schema["$ref"]}
    out = _build_type_keyword(schema["type"]) if "type" in schema else {}
    for word in _COPIED_KEYWORDS:
        if word in schema and not (for_response and word not in ("title", "description")):
            out[word] = schema[word]
    if "default" in out and not _is_of_type(out["default"], out.get("type")):
        # Text stands for a list of its items; a default of another type describes what is left out, not what is sent.
        default = out.pop("default")
        if out.get("type") == "array" and isinstance(default, str):
            out["default"] = [default] if default else []
    if "default" in out and out["default"] not in out.get("enum", (out["default"],)):
        del out["default"]
    for word, strict in () if for_response else _BOUND_KEYWORDS:
        if word in schema:
            out[strict if schema.get(strict) is True else word] = schema[word]
    if schema.get("readonly"):
        out["readOnly"] = True
    if schema.get("context"):
        out["x-context"] = list(schema["context"])
    if "items" in schema:
        out["items"] = modernize_schema(schema["items"], for_response=for_response)
    if isinstance(properties := schema.get("properties"), Mapping):
        out |= build_object_schema(properties, for_response=for_response, type=out.get("type", "object"))
    if isinstance(rest := schema.get("additionalProperties"), Mapping):
        out["additionalProperties"] = modernize_schema(rest, for_response=for_response)
    elif rest is False and not for_response:
        out["additionalProperties"] = False
    elif rest is True and for_response:
        out["additionalProperties"] = True
    if schema.get("maxItems") == 0:
        out["maxItems"] = 0
    for word in ("oneOf", "anyOf", "allOf"):
        if word in schema and (word == "anyOf" or not for_response):
            out[word] = [modernize_schema(one, for_response=for_response) for one in schema[word]]
    if for_response:
        _allow_any_members(out, schema)
    return out


def _allow_any_members(out: dict[str, Any], schema: Mapping[str, Any]) -> None:
    """Allow any members in a value whose members or items are not described."""
    described = {"properties", "additionalProperties", "items", "anyOf"}.intersection(out)
    if not described and not out.get("type"):
        out["type"] = list(ALL_TYPES)
    kinds = [out["type"]] if isinstance(out.get("type"), str) else out.get("type", ())
    if not described and schema.get("maxItems") != 0 and not {"object", "array"}.isdisjoint(kinds):
        out["additionalProperties"] = True


def build_object_schema(
    properties: Mapping[str, Any], *, for_response: bool = False, type: Any = "object"
) -> dict[str, Any]:
    """Return the schema of an object with these members; each says itself whether it is required."""
    members = {name: modernize_schema(one, for_response=for_response) for name, one in properties.items()}
    if for_response:
        for name, one in members.items():
            _allow_null(one, properties[name])
    out: dict[str, Any] = {"type": type, "properties": members}
    required = [name for name, one in properties.items() if isinstance(one, Mapping) and one.get("required") is True]
    if required and not for_response:
        out["required"] = required
    return out


def _allow_null(member: dict[str, Any], declared: Any) -> None:
    """Let a member of a response be null, a date false, a number empty: so the interface says that there is none."""
    if "type" in member:
        kinds = [member["type"]] if isinstance(member["type"], str) else member["type"]
        also = ["null"]
        if isinstance(declared, Mapping) and declared.get("format") == "date-time":
            also.append("boolean")
        if "string" not in kinds and not {"integer", "number"}.isdisjoint(kinds):
            also.append("string")
            member["maxLength"] = 0
        member["type"] = list(dict.fromkeys((*kinds, *also)))


def _is_of_type(value: Any, kinds: Any) -> bool:
    """Return whether a value is of a type, or of one of several; None stands for any."""
    if kinds is None:
        return True
    return any(
        isinstance(value, _PYTHON_TYPES[kind]) and (kind == "boolean" or not isinstance(value, bool))
        for kind in ([kinds] if isinstance(kinds, str) else kinds)
    )


def _build_type_keyword(kinds: Any) -> dict[str, Any]:
    """Return the keyword `type` for one or several types; nothing for one that can be anything."""
    several = [kinds] if isinstance(kinds, str) else list(kinds or ())
    known = list(dict.fromkeys(_TYPE_ALIASES.get(kind, kind) for kind in several))
    if not known or not _KNOWN_TYPES.issuperset(known):
        return {}
    return {"type": known[0] if len(known) == 1 else known}
