"""The site describes itself: root index, namespace index, OPTIONS, all from the declared routes.

What a route says that does not depend on the request is worked out once, when it is first asked for.
Rules: interface.md, "Root index"; facts, "Index, namespaces, OPTIONS".
"""

from __future__ import annotations

from typing import Any

from vetrina.kernel.errors import ApiError
from vetrina.rest.route_table import Place, Table

__all__ = ["Index", "InvalidNamespace"]


class InvalidNamespace(ApiError):
    """The parameter `namespace` names none of this site."""

    status, code = 404, "rest_invalid_namespace"
    message = "There is no namespace {namespace!r} here. GET / lists them."


class Index:
    """What the routes of a table say about themselves."""

    def __init__(self, table: Table, namespaces: tuple[str, ...]) -> None:
        self.namespaces = namespaces
        self.table = table
        self._described: dict[str, dict[str, Any]] = {}

    def _describe(self, place: Place) -> dict[str, Any]:
        found = self._described.get(place.pattern)
        if found is None:
            found = self._described[place.pattern] = {
                "namespace": place.namespace,
                "methods": place.methods,
                "endpoints": [
                    {
                        "methods": list(route.methods),
                        **({"allow_batch": {"v1": route.batch}} if route.batch is not None else {}),
                        "args": {name: arg.argument() for name, arg in route.args.items() if arg.written},
                    }
                    for route in place.routes
                ],
            }
        return found

    def described(self, place: Place, root: str, with_schema: bool = False) -> dict[str, Any]:
        """Return a route's entry; `root` is the API root for its own address."""
        out = dict(self._describe(place))
        if with_schema:
            schema = next((route.schema for route in place.routes if route.schema), None)
            if schema is not None:
                shown = out["schema"] = schema()
                if "links" in shown:
                    shown["links"] = [{**entry, "href": root + entry["href"]} for entry in shown["links"]]
        if place.fixed:
            out["_links"] = {"self": [{"href": root + place.pattern}]}
        return out

    def routes(self, root: str, namespace: str | None = None, with_schema: bool = False) -> dict[str, Any]:
        """Return the entries of all routes, or of one namespace, by pattern."""
        return {
            pattern: self.described(place, root, with_schema)
            for pattern, place in self.table.places.items()
            if namespace is None or place.namespace == namespace
        }

    def of_namespace(self, namespace: str, root: str, with_schema: bool = False) -> dict[str, Any]:
        """Return the index of one namespace. Raises InvalidNamespace."""
        if namespace not in self.namespaces:
            raise InvalidNamespace(namespace=namespace)
        return {"namespace": namespace, "routes": self.routes(root, namespace, with_schema)}
