"""What a declaration of a type says, in no language: names, members, unions. How one is made: collecting.py."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class PlainType:
    """A value of one kind; "any" for one whose type is not declared."""

    kind: Literal["any", "boolean", "integer", "null", "number", "string"]


@dataclass(frozen=True)
class LiteralType:
    """One of the values of a closed set."""

    values: tuple[str | int | bool, ...]


@dataclass(frozen=True)
class NamedType:
    """A type that is declared by its name."""

    name: str


@dataclass(frozen=True)
class ListType:
    """A list of values of one type."""

    item: ClientType


@dataclass(frozen=True)
class MapType:
    """An object that has values of one type under any name."""

    value: ClientType


@dataclass(frozen=True)
class UnionType:
    """A value of one of several types."""

    forms: tuple[ClientType, ...]


ClientType = PlainType | LiteralType | NamedType | ListType | MapType | UnionType


@dataclass(frozen=True)
class TypeMember:
    """A member of an object. text: what it is, in one line; empty where nobody says."""

    name: str
    type: ClientType
    required: bool
    text: str


@dataclass(frozen=True)
class ObjectDeclaration:
    """An object with members, by its name."""

    name: str
    text: str
    members: tuple[TypeMember, ...]


@dataclass(frozen=True)
class AliasDeclaration:
    """Another type by a name."""

    name: str
    text: str
    type: ClientType


TypeDeclaration = ObjectDeclaration | AliasDeclaration
