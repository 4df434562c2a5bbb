"""Records what a request waits for at a database server."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import Any

import pytest

from vetrina.backends import postgres_watchers
from vetrina.backends.libpq import PreparedConnection, QueuedStatement
from vetrina.backends.pooled_connection import PooledConnection

Trips = Callable[[], AbstractContextManager[list[list[str]]]]


def prepare_trips(monkeypatch: pytest.MonkeyPatch) -> Trips:
    """Return what records the statements of each round trip of a block.

    Whatever waits for the server counts: the statements of `exchange`, those that were sent before and whose results
    are received, and the commands of the driver's own cursor. The log is looked at whenever that may spare a trip, and
    not twenty times a second, so that the trips do not depend on the clock.
    """
    monkeypatch.setattr(postgres_watchers, "_ASKING_INTERVAL", 0.0)
    log: list[list[str]] = []
    here = threading.local()
    real_exchange, real_settle = PreparedConnection.exchange, PreparedConnection.settle
    real_execute = PooledConnection.execute

    def list_sent(line: PreparedConnection) -> list[str]:
        # The end of a snapshot is not waited for.
        return [one.form.text for one in line._owed if isinstance(one, QueuedStatement) and one.form.text != "COMMIT"]

    def exchange(line: PreparedConnection, statements: Sequence[QueuedStatement]) -> None:
        log.append([*list_sent(line), *(one.form.text for one in statements)])
        here.is_counted = True
        try:
            real_exchange(line, statements)
        finally:
            here.is_counted = False

    def settle(line: PreparedConnection) -> None:
        # Another thread may be in an exchange of its own meanwhile.
        if not getattr(here, "is_counted", False) and (sent := list_sent(line)):
            log.append(sent)
        real_settle(line)

    def execute(connection: PooledConnection, query: Any, *words: Any, **options: Any) -> Any:
        log.append([str(query)])
        return real_execute(connection, query, *words, **options)

    monkeypatch.setattr(PreparedConnection, "exchange", exchange)
    monkeypatch.setattr(PreparedConnection, "settle", settle)
    monkeypatch.setattr(PooledConnection, "execute", execute)

    @contextmanager
    def noting() -> Iterator[list[list[str]]]:
        log.clear()
        yield log

    return noting
