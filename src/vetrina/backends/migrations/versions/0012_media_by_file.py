"""Files are found by their names, for the pictures that are made of them."""

from __future__ import annotations

from alembic import op

revision = "0012"
down_revision = "0011"


def upgrade() -> None:
    op.create_index("media_by_file", "media", ["file"])
