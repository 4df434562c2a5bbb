"""An index of what orders are found by, and one of their dates that tells their statuses.

On SQLite the background fills the index of the search; meanwhile orders that it does not have are looked at as before.
"""

from __future__ import annotations

from alembic import op

revision = "0030"
down_revision = "0029"


def upgrade() -> None:
    op.drop_index("shop_order_by_created", "shop_order")
    op.create_index("shop_order_by_created", "shop_order", ["created", "id", "status"])
    if op.get_bind().dialect.name == "sqlite":
        op.execute(
            "CREATE VIRTUAL TABLE order_search_index USING fts5("
            "text, content='', columnsize=0, detail=none, tokenize='trigram case_sensitive 1')"
        )
        # All orders are new to the index, whatever was changed before.
        op.execute(
            "INSERT INTO counter (name, value) SELECT 'order_search', coalesce(max(sequence), 0) FROM change WHERE true"
        )
        return
    op.execute("CREATE INDEX shop_order_trigrams ON shop_order USING gin (search_key gin_trgm_ops)")
    op.execute(
        "CREATE INDEX order_item_trigrams ON order_item USING gin (lower(name) gin_trgm_ops) WHERE kind = 'line'"
    )
