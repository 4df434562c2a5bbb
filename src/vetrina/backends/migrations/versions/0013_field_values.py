"""Lists are filtered and sorted by fields of the site's own; values that are stored are indexed in the background."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"

_TEXT = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")
_NUMBER = sa.Integer().with_variant(sa.BigInteger(), "postgresql")


def upgrade() -> None:
    op.create_table(
        "field_value",
        sa.Column(
            "record", _NUMBER, sa.ForeignKey("record.id", ondelete="CASCADE"), autoincrement=False, nullable=False
        ),
        sa.Column("field", _TEXT, nullable=False),
        sa.Column("value", _TEXT, nullable=False),
        sa.Column("type", _TEXT, nullable=False),
        sa.Column("status", _TEXT, nullable=False),
        sa.Column("language", _TEXT, nullable=False),
        sa.Column("date", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("record", "field", "value"),
        sqlite_with_rowid=False,
    )
    op.create_index("field_value_by_value", "field_value", ["type", "field", "status", "language", "value", "record"])
    op.create_index(
        "field_value_by_date", "field_value", ["type", "field", "value", "status", "language", "date", "record"]
    )
    protected = sa.text("password || '' != ''")
    op.create_index("record_protected", "record", ["type"], sqlite_where=protected, postgresql_where=protected)
