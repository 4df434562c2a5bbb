"""Orders that came from another shop keep the number that people know."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0028"
down_revision = "0027"

_TEXT = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")


def upgrade() -> None:
    op.add_column("shop_order", sa.Column("number", _TEXT, nullable=False, server_default=""))
