"""What `_fields` asks for: which members of a response a client gets, a whole member before a part of it.

Not here: how records are serialized with it (rest/serializer.py), where a removal applies it (rest/resource.py).
Rules: docs/rules/global_parameters.md, 1 and 2.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from vetrina.rest.coercion import coerce_array

FieldTree = dict[str, "FieldTree | None"]
_MAX_CACHED = 512
_MAX_CACHED_LENGTH = 2000  # characters of a choice that is cached between requests


class FieldSelection:
    """What `_fields` asks for: a tree of names; a whole member wins over its children.

    is_cached: whether it is kept between requests. last_plan: the plan of one that is not, with its serializer and
    context.
    """

    __slots__ = ("is_cached", "last_plan", "names", "tree")

    def __init__(self, names: tuple[str, ...], is_cached: bool = True) -> None:
        self.names, self.is_cached = names, is_cached
        self.last_plan: tuple[object, str, Any] | None = None
        self.tree: FieldTree = {}
        for name in names:
            node = self.tree
            parts = name.split(".")
            for part in parts[:-1]:
                known = node.setdefault(part, {})
                if known is None:
                    break
                node = known
            else:
                node[parts[-1]] = None

    def has_links(self) -> bool:
        """Return whether links or embedded records are asked for."""
        return "_links" in self.tree or "_embedded" in self.tree


@lru_cache(maxsize=_MAX_CACHED)
def _build_field_selection(names: tuple[str, ...]) -> FieldSelection:
    return FieldSelection(names)


def parse_field_selection(raw: Any) -> FieldSelection | None:
    """Return what the raw value of `_fields` asks for, None for everything."""
    names = tuple(name.strip() for name in coerce_array(raw) or () if isinstance(name, str) and name.strip())
    if not names:
        return None
    # Choices come from clients: the number and length of cached ones is bounded.
    return (
        _build_field_selection(names)
        if sum(map(len, names)) <= _MAX_CACHED_LENGTH
        else FieldSelection(names, is_cached=False)
    )


def select_fields(body: Any, tree: FieldTree) -> Any:
    """Return the members of a response that the tree names, in the response's own order."""
    if isinstance(body, list):
        return [select_fields(item, tree) for item in body]
    if not isinstance(body, dict):
        return body
    out = {}
    for name, value in body.items():
        if name in tree:
            below = tree[name]
            if below is None:
                out[name] = value
            elif isinstance(value, (dict, list)):
                out[name] = select_fields(value, below) if isinstance(value, dict) else value
    return out
