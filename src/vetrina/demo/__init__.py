"""Demonstration sites: believable content of our own, written through the site's own routes so that every rule holds.

`demo/seeding.py` is where to begin. What is said stands in `texts/*.toml`; the modules here only put it together.
"""
