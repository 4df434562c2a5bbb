"""Connections to a database server that are lost while a transaction is being committed."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from vetrina.backends.libpq import PreparedConnection, QueuedStatement


class Cut:
    """Loses the connection of the next commit: before the server commits, or after.

    kill: closes a connection by the number of its process. done: whether that has happened.
    """

    def __init__(self, monkeypatch: pytest.MonkeyPatch, kill: Callable[[int], None], after: bool) -> None:
        real, cut = PreparedConnection.exchange, self
        self.done = False

        def exchange(line: PreparedConnection, statements: Sequence[QueuedStatement]) -> None:
            if statements[-1].form.text != "COMMIT" or cut.done:
                real(line, statements)
                return
            cut.done = True
            own = line._connection.backend_pid
            if after:
                real(line, statements)
            kill(own)
            real(line, statements)

        monkeypatch.setattr(PreparedConnection, "exchange", exchange)
