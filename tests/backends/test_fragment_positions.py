"""Kept records, and snapshots that are older or newer than what the process has read of the change log."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest
from sqlalchemy import func, select

from vetrina.backends import postgres_watchers
from vetrina.backends.change_log import log_change
from vetrina.backends.database import Database, Statement
from vetrina.backends.fragment_cache import FragmentCache
from vetrina.backends.tables.options import option
from vetrina.backends.transaction_retries import RetryableError

COUNT = Statement(select(func.count()).select_from(option))
KINDS = frozenset({"post"})


def _snapshot(position: int) -> Any:
    """Return a transaction whose newest change has this number."""

    def read_log(statement: object, seen: int) -> list[tuple[int, str]]:
        return [(position, "page")] if position >= seen else []

    return SimpleNamespace(
        value=lambda statement: position, all=read_log, writes=False, log_position=None, may_assume=False,
        assumption=None,
    )  # fmt: skip


def test_what_is_older_than_the_first_position_is_neither_kept_nor_served() -> None:
    cache = FragmentCache[str](1 << 20)
    # The process begins to read the log at 7; of the changes up to there it knows nothing.
    assert cache.log.catch_up(_snapshot(7)) == 7
    # A replica, or a thread that began before, is at 5, and 6 may have been a change of a post.
    assert cache.log.catch_up(_snapshot(5)) == 5
    cache.put(1, 1, 5, KINDS, "old", 10)
    assert cache.get_all(1, (1,), _snapshot(7)) == [None]
    cache.put(1, 1, 7, KINDS, "new", 10)
    assert cache.get_all(1, (1,), _snapshot(5)) == [None]
    assert cache.get_all(1, (1,), _snapshot(7)) == ["new"]


def change(database: Database, kind: str) -> None:
    with database.begin_write() as tx:
        log_change(tx, kind, 1, "changed", 0)


@pytest.fixture
def looks_always(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(postgres_watchers, "_ASKING_INTERVAL", 0.0)


def keep(database: Database) -> FragmentCache[str]:
    """Return a cache with a value made of posts, which follows the log of a database."""
    cache = FragmentCache[str](1 << 20)
    database.leases_answers = True
    cache.log.follow(database)
    change(database, "post")
    with database.begin_read() as tx:
        cache.put(1, 1, cache.log.catch_up(tx), KINDS, "kept", 10)
    return cache


@pytest.mark.every_database
@pytest.mark.usefixtures("looks_always")
def test_a_read_without_a_snapshot_sees_each_change_that_was_made_before_it(opened: Callable[[], Database]) -> None:
    database, other = opened(), opened()
    cache = keep(database)
    for kind, found in (("page", "kept"), ("page", "kept"), ("post", None)):
        change(other, kind)
        with database.begin_read() as tx:
            tx.may_assume = True
            assert cache.get_all(1, (1,), tx) == [found]


@pytest.mark.every_database
@pytest.mark.usefixtures("looks_always")
def test_a_snapshot_that_contradicts_what_was_known_before_it_ends_the_read(opened: Callable[[], Database]) -> None:
    database, other = opened(), opened()
    cache = keep(database)
    with database.begin_read() as tx:
        tx.may_assume = True
        assert (cache.get_all(1, (1,), tx), tx.is_begun) == (["kept"], False)
        change(other, "post")
        with pytest.raises(RetryableError):
            tx.value(COUNT)
    with database.begin_read() as tx:
        tx.may_assume = True
        assert cache.get_all(1, (1,), tx) == [None]


@pytest.mark.every_database
@pytest.mark.usefixtures("looks_always")
def test_a_snapshot_may_have_news_of_what_nobody_relied_on(opened: Callable[[], Database]) -> None:
    database, other = opened(), opened()
    cache = keep(database)
    with database.begin_read() as tx:
        tx.may_assume = True
        assert cache.get_all(1, (1,), tx) == ["kept"]
        before = cache.log.catch_up(tx)
        change(other, "page")
        tx.value(COUNT)
        assert cache.log.catch_up(tx) > before
    with database.begin_read() as tx:
        tx.may_assume = True
        assert cache.get_all(1, (2,), tx) == [None]
        change(other, "post")
        tx.value(COUNT)
        assert cache.get_all(1, (1,), tx) == [None]
