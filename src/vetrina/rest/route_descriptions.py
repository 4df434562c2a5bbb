"""The site describes itself: root index, namespace index, OPTIONS, all from the declared routes.

The parts of a route's description that do not depend on the request are built once, on first use. Rules:
docs/rules/root_index.md, 3, 4 and 5.
"""

from __future__ import annotations

from typing import Any

from vetrina.kernel.errors import ApiError, Failure
from vetrina.rest.fields import remove_response_facts
from vetrina.rest.route_table import Endpoint, RouteTable


class InvalidNamespace(ApiError):
    """The parameter `namespace` names none of this site."""

    failure, code = Failure.NOT_FOUND, "rest_invalid_namespace"
    message = "There is no namespace {namespace!r} here. GET / lists them."


class RouteIndex:
    """The descriptions of the routes of a table."""

    def __init__(self, table: RouteTable, namespaces: tuple[str, ...]) -> None:
        self.namespaces = namespaces
        self.table = table
        self._entries: dict[str, dict[str, Any]] = {}

    def _build_entry(self, endpoint: Endpoint) -> dict[str, Any]:
        found = self._entries.get(endpoint.pattern)
        if found is None:
            found = self._entries[endpoint.pattern] = {
                "namespace": endpoint.namespace,
                "methods": endpoint.methods,
                "endpoints": [
                    {
                        "methods": list(route.methods),
                        **({"allow_batch": {"v1": route.batch}} if route.batch is not None else {}),
                        "args": {
                            name: remove_response_facts(arg.argument())
                            for name, arg in route.args.items()
                            if arg.written and arg.in_index
                        },
                    }
                    for route in endpoint.routes
                ],
            }
        return found

    def describe_endpoint(self, endpoint: Endpoint, root: str, with_schema: bool = False) -> dict[str, Any]:
        """Return a route's entry; root: the API root for its URL."""
        out = dict(self._build_entry(endpoint))
        if with_schema:
            schema = next((route.schema for route in endpoint.routes if route.schema), None)
            if schema is not None:
                record_schema = out["schema"] = remove_response_facts(schema())
                if "links" in record_schema:
                    record_schema["links"] = [
                        {**entry, "href": root + entry["href"]} for entry in record_schema["links"]
                    ]
        if endpoint.fixed:
            out["_links"] = {"self": [{"href": root + endpoint.pattern}]}
        return out

    def list_routes(self, root: str, namespace: str | None = None, with_schema: bool = False) -> dict[str, Any]:
        """Return the entries of all routes, or of one namespace, by pattern."""
        return {
            pattern: self.describe_endpoint(endpoint, root, with_schema)
            for pattern, endpoint in self.table.endpoints.items()
            if namespace is None or endpoint.namespace == namespace
        }

    def describe_namespace(self, namespace: str, root: str, with_schema: bool = False) -> dict[str, Any]:
        """Return the index of one namespace. Raises InvalidNamespace."""
        if namespace not in self.namespaces:
            raise InvalidNamespace(namespace=namespace)
        return {"namespace": namespace, "routes": self.list_routes(root, namespace, with_schema)}
