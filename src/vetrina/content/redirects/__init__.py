"""Redirects: where addresses lead that have no page any more."""
