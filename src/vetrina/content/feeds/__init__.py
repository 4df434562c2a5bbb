"""Feeds of other sites, shown by blocks."""
