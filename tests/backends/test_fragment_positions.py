"""Kept records and snapshots that are older than what the process has read of the change log."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from vetrina.backends.fragment_cache import FragmentCache


def _snapshot(position: int) -> Any:
    """Return a transaction whose newest change has this number."""

    def read_log(statement: object, seen: int) -> list[tuple[int, str]]:
        return [(position, "page")] if position >= seen else []

    return SimpleNamespace(value=lambda statement: position, all=read_log, writes=False, log_position=None)


def test_what_is_older_than_the_first_position_is_neither_kept_nor_served() -> None:
    cache = FragmentCache[str](1 << 20)
    kinds = frozenset({"post"})
    # The process begins to read the log at 7; of the changes up to there it knows nothing.
    assert cache.catch_up(_snapshot(7)) == 7
    # A replica, or a thread that began before, is at 5, and 6 may have been a change of a post.
    assert cache.catch_up(_snapshot(5)) == 5
    cache.put(1, 1, 5, kinds, "old", 10)
    assert cache.get_all(1, (1,), 7) == [None]
    cache.put(1, 1, 7, kinds, "new", 10)
    assert cache.get_all(1, (1,), 5) == [None]
    assert cache.get_all(1, (1,), 7) == ["new"]
