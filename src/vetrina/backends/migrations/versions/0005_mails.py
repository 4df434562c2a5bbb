"""An order knows the language of its customer, a mail its own and what its template is given."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"

TEXT = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")


def upgrade() -> None:
    for table, name in (("shop_order", "language"), ("outbox_mail", "language"), ("outbox_mail", "data")):
        op.add_column(table, sa.Column(name, TEXT, server_default="", nullable=False))
