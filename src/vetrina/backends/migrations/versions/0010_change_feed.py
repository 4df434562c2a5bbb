"""A change says what readers could see of its thing before, so that the change feed can tell what went away."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"

_TEXT = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")


def upgrade() -> None:
    op.add_column("change", sa.Column("before", _TEXT, nullable=True))
