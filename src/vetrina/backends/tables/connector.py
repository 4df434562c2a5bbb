"""The tables of the connector: its state, used signatures, and items acknowledged out of order.

The change log that its queues read: backends/tables/change_log.py.
"""

from __future__ import annotations

from sqlalchemy import BigInteger, Column, Index, Table

from vetrina.backends.tables.metadata import METADATA, NUMBER, TEXT

# Named values as JSON: tokens and secrets (encrypted), positions of the queues, what a full sync has sent.
connector_state = Table(
    "connector_state",
    METADATA,
    Column("name", TEXT, primary_key=True),
    Column("value", TEXT, nullable=False),
)

# Pairs of time and nonce that a signature has used. `at`: when, so that old ones can be removed.
connector_nonce = Table(
    "connector_nonce",
    METADATA,
    Column("timestamp", BigInteger, primary_key=True, autoincrement=False),
    Column("nonce", TEXT, primary_key=True),
    Column("at", BigInteger, nullable=False),
    Index("connector_nonce_by_at", "at"),
)

# Changes that the other side has acknowledged while earlier ones still wait.
connector_done = Table(
    "connector_done",
    METADATA,
    Column("sequence", NUMBER, primary_key=True, autoincrement=False),
)
