"""Which part of an address belongs to the interface: its roots, with and without a language, and `?rest_route=`.

Each dialect of a site has a root of its own, and what comes through its door is in neutral names from here on.
Rules: interface.md, "Base address and route prefix"; the languages are the profile's.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from vetrina.rest.dialects.dialect import Dialect

__all__ = ["NEUTRAL_PREFIX", "Door", "Doors"]

NEUTRAL_PREFIX = "cms-json"


@dataclass(frozen=True, slots=True)
class Door:
    """An entry that was found: the language that the address names, the root's path, and the path of a route.

    dialect: what is spoken there, None for neutral names.
    """

    language: str
    root: str
    path: str
    dialect: Dialect | None = None


class Doors:
    """The roots of a site.

    dialects: in the order in which they are asked for an address that could be either's; None is the neutral one.
    """

    def __init__(self, languages: tuple[str, ...], default: str, dialects: Sequence[Dialect | None] = (None,)) -> None:
        self._default = default
        self._languages = frozenset(languages)
        self._dialects = {dialect.prefix if dialect else NEUTRAL_PREFIX: dialect for dialect in dialects}

    @property
    def roots(self) -> list[tuple[str, Dialect | None]]:
        """Return the path of each root of the default language, and what is spoken there."""
        return [(f"/{prefix}", dialect) for prefix, dialect in self._dialects.items()]

    def find(self, path: str, rest_route: str | None) -> Door | None:
        """Return the door that an address goes through, None when it is not one of the interface's."""
        language, rest = self._default, path[1:]
        head, _, tail = rest.partition("/")
        named = head in self._languages
        if named:
            language, rest = head, tail
        before = f"/{head}" if named else ""
        if rest_route is not None and rest in ("", "index.php"):
            return self._by_route(language, before, rest_route if rest_route.startswith("/") else "/" + rest_route)
        prefix, _, tail = rest.partition("/")
        if prefix not in self._dialects or not path.startswith("/"):
            return None
        return self._door(language, before, prefix, "/" + tail)

    def _door(self, language: str, before: str, prefix: str, path: str) -> Door:
        dialect = self._dialects[prefix]
        path = path.rstrip("/") or "/"
        return Door(language, f"{before}/{prefix}", dialect.path(path) if dialect else path, dialect)

    def _by_route(self, language: str, before: str, path: str) -> Door:
        """Return the door that a path without a root goes through: the first whose names it may be in."""
        fitting = next(
            (prefix for prefix, dialect in self._dialects.items() if not self._foreign(path, dialect)),
            next(iter(self._dialects)),
        )
        return self._door(language, before, fitting, path)

    def _foreign(self, path: str, dialect: Dialect | None) -> bool:
        """Say whether a path begins with a namespace that another dialect has and this one has not."""
        if dialect is not None:
            return dialect.names.speaks(path) is False
        return any(other is not None and other.names.speaks(path) for other in self._dialects.values())
