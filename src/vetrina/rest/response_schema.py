"""What a response has: a declared schema in JSON Schema 2020-12, with the members that are always there as `required`.

A member of a record is there in its contexts; what else may be missing, null or empty says its field (`optional`,
`unset`, `values` in rest/fields/field.py). Bounds, formats and patterns of requests are left out, since what is stored
may be older than the rule. Schemas of requests: rest/json_schema.py. Decided in docs/decisions/openapi.md.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from vetrina.rest.fields.field import EDIT, EMBED, RESPONSE_KEYWORD, VIEW
from vetrina.rest.json_schema import ALL_TYPES, build_type_keyword

# The context of a schema that fits what a route answers in both, and those of one context alone.
SHOWN: Final = "shown"
CONTEXTS: Final = (SHOWN, EDIT, EMBED)

_NO_FACTS: Final[Mapping[str, Any]] = {}
_UNFILTERED_DEPTH: Final = 2  # levels below which serializers leave nothing out
# What is said of a member as a whole, whatever forms it has.
_OUTER_KEYWORDS: Final = ("description", "readOnly", "x-context")
_ID_FACTS: Final = {"format": "int64", "minimum": 1}


def build_response_schema(schema: Any, context: str = "") -> dict[str, Any]:
    """Return the schema of what a response has where a schema is declared.

    context: of a record, SHOWN for one that fits view and edit alike; empty where there are no contexts.
    """
    return _build_schema(schema, context, 0)


def _build_schema(schema: Any, context: str, depth: int) -> dict[str, Any]:
    if isinstance(schema, str):
        return build_type_keyword(schema)
    if not isinstance(schema, Mapping):
        return {}
    if "$ref" in schema:
        return {"$ref": schema["$ref"]}
    out = build_type_keyword(schema["type"]) if "type" in schema else {}
    if "description" in schema:
        out["description"] = schema["description"]
    if schema.get("readonly"):
        out["readOnly"] = True
    if schema.get("context"):
        out["x-context"] = list(schema["context"])
    if "items" in schema:
        out["items"] = _build_schema(schema["items"], context, depth + 1)
    if isinstance(properties := schema.get("properties"), Mapping):
        out |= {"type": out.get("type", "object"), **_build_members(properties, context, depth)}
    rest = schema.get("additionalProperties")
    if isinstance(rest, Mapping):
        out["additionalProperties"] = _build_schema(rest, context, depth + 1)
    elif rest is True:
        out["additionalProperties"] = True
    if schema.get("maxItems") == 0:
        out["maxItems"] = 0
    if "anyOf" in schema:
        out["anyOf"] = [_build_schema(form, context, depth + 1) for form in schema["anyOf"]]
    _allow_any_members(out, schema)
    _close_values(out, schema)
    return out


def _build_members(properties: Mapping[str, Any], context: str, depth: int) -> dict[str, Any]:
    """Return the members of an object, and which of them are always there.

    depth: of the object in a record, whose serializer leaves out members of other contexts, and of its own objects
    those that have none beside others that have.
    """
    contexts = {name: frozenset(one.get("context", ())) for name, one in properties.items() if isinstance(one, Mapping)}
    told = depth < _UNFILTERED_DEPTH and any(contexts.values())
    edited = any(EDIT in found for found in contexts.values())
    shown = frozenset({VIEW, EDIT}) if edited else frozenset({VIEW})
    members: dict[str, Any] = {}
    required: list[str] = []
    for name, one in properties.items():
        found = contexts.get(name, frozenset())
        everywhere = not context or (not found and not (told and depth))
        wanted = shown if context == SHOWN else frozenset({context})
        if told and not everywhere and wanted.isdisjoint(found):
            continue
        facts = one.get(RESPONSE_KEYWORD, _NO_FACTS) if isinstance(one, Mapping) else _NO_FACTS
        if facts.get("omitted"):
            continue
        member = _build_schema(one, context, depth + 1)
        if name == "id" and member.get("type") == "integer" and member.get("readOnly"):
            member |= _ID_FACTS
        members[name] = _allow_unset(member, facts.get("unset", ()))
        if (everywhere or wanted.issubset(found)) and not facts.get("optional"):
            required.append(name)
    return {"properties": members, **({"required": required} if required else {})}


def _close_values(out: dict[str, Any], schema: Mapping[str, Any]) -> None:
    """Name the values of a closed set."""
    values = schema.get(RESPONSE_KEYWORD, _NO_FACTS).get("enum", schema.get("enum"))
    if values and out.get("type") in ("string", "integer"):
        out["enum"] = list(values)


def _allow_unset(member: dict[str, Any], unset: Any) -> dict[str, Any]:
    """Return the schema of a member that may also have what stands for no value."""
    if 0 in [one for one in unset if one is not False] and "minimum" in member:
        member = {**member, "minimum": 0}
    outer: dict[str, Any] = {word: member[word] for word in _OUTER_KEYWORDS if word in member}
    inner = {word: one for word, one in member.items() if word not in outer}
    kinds = [kind for value, kind in ((None, "null"), (False, "boolean")) if any(one is value for one in unset)]
    if kinds and ("anyOf" in inner or "$ref" in inner):
        inner = {"anyOf": [*inner.get("anyOf", [inner]), *({"type": kind} for kind in kinds)]}
    elif kinds and "type" in inner:
        known = [inner["type"]] if isinstance(inner["type"], str) else inner["type"]
        inner["type"] = list(dict.fromkeys((*known, *kinds)))
        if "enum" in inner and "null" in kinds:
            inner["enum"] = [*inner["enum"], None]
    if (texts := [one for one in unset if isinstance(one, str)]) and "type" in inner:
        inner = {"anyOf": [inner, {"type": "string", "enum": texts}]}
    return {**inner, **outer}


def _allow_any_members(out: dict[str, Any], schema: Mapping[str, Any]) -> None:
    """Allow any members in a value whose members or items are not described."""
    described = {"properties", "additionalProperties", "items", "anyOf"}.intersection(out)
    if not described and not out.get("type"):
        out["type"] = list(ALL_TYPES)
    kinds = [out["type"]] if isinstance(out.get("type"), str) else out.get("type", ())
    if not described and schema.get("maxItems") != 0 and not {"object", "array"}.isdisjoint(kinds):
        out["additionalProperties"] = True
    if "array" in kinds:
        # Generators refuse a list that does not say of what.
        out.setdefault("items", {})
