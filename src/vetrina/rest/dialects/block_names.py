"""The names that blocks of modules have in contents: the neutral one, and one in each dialect.

Contents are stored as they were written, and who wrote them may have spoken a dialect, so a block answers to all of its
names. The namespace of a dialect is read off its pairs of qualified names.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Final, TypeVar

from vetrina.rest.dialects.names import list_dialects, load_name_pairs
from vetrina.rest.dialects.prefixes import NEUTRAL_DIALECT

T = TypeVar("T")
_SLASH: Final = "/"


def add_dialect_names(blocks: Mapping[str, T]) -> dict[str, T]:
    """Return what belongs to blocks by all of their names; given by the neutral ones."""
    out = dict(blocks)
    for name, value in blocks.items():
        namespace, _, own = name.partition(_SLASH)
        out.update((f"{other}/{own}", value) for other in _list_namespaces().get(namespace, ()))
    return out


@cache
def _list_namespaces() -> Mapping[str, tuple[str, ...]]:
    """Return the namespaces of blocks in the dialects, by the neutral one."""
    out: dict[str, dict[str, None]] = {}
    for neutral, other in _iterate_namespaces():
        out.setdefault(neutral, {})[other] = None
    return {neutral: tuple(found) for neutral, found in out.items()}


def _iterate_namespaces() -> Iterator[tuple[str, str]]:
    for dialect in list_dialects():
        if dialect == NEUTRAL_DIALECT:
            continue
        pairs = load_name_pairs(dialect)
        for neutral, other in {**pairs.parameters, **pairs.values, **pairs.words}.items():
            (space, slash, name), (other_space, _, other_name) = neutral.partition(_SLASH), other.partition(_SLASH)
            if slash and name == other_name and space != other_space:
                yield space, other_space
