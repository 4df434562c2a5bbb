"""The language in which the interface is declared: fields, routes, validation, dispatching, the index, OpenAPI."""
