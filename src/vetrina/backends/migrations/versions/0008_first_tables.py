"""The first tables.

The statements stand beside this file, one a line, for each kind of database; tests/backends/write_first_migration.py
writes them from the tables. After the first release they stay as they are.
"""

from __future__ import annotations

from pathlib import Path

from alembic import op

# The steps of before it were never released; databases that they made, and made last, are those that this one makes.
revision = "0008"
down_revision = None


def upgrade() -> None:
    kind = op.get_bind().dialect.name
    statements = Path(__file__).with_name(f"0008_first_tables.{kind}.sql").read_text(encoding="utf-8")
    for statement in statements.splitlines():
        op.execute(statement)
