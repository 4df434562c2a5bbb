"""Writes the statements of the first migration from the tables of today, a file for each kind of database.

    python tests/backends/write_first_migration.py

Only until the first release: afterwards a change of a table is a step of its own (CONTRIBUTING.md).
"""

from __future__ import annotations

from pathlib import Path

from vetrina.backends import database_schema, migrations
from vetrina.backends.database import DatabaseKind

KINDS: tuple[DatabaseKind, ...] = ("sqlite", "postgresql")


def find_file(kind: DatabaseKind) -> Path:
    """Return the path of the statements for a kind of database."""
    return Path(migrations.__file__).parent / "versions" / f"{database_schema.FIRST_REVISION}_first_tables.{kind}.sql"


def build_statements(kind: DatabaseKind) -> str:
    """Return the statements that make the tables of today, one a line."""
    made = [*database_schema.build_table_statements(kind), *database_schema.build_index_statements(kind)]
    # Alembic stamps the database itself.
    lines = [" ".join(statement.split()) for statement in made if "alembic_version" not in statement]
    return "".join(f"{line}\n" for line in lines)


def main() -> None:
    for kind in KINDS:
        find_file(kind).write_text(build_statements(kind), encoding="utf-8")


if __name__ == "__main__":
    main()
