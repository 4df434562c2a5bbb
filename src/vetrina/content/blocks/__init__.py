"""Blocks: grammar, types, and those that the server renders."""
