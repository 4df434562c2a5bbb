"""Webhooks of content stand beside those of the shop; a disabled one says why, and a delivery what it was answered."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"

_TEXT = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")


def upgrade() -> None:
    op.add_column("webhook", sa.Column("family", _TEXT, nullable=False, server_default="shop"))
    op.add_column("webhook", sa.Column("reason", _TEXT, nullable=False, server_default=""))
    op.add_column("webhook_delivery", sa.Column("reply", _TEXT, nullable=False, server_default=""))
