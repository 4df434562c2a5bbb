"""Dialects: the names by which other clients know the interface."""
