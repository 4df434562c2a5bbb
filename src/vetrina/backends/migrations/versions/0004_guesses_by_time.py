"""Wrong guesses are forgotten without reading all that were counted."""

from __future__ import annotations

from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    op.create_index("failure_by_at", "failure", ["at"])
