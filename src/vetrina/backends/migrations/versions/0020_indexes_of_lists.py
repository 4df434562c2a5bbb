"""Lists read from indexes what they look at, and the sales of variations are kept by month.

What is kept is counted in the background. Kept sums by the dates of payment and completion lose those of lines, which
no report reads.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0020"
down_revision = "0019"

_NUMBER = sa.Integer().with_variant(sa.BigInteger(), "postgresql")


def upgrade() -> None:
    op.drop_index("comment_by_date", "comment")
    op.create_index("comment_by_date", "comment", ["status", "type", "date_gmt", "id", "post", "author"])
    op.create_index("comment_by_local_date", "comment", ["status", "type", "date", "id", "post", "author"])
    op.drop_index("term_by_name", "term")
    op.create_index("term_by_name", "term", ["taxonomy", "language", "name_key", "id", "slug"])
    op.drop_index("account_by_name", "account")
    op.create_index("account_by_name", "account", ["name_key", "id", "email_key", "login_key", "slug", "url"])
    op.execute(
        "UPDATE rollup_orders SET lines = 0, line_items = 0, line_net = 0, line_orders = 0, variation_lines = 0, "
        "variation_items = 0, variation_net = 0, variation_orders = 0, variation_ids = '' WHERE dates != 'created'"
    )
    op.execute("DELETE FROM rollup_repeat WHERE dates != 'created' AND member = 'variation'")
    op.drop_index("fact_order_by_customer", "fact_order")
    op.create_index("fact_order_by_customer", "fact_order", ["customer", "created", "id", "parent", "status", "total"])
    gone = sa.text("gone IS NOT NULL")
    op.create_index("fact_customer_gone", "fact_customer", ["gone"], sqlite_where=gone, postgresql_where=gone)
    op.create_table(
        "rollup_variation",
        *(sa.Column(name, _NUMBER, autoincrement=False, nullable=False) for name in ("month", "product", "variation")),
        sa.Column("lines", _NUMBER, nullable=False),
        sa.Column("quantity", _NUMBER, nullable=False),
        sa.Column("net", sa.BigInteger(), nullable=False),
        sa.Column("orders", _NUMBER, nullable=False),
        sa.Column("newest", sa.BigInteger(), nullable=False),
        sa.Column("order_ids", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("month", "product", "variation"),
        sqlite_with_rowid=False,
    )
