"""A site that reads from replicas of its database: which requests may, and what their clients are told.

The replicas themselves: backends/replicas.py; positions in requests: http/read_positions.py. Rules:
docs/decisions/replicas.md.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Final

from vetrina.access.sessions import cookies as session_cookies
from vetrina.backends.database import Database, Transaction
from vetrina.core.user import User
from vetrina.http.metrics import Gauge
from vetrina.http.read_positions import ReadPositions
from vetrina.rest.call import Request
from vetrina.settings import Settings

if TYPE_CHECKING:
    from vetrina.backends.replicas import ReplicaState

_COOKIE_RESERVE: Final = 5  # seconds that replicas are found too far behind later than they are


class SiteReplicas:
    """The replicas that the settings of a site name; where they name none, it reads from the primary.

    get_newest: returns the number of the newest change that this process knows of, None where it keeps no answers.
    read_positions: what clients have written; None where there are no replicas. Raises ValueError.
    """

    def __init__(self, database: Database, settings: Settings, get_newest: Callable[[], int | None]) -> None:
        self._database, self._replicas = database, None
        self.read_positions: ReadPositions | None = None
        if not settings.database_replicas:
            return
        if database.kind != "postgresql":
            raise ValueError("database_replicas: only PostgreSQL has replicas; the database of this site is SQLite")
        # Imported only where there are any, as the driver is.
        from vetrina.backends.replicas import open_replicas

        database.notes_positions = True
        lag = settings.database_replica_lag
        self._replicas = open_replicas(database, settings.database_replicas, lag, get_newest)
        self.read_positions = ReadPositions(
            self._replicas.has_replayed,
            settings.database_replica_wait,
            session_cookies.format_cookie_name,
            session_cookies.format_cookie,
            # Whoever comes later finds no replica in use that could be as far behind.
            cookie_seconds=math.ceil(lag) + _COOKIE_RESERVE,
        )

    def begin_read(self, request: Request, caller: User) -> AbstractContextManager[Transaction]:
        """Open the snapshot of a request: on a replica, where its caller may be answered by one."""
        reading = request.consistency
        if self._replicas is None or reading is None or reading.needs_primary or request.signed:
            return self._database.begin_read()
        if caller and reading.after is None:
            # It may have written, and hands back nothing that would tell.
            return self._database.begin_read()
        return self._replicas.begin_read(reading, keeps=not caller)

    def list_states(self) -> list[ReplicaState]:
        """Return how it is with each, as this process knows them."""
        return self._replicas.list_states() if self._replicas is not None else []

    def describe(self) -> dict[str, str]:
        """Return a word for each, by its name."""
        return {one.name: "ok" if one.is_used else "left out" for one in self.list_states()}

    def check(self) -> list[ReplicaState]:
        """Ask each now, and return how it is with them."""
        return self._replicas.check() if self._replicas is not None else []

    def iterate_gauges(self) -> Iterator[Gauge]:
        """Yield their figures for the metrics."""
        for one in self.list_states():
            labels = {"replica": one.name}
            yield Gauge("replica_used", "Whether the answering process reads from a replica.", int(one.is_used), labels)
            yield Gauge("replica_behind_seconds", "Seconds by which a replica is behind.", one.behind, labels)
            yield Gauge("replica_reads", "Reads of the answering process from a replica.", one.reads, labels)

    def close(self) -> None:
        """Look at them no more, and close what is open."""
        if self._replicas is not None:
            self._replicas.close()
