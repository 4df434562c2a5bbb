"""Patterns of routes, as the index names them."""

from __future__ import annotations


def replace_groups(pattern: str) -> str:
    """Return the pattern of a route with `{}` for each group."""
    while (start := pattern.find("(?P<")) >= 0:
        depth, end = 0, start
        for end in range(start, len(pattern)):
            depth += {"(": 1, ")": -1}.get(pattern[end], 0)
            if depth == 0:
                break
        pattern = pattern[:start] + "{}" + pattern[end + 1 :]
    return pattern
