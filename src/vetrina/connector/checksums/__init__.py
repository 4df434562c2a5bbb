"""Checksums by which the service compares its copy of a table with the site."""
