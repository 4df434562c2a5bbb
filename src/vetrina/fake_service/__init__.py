"""A fake of the service that sites register with: for tests, demonstrations, and as a pattern for a real one.

It uses the connector's routes over HTTP, like any other service, and nothing of a site's internals.
"""
