"""Collects the types of a site from its OpenAPI document: records, refusals, arguments of lists, bodies of writes.

Objects inside others have names of their own, made of those around them, so that programs can name them too. The order
is that of the names: the same site gives the same text. How they are written: typescript.py, python.py.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from vetrina.rest.client_types.model import (
    AliasDeclaration,
    ClientType,
    ListType,
    LiteralType,
    MapType,
    NamedType,
    ObjectDeclaration,
    PlainType,
    TypeDeclaration,
    TypeMember,
    UnionType,
)
from vetrina.rest.openapi_records import SCHEMA_PATH, build_type_name, iterate_references

_ANY: Final = PlainType("any")
_SENTENCE_ENDS: Final = ".:"
# Schemas that only say which codes a route has; the type `ErrorCode` has them all.
_REFUSAL_KEYWORD: Final = "allOf"


def collect_types(document: Mapping[str, Any]) -> list[TypeDeclaration]:
    """Return the types of a document, in the order of their names."""
    schemas: Mapping[str, Any] = document["components"]["schemas"]
    collector = _Collector(set(schemas))
    for name in sorted(_list_needed_schemas(document)):
        if _REFUSAL_KEYWORD not in schemas[name]:
            collector.declare(name, schemas[name])
    coded = [*document["x-codes-everywhere"]]
    for item in document["paths"].values():
        for operation in item.values():
            coded += operation["x-codes"]
            collector.declare_arguments(operation, document["components"]["parameters"])
    codes = {one["code"] for one in coded if not one["code"].isdigit()}
    text = "The codes that refusals of these routes have, and of any request before its route."
    collector.add(AliasDeclaration("ErrorCode", text, LiteralType(tuple(sorted(codes)))))
    return [collector.found[name] for name in sorted(collector.found)]


def _list_needed_schemas(document: Mapping[str, Any]) -> set[str]:
    """Return the names of the schemas of a document that its answers lead to, and those of other contexts."""
    schemas: Mapping[str, Any] = document["components"]["schemas"]
    found: set[str] = set()
    waiting = ["Error"]
    for item in document["paths"].values():
        for operation in item.values():
            waiting += iterate_references([operation["responses"], *operation.get("x-contexts", {}).values()])
            waiting += [one.removeprefix(SCHEMA_PATH) for one in operation.get("x-contexts", {}).values()]
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += iterate_references(schemas[name])
    return found


class _Collector:
    """The declarations that were found. taken: names that others have."""

    def __init__(self, taken: set[str]) -> None:
        self.found: dict[str, TypeDeclaration] = {}
        self._taken = taken

    def add(self, declaration: TypeDeclaration) -> None:
        self.found[declaration.name] = declaration
        self._taken.add(declaration.name)

    def declare(self, name: str, schema: Mapping[str, Any]) -> None:
        """Declare a schema under a name."""
        text = _build_text(schema)
        if schema.get("type") == "object" and "properties" in schema:
            self.add(ObjectDeclaration(name, text, tuple(self._iterate_members(name, schema))))
        else:
            self.add(AliasDeclaration(name, text, self._build_type(name, schema)))

    def declare_arguments(self, operation: Mapping[str, Any], shared: Mapping[str, Any]) -> None:
        """Declare the arguments of a list, or the body of a write."""
        name = build_type_name(operation["operationId"])
        if operation["operationId"].startswith("list"):
            members = []
            for one in operation["parameters"]:
                parameter = shared[one["$ref"].rpartition("/")[2]] if "$ref" in one else one
                if parameter["in"] == "query":
                    told = {**parameter["schema"], "description": parameter.get("description", "")}
                    required = bool(parameter.get("required"))
                    members.append(self._build_member(f"{name}Arguments", parameter["name"], told, required))
            text = f"{operation['summary']}: what may be asked."
            self.add(ObjectDeclaration(f"{name}Arguments", text, tuple(members)))
        body = operation.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema")
        if body and operation["operationId"].startswith(("create", "update")):
            text = f"{operation['summary']}: what may be sent."
            self.add(ObjectDeclaration(f"{name}Body", text, tuple(self._iterate_members(f"{name}Body", body))))

    def _iterate_members(self, name: str, schema: Mapping[str, Any]) -> Iterator[TypeMember]:
        required = set(schema.get("required", ()))
        for member, one in schema["properties"].items():
            yield self._build_member(name, member, one, member in required)

    def _build_member(self, name: str, member: str, schema: Mapping[str, Any], required: bool) -> TypeMember:
        return TypeMember(
            member, self._build_type(name + build_type_name(member), schema), required, _build_text(schema)
        )

    def _build_type(self, name: str, schema: Mapping[str, Any]) -> ClientType:
        """Return the type of a schema. name: that of the object that it may declare."""
        if reference := schema.get("$ref"):
            return NamedType(str(reference).removeprefix(SCHEMA_PATH))
        if forms := schema.get("anyOf") or schema.get("oneOf"):
            return _unite(self._build_type(name, form) for form in forms)
        if "enum" in schema:
            values = tuple(value for value in schema["enum"] if value is not None)
            nulls = (PlainType("null"),) if None in schema["enum"] else ()
            return _unite([LiteralType(values), *nulls])
        kinds = schema.get("type", ())
        return _unite(self._build_kind(name, kind, schema) for kind in ([kinds] if isinstance(kinds, str) else kinds))

    def _build_kind(self, name: str, kind: str, schema: Mapping[str, Any]) -> ClientType:
        if kind == "array":
            return ListType(self._build_type(f"{name}Item", schema["items"]) if schema.get("items") else _ANY)
        if kind != "object":
            # The document has no other kinds; JSON schemas are dictionaries to mypy.
            return PlainType(kind)  # type: ignore[arg-type]
        if schema.get("properties"):
            free = name
            while free in self._taken:
                free += "Value"
            self.add(ObjectDeclaration(free, _build_text(schema), tuple(self._iterate_members(free, schema))))
            return NamedType(free)
        rest = schema.get("additionalProperties")
        return MapType(self._build_type(f"{name}Value", rest) if isinstance(rest, Mapping) else _ANY)


def _unite(forms: Iterator[ClientType] | list[ClientType]) -> ClientType:
    """Return the union of several types, of which any makes all others needless."""
    flat: dict[ClientType, None] = {}
    for form in forms:
        flat.update(dict.fromkeys(form.forms if isinstance(form, UnionType) else (form,)))
    if not flat or _ANY in flat:
        return _ANY
    return next(iter(flat)) if len(flat) == 1 else UnionType(tuple(flat))


def _build_text(schema: Mapping[str, Any]) -> str:
    text = " ".join(str(schema.get("description", "")).split())
    return text if not text or text[-1] in _SENTENCE_ENDS else f"{text}."
