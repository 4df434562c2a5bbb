"""Writes types as Python's typed dictionaries, for Python 3.11 and later."""

from __future__ import annotations

import keyword
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
    "any": "object", "boolean": "bool", "integer": "int", "null": "None", "number": "float", "string": "str",
}  # fmt: skip
_IMPORTS: Final = "from typing import Literal, NotRequired, TypeAlias, TypedDict"


def write_python(declarations: Iterable[TypeDeclaration], title: str) -> str:
    """Return a module that has the types. title: its docstring."""
    found = list(declarations)
    names = [f'    "{one.name}",' for one in found]
    head = [f'"""{title}"""', "", "from __future__ import annotations", "", _IMPORTS, "", "__all__ = [", *names, "]"]
    return "\n".join([*head, *(line for one in found for line in _iterate_lines(one))]) + "\n"


def _iterate_lines(declaration: TypeDeclaration) -> Iterator[str]:
    yield from ("", "")
    if not isinstance(declaration, ObjectDeclaration):
        if declaration.text:
            yield f"# {declaration.text}"
        # A type may name one that stands below it.
        yield f"{declaration.name}: TypeAlias = {_quote(_format_type(declaration.type))}"
        return
    if all(member.name.isidentifier() and not keyword.iskeyword(member.name) for member in declaration.members):
        yield from _iterate_class_lines(declaration)
        return
    if declaration.text:
        yield f"# {declaration.text}"
    yield f'{declaration.name} = TypedDict("{declaration.name}", {{'
    for member in declaration.members:
        if member.text:
            yield f"    # {member.text}"
        yield f"    {_quote(member.name)}: {_quote(_format_member(member.type, member.required))},"
    yield "})"


def _iterate_class_lines(declaration: ObjectDeclaration) -> Iterator[str]:
    yield f"class {declaration.name}(TypedDict):"
    if declaration.text:
        yield f'    """{declaration.text.replace(chr(92), chr(92) * 2).replace(chr(34), chr(39))}"""'
        yield ""
    for member in declaration.members:
        if member.text:
            yield f"    # {member.text}"
        yield f"    {member.name}: {_format_member(member.type, member.required)}"
    if not declaration.members and not declaration.text:
        yield "    pass"


def _format_member(type: ClientType, required: bool) -> str:
    return _format_type(type) if required else f"NotRequired[{_format_type(type)}]"


def _format_type(type: ClientType) -> str:
    match type:
        case PlainType(kind):
            return _PLAIN[kind]
        case LiteralType(values):
            return f"Literal[{', '.join(repr(value) for value in values)}]"
        case NamedType(name):
            return name
        case ListType(item):
            return f"list[{_format_type(item)}]"
        case MapType(value):
            return f"dict[str, {_format_type(value)}]"
        case UnionType(forms):
            return " | ".join(_format_type(form) for form in forms)


def _quote(text: str) -> str:
    return repr(text)
