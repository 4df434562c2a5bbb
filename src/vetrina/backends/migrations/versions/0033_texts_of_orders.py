"""The index of orders holds the texts that it indexed; on SQLite a background job fills it again.

Meanwhile orders that it does not have are looked at as before.
"""

from __future__ import annotations

from alembic import op

revision = "0033"
down_revision = "0032"


def upgrade() -> None:
    if op.get_bind().dialect.name != "sqlite":
        return
    op.execute("DROP TABLE order_search_index")
    op.execute(
        "CREATE VIRTUAL TABLE order_search_index USING fts5("
        "search_key, names, columnsize=0, detail=none, tokenize='trigram case_sensitive 1')"
    )
    # All orders are new to the index.
    op.execute("DELETE FROM counter WHERE name IN ('order_search', 'order_search_id')")
    op.execute(
        "INSERT INTO counter (name, value) SELECT 'order_search', coalesce(max(sequence), 0) FROM change WHERE true"
    )
