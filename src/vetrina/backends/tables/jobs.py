"""The table of background jobs."""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Column,
    Index,
    Table,
)

from vetrina.backends.tables.metadata import METADATA, NUMBER, TEXT

# Background jobs (backends/job_queue.py). A key identifies a job that exists once; NULL for none, because NULLs do not
# conflict in a unique index.
job = Table(
    "job",
    METADATA,
    Column("id", NUMBER, primary_key=True),
    Column("kind", TEXT, nullable=False),
    Column("arguments", TEXT, nullable=False),
    Column("due", BigInteger, nullable=False),
    Column("state", TEXT, nullable=False),
    Column("attempts", NUMBER, nullable=False),
    Column("last_error", TEXT, nullable=False),
    Column("created", BigInteger, nullable=False),
    Column("started", BigInteger),
    Column("finished", BigInteger),
    Column("key", TEXT, unique=True),
    Index("job_by_due", "state", "due", "id"),
    Index("job_by_finished", "state", "finished"),
)
