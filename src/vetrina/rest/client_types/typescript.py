"""Writes types as TypeScript interfaces."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from typing import Final

from vetrina.rest.client_types.model import (
    ClientType,
    ListType,
    LiteralType,
    MapType,
    NamedType,
    ObjectDeclaration,
    PlainType,
    TypeDeclaration,
    UnionType,
)

_PLAIN: Final = {
    "any": "unknown", "boolean": "boolean", "integer": "number", "null": "null", "number": "number", "string": "string",
}  # fmt: skip
_IDENTIFIER: Final = re.compile(r"[A-Za-z_$][A-Za-z0-9_$]*")


def write_typescript(declarations: Iterable[TypeDeclaration], title: str) -> str:
    """Return a module that exports the types. title: its first line."""
    return "\n".join([f"// {title}", *(line for one in declarations for line in _iterate_lines(one))]) + "\n"


def _iterate_lines(declaration: TypeDeclaration) -> Iterator[str]:
    yield ""
    yield from _iterate_comment(declaration.text, "")
    if not isinstance(declaration, ObjectDeclaration):
        yield f"export type {declaration.name} = {_format_type(declaration.type)};"
        return
    yield f"export interface {declaration.name} {{"
    for member in declaration.members:
        yield from _iterate_comment(member.text, "  ")
        name = member.name if _IDENTIFIER.fullmatch(member.name) else json.dumps(member.name)
        yield f"  {name}{'' if member.required else '?'}: {_format_type(member.type)};"
    yield "}"


def _iterate_comment(text: str, indent: str) -> Iterator[str]:
    if text:
        yield f"{indent}/** {text.replace('*/', '* /')} */"


def _format_type(type: ClientType) -> str:
    match type:
        case PlainType(kind):
            return _PLAIN[kind]
        case LiteralType(values):
            return " | ".join(json.dumps(value, ensure_ascii=False) for value in values) or "never"
        case NamedType(name):
            return name
        case ListType(item):
            inner = _format_type(item)
            return f"({inner})[]" if " | " in inner else f"{inner}[]"
        case MapType(value):
            return f"{{ [name: string]: {_format_type(value)} }}"
        case UnionType(forms):
            return " | ".join(_format_type(form) for form in forms)
