"""Comparing two sources: records, reports, and what only one of them has."""
