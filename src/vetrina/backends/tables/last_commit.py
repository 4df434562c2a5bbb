"""The table of each writer's last commit, which PostgreSQL only has rows in (backends/last_commits.py)."""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Column,
    Table,
)

from vetrina.backends.tables.metadata import METADATA

# Written with every commit, one row a connection that writes: whether a commit whose answer was lost has happened.
last_commit = Table(
    "last_commit",
    METADATA,
    Column("writer", BigInteger, primary_key=True, autoincrement=False),
    Column("number", BigInteger, nullable=False),
    Column("at", BigInteger, nullable=False),
)
