"""Which part of an address belongs to the interface: its roots, with and without a language, and `?rest_route=`.

Rules: interface.md, "Base address and route prefix"; the languages are the profile's.
"""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Door", "Doors"]


@dataclass(frozen=True, slots=True)
class Door:
    """An entry that was found: the language that the address names, the root's path, and the path of a route."""

    language: str
    root: str
    path: str


class Doors:
    """The roots of one dialect."""

    def __init__(self, languages: tuple[str, ...], default: str, prefix: str = "cms-json") -> None:
        self._default, self._prefix = default, prefix
        self._languages = frozenset(languages)

    def find(self, path: str, rest_route: str | None) -> Door | None:
        """Return the door that an address goes through, None when it is not one of the interface's."""
        language, rest = self._default, path
        head, _, tail = path[1:].partition("/")
        named = head in self._languages
        if named:
            language, rest = head, "/" + tail
        root = f"/{head}/{self._prefix}" if named else f"/{self._prefix}"
        if rest_route is not None and rest in ("/", "/index.php"):
            return Door(language, root, _trimmed(rest_route if rest_route.startswith("/") else "/" + rest_route))
        if rest == f"/{self._prefix}":
            return Door(language, root, "/")
        if rest.startswith(f"/{self._prefix}/"):
            return Door(language, root, _trimmed(rest[len(self._prefix) + 1 :]))
        return None


def _trimmed(path: str) -> str:
    return path.rstrip("/") or "/"
