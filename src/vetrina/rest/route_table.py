"""Which route answers a path: a tree over the segments of all routes.

Fixed segments are looked up without regard to letter case, then patterns are tried in the order of registration, then
tails (holes whose pattern may cross a stroke). A path written twice with the same method stops the start.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from vetrina.rest.route import Route, pattern_of

__all__ = ["DuplicateRoute", "Place", "Table"]


class DuplicateRoute(ValueError):
    """Two routes answer the same method on the same path."""


@dataclass(eq=False)
class Place:
    """One path with all its routes, in the order of registration."""

    pattern: str
    namespace: str
    fixed: bool
    routes: list[Route] = field(default_factory=list)
    by_method: dict[str, Route] = field(default_factory=dict)

    def add(self, route: Route) -> None:
        for method in route.methods:
            if method in self.by_method:
                raise DuplicateRoute(f"{method} {self.pattern} is declared twice")
            self.by_method[method] = route
        self.routes.append(route)

    @property
    def methods(self) -> list[str]:
        return list(self.by_method)


@dataclass(eq=False)
class _Node:
    fixed: dict[str, _Node] = field(default_factory=dict)
    holes: list[tuple[re.Pattern[str], _Node]] = field(default_factory=list)
    tails: list[tuple[re.Pattern[str], Place]] = field(default_factory=list)
    place: Place | None = None


class Table:
    """All routes of a site."""

    def __init__(self, routes: Iterable[Route]) -> None:
        self.places: dict[str, Place] = {}
        self._root = _Node()
        self._without_holes: dict[str, Place] = {}
        for route in routes:
            place = self.places.get(route.pattern)
            if place is None:
                place = Place(route.pattern, route.namespace, route.fixed)
                self.places[route.pattern] = place
                self._insert(route, place)
            place.add(route)

    def _insert(self, route: Route, place: Place) -> None:
        if route.fixed:
            self._without_holes[route.path.lower()] = place
        node, segments = self._root, route.segments() if route.path != "/" else []
        for at, segment in enumerate(segments):
            if "(?P<" not in segment:
                node = node.fixed.setdefault(segment.lower(), _Node())
            elif "/" in segment:
                rest = "/".join(part if "(?P<" in part else re.escape(part) for part in segments[at:])
                node.tails.append((re.compile(rest, re.IGNORECASE | re.ASCII), place))
                return
            else:
                pattern = re.compile(segment, re.IGNORECASE | re.ASCII)
                known = next((child for other, child in node.holes if other.pattern == segment), None)
                if known is None:
                    known = _Node()
                    node.holes.append((pattern, known))
                node = known
        node.place = place

    def place(self, path: str) -> Place:
        """Return the place of a path that is written with holes, as its routes have it. Raises KeyError."""
        return self.places[pattern_of(path)]

    def find(self, path: str, method: str = "") -> tuple[Place, dict[str, str]] | None:
        """Return the first place of a path that answers `method` (any method when empty) and what its holes matched."""
        # The tree tries fixed segments first, so what has no holes is what it would find first.
        known = self._without_holes.get(path.lower())
        if known is not None and (not method or method in known.by_method):
            return known, {}
        if path == "/" or not path.startswith("/"):
            return None
        for place, holes in self._walk(self._root, path[1:].split("/"), 0):
            if not method or method in place.by_method:
                return place, holes
        return None

    def _walk(self, node: _Node, segments: list[str], at: int) -> Iterator[tuple[Place, dict[str, str]]]:
        if at == len(segments):
            if node.place is not None:
                yield node.place, {}
            return
        segment = segments[at]
        child = node.fixed.get(segment.lower()) if node.fixed else None
        if child is not None:
            yield from self._walk(child, segments, at + 1)
        for pattern, child in node.holes:
            match = pattern.fullmatch(segment)
            if match:
                for place, holes in self._walk(child, segments, at + 1):
                    yield place, {**match.groupdict(), **holes}
        if node.tails:
            rest = "/".join(segments[at:])
            for pattern, place in node.tails:
                match = pattern.fullmatch(rest)
                if match:
                    yield place, match.groupdict()
