"""Demonstration sites: realistic content of our own, written through the site's own routes so that every rule holds.

Start reading at `demo/seeding.py`. The texts are in `texts/*.toml`; the modules here only assemble them.
"""
