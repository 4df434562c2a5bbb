"""The schemas of records in the OpenAPI document, each under a name of its own, by context where they differ.

`Post` fits what a route answers in the contexts view and edit: members that only edit has are optional. `PostEdit` is
what edit has, `PostEmbed` what embed has; they are there where they differ from it. Why: docs/decisions/openapi.md.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, Protocol

from vetrina.rest.fields import EDIT, EMBED, Field
from vetrina.rest.response_fields import RECORD_KEYWORD
from vetrina.rest.response_schema import CONTEXTS, SHOWN, build_response_schema

SCHEMA_PATH: Final = "#/components/schemas/"
_WORDS: Final = re.compile(r"[A-Za-z0-9]+")
_SUFFIXES: Final[Mapping[str, str]] = {SHOWN: "", EDIT: "Edit", EMBED: "Embed"}
_CONTEXT_TEXTS: Final[Mapping[str, str]] = {
    SHOWN: ", as routes answer it in the contexts `view` and `edit`",
    EDIT: " in the context `edit`, as writes answer it",
    EMBED: " in the context `embed`",
}

RecordDeclaration = Callable[[], dict[str, Any]]


class RecordNaming(Protocol):
    """The names of a dialect that schemas have (rest/dialects)."""

    def schema(self, schema: dict[str, Any]) -> dict[str, Any]: ...

    def word(self, name: str) -> str: ...


class RecordSchemas:
    """The schemas of a document, filled while its routes are described.

    schemas: those that the document begins with, by name.
    """

    def __init__(self, naming: RecordNaming, schemas: Mapping[str, dict[str, Any]]) -> None:
        self.schemas = dict(schemas)
        self._naming = naming
        self._names: dict[tuple[int, ...], dict[str, str]] = {}
        # What the ids above belong to; another thing could have them once it is gone.
        self._held: list[Any] = []

    def refer(
        self, declaration: RecordDeclaration, response_fields: Mapping[str, Field], space: str, context: str = SHOWN
    ) -> dict[str, str]:
        """Return a reference to a record's schema in a context.

        response_fields: members beside the declared ones. space: the namespace that declares it, for its name.
        """
        names = self.name_contexts(declaration, response_fields, space)
        return {"$ref": SCHEMA_PATH + names.get(context, names[SHOWN])}

    def name_contexts(
        self, declaration: RecordDeclaration, response_fields: Mapping[str, Field], space: str
    ) -> dict[str, str]:
        """Return the names of a record's schemas by context; one that is the same as SHOWN is left out."""
        owner, function = getattr(declaration, "__self__", None), getattr(declaration, "__func__", declaration)
        key = (id(owner), id(function), id(response_fields))
        if key not in self._names:
            self._held.append((owner, function, response_fields))
            self._names[key] = self._add(declaration(), response_fields, space)
        return self._names[key]

    def build(self, field: Field, space: str) -> dict[str, Any]:
        """Return the schema of what a field of a response declares."""
        return build_response_schema(self._replace_records(self._naming.schema(field.schema()), space))

    def add(self, name: str, schema: dict[str, Any]) -> str:
        """Add a schema by a name that no other one has yet, and return the name that it got."""
        found, at = name, 1
        while self.schemas.setdefault(found, schema) != schema:
            at += 1
            found = f"{name}{at}"
        return found

    def _add(self, declared: dict[str, Any], response_fields: Mapping[str, Field], space: str) -> dict[str, str]:
        more = {name: one.schema() for name, one in response_fields.items()}
        declared = {**declared, "properties": {**declared.get("properties", {}), **more}}
        found = self._replace_records(self._naming.schema(declared), space)
        title = str(found.get("title") or "record")
        told = {context for one in found["properties"].values() for context in one.get("context", ())}
        published: dict[str, dict[str, Any]] = {}
        for context in CONTEXTS:
            if context == SHOWN or context in told:
                one = build_response_schema(found, context)
                one["properties"] |= {"_links": _LINKS_REFERENCE, "_embedded": _EMBEDDED_REFERENCE}
                if one != published.get(SHOWN):
                    published[context] = one
        for context, one in published.items():
            one.setdefault("description", f"`{title}`{_CONTEXT_TEXTS[context] if len(published) > 1 else ''}.")
        name = self._find_free_name(build_type_name(self._naming.word(space), title), title, published)
        return {context: self.add(name + _SUFFIXES[context], one) for context, one in published.items()}

    def _find_free_name(self, long: str, title: str, published: Mapping[str, dict[str, Any]]) -> str:
        """Return the title as a name; with the namespace where other records have that title."""
        short = build_type_name(title)
        taken = any(self.schemas.get(short + _SUFFIXES[context], one) != one for context, one in published.items())
        return long if taken else short

    def _replace_records(self, schema: Any, space: str) -> Any:
        """Return a schema whose records of other declarations are references."""
        if isinstance(schema, list):
            return [self._replace_records(one, space) for one in schema]
        if not isinstance(schema, dict):
            return schema
        if RECORD_KEYWORD in schema:
            declaration, response_fields = schema[RECORD_KEYWORD]
            return self.refer(declaration, response_fields, space)
        return {name: self._replace_records(one, space) for name, one in schema.items()}


def build_type_name(*parts: str) -> str:
    """Return words as the name of a type: `shop/v3` and `product_cat` are `ShopV3ProductCat`."""
    return "".join(word[:1].upper() + word[1:] for part in parts for word in _WORDS.findall(part))


def iterate_references(schema: Any) -> Iterator[str]:
    """Yield the names of the schemas that a part of a document refers to."""
    if isinstance(schema, dict):
        reference = schema.get("$ref")
        if isinstance(reference, str) and reference.startswith(SCHEMA_PATH):
            yield reference.removeprefix(SCHEMA_PATH)
        for one in schema.values():
            yield from iterate_references(one)
    elif isinstance(schema, list):
        for one in schema:
            yield from iterate_references(one)


_LINKS_REFERENCE: Final = {"$ref": f"{SCHEMA_PATH}Links"}
_EMBEDDED_REFERENCE: Final = {"$ref": f"{SCHEMA_PATH}Embedded"}
