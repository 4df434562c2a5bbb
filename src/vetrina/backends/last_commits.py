"""Whether a commit has happened whose answer was lost with its connection: each writer leaves a mark that goes with it.

A writer is a connection, named by a random number, which counts its commits. The row of a writer has the number of the
last one, written in that transaction: so a number is there exactly if its transaction was kept, whatever became of the
server since. A lost connection never writes again, so nobody else changes its row. PostgreSQL only; an embedded
database has no connection to lose. Who asks, and when: backends/postgres.py.
"""

from __future__ import annotations

import secrets
from typing import Final, NamedTuple

from sqlalchemy import text

from .database import Statement

_KEPT_SECONDS: Final = 7 * 86_400  # seconds for which a writer that is gone may be asked for
_NOW: Final = "CAST(extract(epoch FROM now()) AS bigint)"  # the server's clock, the same for all writers

NOTE_COMMIT: Final = Statement(
    text(
        f"INSERT INTO last_commit (writer, number, at) VALUES (:writer, :number, {_NOW})"
        " ON CONFLICT (writer) DO UPDATE SET number = excluded.number, at = excluded.at"
    )
)
# Run with the first commit of each writer.
DELETE_OLD_WRITERS: Final = Statement(text(f"DELETE FROM last_commit WHERE at < {_NOW} - {_KEPT_SECONDS}"))
# A write, so that its own commit waits for whatever the lost one had to wait for, a standby for instance.
CONFIRM_COMMIT: Final = Statement(
    text("UPDATE last_commit SET at = at WHERE writer = :writer AND number = :number RETURNING number")
)


class CommitNumber(NamedTuple):
    """A commit: of which writer, and its how manieth."""

    writer: int
    number: int


def name_writer() -> int:
    """Return a number that no other writer has."""
    return secrets.randbits(63)
