"""Every readable route of a site, asked with the ids and names that its lists show, in every context.

Not here: what is made of the answers (test_answers_are_true.py).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from vetrina.core.user import User
from vetrina.rest.call import Request, Response
from vetrina.rest.fields import String
from vetrina.rest.openapi import split_pattern
from vetrina.rest.route import Route
from vetrina.rest.route_table import Endpoint
from vetrina.site import Site

__all__ = ["ReadableRoutes"]

ORIGIN = "http://vetrina.test"
ROOT = f"{ORIGIN}/en/cms-json"
_NAMES = ("id", "uuid", "slug", "code", "stylesheet", "plugin", "name", "key", "wp_id")
# Values of path parameters that no list contains.
_KNOWN = ("1", "2", "post", "core/archives", "category", "general", "bacs", "me")
# Arguments that a route requires.
_REQUIRED = {
    "url": f"{ORIGIN}/?p=1", "slug": "index", "term": "x", "search": "a", "options": "blogname,admin_email",
    "type": "products", "plugin": "shop/shop", "email": "someone@example.org",
}  # fmt: skip


@dataclass
class ReadableRoutes:
    """The readable routes of a site. values: how many values each path parameter takes."""

    site: Site
    caller: User
    values: int = 4
    _listed: dict[str, list[str]] = field(default_factory=dict)

    def read_all(self) -> Iterator[tuple[Endpoint, str, Response]]:
        """Yield every answer, with its endpoint and its context, empty where the route has none."""
        for endpoint in self.site.table.endpoints.values():
            route = endpoint.by_method.get("GET")
            if route is None:
                continue
            for path in self._fill(endpoint):
                for context in list_contexts(route):
                    for more in ({}, {"_embed": "1"}) if context in ("", "view") else ({},):
                        request = self._ask(path, route, context, more)
                        yield endpoint, context, self.site.dispatcher.answer(request, self.caller)

    def _ask(self, path: str, route: Route, context: str, more: dict[str, str]) -> Request:
        query = {name: value for name, value in _REQUIRED.items() if name in route.args and route.args[name].required}
        if context:
            query["context"] = context
        if "per_page" in route.args:
            query["per_page"] = "100"
        statuses = route.args.get("status")
        if context == "edit" and statuses is not None and "any" in str(statuses.schema()):
            query["status"] = "any"
        return Request("GET", path, ROOT, ORIGIN, "en", {**query, **more})

    def _fill(self, endpoint: Endpoint) -> list[str]:
        """Return the paths of an endpoint, with its parameters filled from left to right."""
        rest, parameters = split_pattern(endpoint.pattern)
        paths = [""]
        for name, pattern in parameters:
            front, _, rest = rest.partition(f"{{{name}}}")
            begun = [path + front for path in paths]
            paths = [path + value for path in begun for value in self._list_values(path.rstrip("/"), pattern)]
        return [path + rest for path in paths][: self.values * 2]

    def _list_values(self, above: str, pattern: str) -> list[str]:
        if above not in self._listed:
            found = self.site.table.find(above, "GET")
            route = found[0].by_method["GET"] if found else None
            body = None
            if route is not None:
                contexts = list_contexts(route)
                request = self._ask(above, route, "edit" if "edit" in contexts else contexts[0], {})
                body = self.site.dispatcher.answer(request, self.caller).body
            self._listed[above] = list(dict.fromkeys(_iterate_names(body)))
        fitting = [value for value in self._listed[above] if re.fullmatch(pattern, value)]
        # Spread over the list, so that its records are of several kinds.
        spread = fitting[:: -(-len(fitting) // self.values) or 1]
        return spread or [value for value in _KNOWN if re.fullmatch(pattern, value)][:1] or ["1"]


def list_contexts(route: Route) -> tuple[str, ...]:
    """Return the contexts in which a route answers; one empty text for a route without."""
    argument = route.args.get("context")
    return argument.enum if isinstance(argument, String) and argument.enum else ("",)


def _iterate_names(body: Any) -> Iterator[str]:
    records = body if isinstance(body, list) else list(body.values()) if isinstance(body, dict) else []
    if isinstance(body, dict):
        yield from (str(name) for name in body)
    for record in records:
        if isinstance(record, dict):
            yield from (str(record[name]) for name in _NAMES if isinstance(record.get(name), (str, int)))
