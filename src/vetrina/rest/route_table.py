"""Which route matches a path: a tree over the segments of all routes.

Fixed segments are looked up case-insensitively, then patterns are tried in the order of registration, then tails
(parameters whose pattern may match a slash). A path declared twice with the same method is an error at startup. Rules:
docs/rules/requests.md, 4.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cached_property

from vetrina.rest.route import Route, build_pattern


class DuplicateRoute(ValueError):
    """Two routes have the same method and the same path."""


@dataclass(eq=False)
class Endpoint:
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

    def takes(self, method: str) -> bool:
        """Return whether it has a route for a method, for any where that is empty."""
        return not method or method in self.by_method

    @property
    def methods(self) -> list[str]:
        return list(self.by_method)


class _SegmentPattern:
    """The pattern of a segment, or of a tail, compiled at first use.

    Few of them are ever asked; those of templates name so many letters that each takes 17 ms.
    """

    def __init__(self, text: str) -> None:
        self.text = text

    @cached_property
    def fullmatch(self) -> Callable[[str], re.Match[str] | None]:
        return re.compile(self.text, re.IGNORECASE | re.ASCII).fullmatch


@dataclass(eq=False)
class _RouteNode:
    fixed: dict[str, _RouteNode] = field(default_factory=dict)
    parameters: list[tuple[_SegmentPattern, _RouteNode]] = field(default_factory=list)
    tails: list[tuple[_SegmentPattern, Endpoint]] = field(default_factory=list)
    endpoint: Endpoint | None = None


class RouteTable:
    """All routes of a site."""

    def __init__(self, routes: Iterable[Route]) -> None:
        self.endpoints: dict[str, Endpoint] = {}
        self._root = _RouteNode()
        self._fixed_endpoints: dict[str, Endpoint] = {}
        for route in routes:
            endpoint = self.endpoints.get(route.pattern)
            if endpoint is None:
                endpoint = Endpoint(route.pattern, route.namespace, route.fixed)
                self.endpoints[route.pattern] = endpoint
                self._insert(route, endpoint)
            endpoint.add(route)

    def _insert(self, route: Route, endpoint: Endpoint) -> None:
        if route.fixed:
            self._fixed_endpoints[route.path.lower()] = endpoint
        node, segments = self._root, route.segments() if route.path != "/" else []
        for at, segment in enumerate(segments):
            if "(?P<" not in segment:
                node = node.fixed.setdefault(segment.lower(), _RouteNode())
            elif "/" in segment:
                rest = "/".join(part if "(?P<" in part else re.escape(part) for part in segments[at:])
                node.tails.append((_SegmentPattern(rest), endpoint))
                return
            else:
                known = next((child for other, child in node.parameters if other.text == segment), None)
                if known is None:
                    known = _RouteNode()
                    node.parameters.append((_SegmentPattern(segment), known))
                node = known
        node.endpoint = endpoint

    def get_endpoint(self, path: str) -> Endpoint:
        """Return the endpoint of a path that is written with parameters, as its routes declare it. Raises KeyError."""
        return self.endpoints[build_pattern(path)]

    def find(self, path: str, method: str = "") -> tuple[Endpoint, dict[str, str]] | None:
        """Return the first endpoint of a path with `method` (any method when empty), and its path parameters."""
        # The tree tries fixed segments first, so it would find a path without parameters first.
        known = self._fixed_endpoints.get(path.lower())
        if known is not None and known.takes(method):
            return known, {}
        if path == "/" or not path.startswith("/"):
            return None
        return _match(self._root, path[1:].split("/"), 0, method)


def _match(node: _RouteNode, segments: list[str], at: int, method: str) -> tuple[Endpoint, dict[str, str]] | None:
    """Return what `RouteTable.find` does, of the endpoints below a node, for the segments from one on."""
    if at == len(segments):
        return (node.endpoint, {}) if node.endpoint is not None and node.endpoint.takes(method) else None
    segment = segments[at]
    child = node.fixed.get(segment.lower())
    if child is not None and (found := _match(child, segments, at + 1, method)) is not None:
        return found
    for pattern, child in node.parameters:
        match = pattern.fullmatch(segment)
        if match is not None and (found := _match(child, segments, at + 1, method)) is not None:
            return found[0], {**match.groupdict(), **found[1]}
    if node.tails:
        rest = "/".join(segments[at:])
        for pattern, endpoint in node.tails:
            match = pattern.fullmatch(rest)
            if match is not None and endpoint.takes(method):
                return endpoint, match.groupdict()
    return None
