"""Kept days of reports say how often a number is in them; those that do not are made anew."""

from __future__ import annotations

from alembic import op
from sqlalchemy import column, delete, table

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    rollup = table("fact_rollup", column("kind"))
    op.execute(delete(rollup).where(rollup.c.kind == "day"))
