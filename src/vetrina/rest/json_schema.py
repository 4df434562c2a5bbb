"""The interface's schemas as JSON Schema of 2020, which OpenAPI 3.1 is written in.

The index and OPTIONS keep the older spelling, as existing clients read it. Rules: JSON Schema 2020-12; OpenAPI 3.1.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

__all__ = ["ANY", "modern", "object_of"]

_SAME = (
    "title", "description", "format", "enum", "default", "minLength", "maxLength", "pattern", "minItems", "maxItems",
    "uniqueItems", "minProperties", "maxProperties", "multipleOf",
)  # fmt: skip
_TYPES = {"int": "integer", "bool": "boolean", "float": "number", "date-time": "string", "text": "string"}
ANY = ("array", "boolean", "integer", "null", "number", "object", "string")
_KNOWN_TYPES = frozenset(ANY)
_PYTHON: dict[str, Any] = {
    "array": list, "boolean": bool, "integer": int, "null": type(None), "number": (int, float), "object": dict,
    "string": str,
}  # fmt: skip
_BOUNDS = (("minimum", "exclusiveMinimum"), ("maximum", "exclusiveMaximum"))


def modern(schema: Any, *, shown: bool = False) -> dict[str, Any]:
    """Return a schema in today's spelling.

    shown: it describes an answer: what only a request is held to (bounds, choices, formats) says nothing there, for
    stored values may be older than the rule.
    """
    if isinstance(schema, str):
        return _typed(schema)
    if not isinstance(schema, Mapping):
        return {}
    if "$ref" in schema:
        return {"$ref": schema["$ref"]}
    out = _typed(schema["type"]) if "type" in schema else {}
    for word in _SAME:
        if word in schema and not (shown and word not in ("title", "description")):
            out[word] = schema[word]
    if "default" in out and not _fits(out["default"], out.get("type")):
        # Text stands for a list of its items; a default of another kind says what is left out, not what is sent.
        default = out.pop("default")
        if out.get("type") == "array" and isinstance(default, str):
            out["default"] = [default] if default else []
    if "default" in out and out["default"] not in out.get("enum", (out["default"],)):
        del out["default"]
    for word, strict in () if shown else _BOUNDS:
        if word in schema:
            out[strict if schema.get(strict) is True else word] = schema[word]
    if schema.get("readonly"):
        out["readOnly"] = True
    if schema.get("context"):
        out["x-context"] = list(schema["context"])
    if "items" in schema:
        out["items"] = modern(schema["items"], shown=shown)
    if isinstance(properties := schema.get("properties"), Mapping):
        out |= object_of(properties, shown=shown, type=out.get("type", "object"))
    if isinstance(rest := schema.get("additionalProperties"), Mapping):
        out["additionalProperties"] = modern(rest, shown=shown)
    elif rest is False and not shown:
        out["additionalProperties"] = False
    elif rest is True and shown:
        out["additionalProperties"] = True
    if schema.get("maxItems") == 0:
        out["maxItems"] = 0
    for word in ("oneOf", "anyOf", "allOf"):
        if word in schema and (word == "anyOf" or not shown):
            out[word] = [modern(one, shown=shown) for one in schema[word]]
    if shown:
        _open(out, schema)
    return out


def _open(out: dict[str, Any], schema: Mapping[str, Any]) -> None:
    """Say of a value whose members or items nobody describes that it may have any."""
    described = {"properties", "additionalProperties", "items", "anyOf"}.intersection(out)
    if not described and not out.get("type"):
        out["type"] = list(ANY)
    kinds = [out["type"]] if isinstance(out.get("type"), str) else out.get("type", ())
    if not described and schema.get("maxItems") != 0 and not {"object", "array"}.isdisjoint(kinds):
        out["additionalProperties"] = True


def object_of(properties: Mapping[str, Any], *, shown: bool = False, type: Any = "object") -> dict[str, Any]:
    """Return the schema of an object with these members; which are required they say themselves."""
    members = {name: modern(one, shown=shown) for name, one in properties.items()}
    if shown:
        for name, one in members.items():
            _or_none(one, properties[name])
    out: dict[str, Any] = {"type": type, "properties": members}
    required = [name for name, one in properties.items() if isinstance(one, Mapping) and one.get("required") is True]
    if required and not shown:
        out["required"] = required
    return out


def _or_none(member: dict[str, Any], declared: Any) -> None:
    """Let a member of an answer be null, a moment false, a number empty: so the interface says that there is none."""
    if "type" in member:
        kinds = [member["type"]] if isinstance(member["type"], str) else member["type"]
        also = ["null"]
        if isinstance(declared, Mapping) and declared.get("format") == "date-time":
            also.append("boolean")
        if "string" not in kinds and not {"integer", "number"}.isdisjoint(kinds):
            also.append("string")
            member["maxLength"] = 0
        member["type"] = list(dict.fromkeys((*kinds, *also)))


def _fits(value: Any, kinds: Any) -> bool:
    """Say whether a value is of a type, or of one of several; None stands for any."""
    if kinds is None:
        return True
    return any(
        isinstance(value, _PYTHON[kind]) and (kind == "boolean" or not isinstance(value, bool))
        for kind in ([kinds] if isinstance(kinds, str) else kinds)
    )


def _typed(kinds: Any) -> dict[str, Any]:
    """Return the keyword `type` for one kind or several; nothing for one that can be anything."""
    several = [kinds] if isinstance(kinds, str) else list(kinds or ())
    known = list(dict.fromkeys(_TYPES.get(kind, kind) for kind in several))
    if not known or not _KNOWN_TYPES.issuperset(known):
        return {}
    return {"type": known[0] if len(known) == 1 else known}
