"""Revisions and autosaves of records."""
