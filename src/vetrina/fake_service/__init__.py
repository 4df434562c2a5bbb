"""A service that sites may register with: for tests, for demonstrations, and as a pattern for a real one.

It knows nothing of a site's inside: it speaks the connector's routes over HTTP, like any other service.
"""
