"""What SQLite's planner is told of the tables: a site of a hundred thousand records, from the first minute.

Without statistics the planner takes every index of three columns for selective and walks all records of a type where a
handful was named. Statistics of its own (ANALYZE) would make plans depend on when somebody gathered them, and a site
that is new has nothing to gather. PostgreSQL gathers its own.
"""

from __future__ import annotations

__all__ = ["STATEMENTS"]

# table, index (None for the table itself), then: rows, and how many share the first one, two, three … columns.
_ROWS: tuple[tuple[str, str | None, str], ...] = (
    ("record", None, "100000"),
    ("record", "record_by_date", "100000 50000 25000 20000 1 1"),
    ("record", "record_by_modified", "100000 50000 25000 20000 1 1"),
    ("record", "record_by_title", "100000 50000 25000 20000 1 1"),
    ("record", "record_by_order", "100000 50000 25000 20000 2000 1"),
    ("record", "record_by_author", "100000 50000 25000 20000 2000 1"),
    ("record", "record_by_slug", "100000 50000 1"),
    ("record", "record_by_parent", "100000 50000 20 5"),
    ("record", "record_by_translations", "100000 2"),
    ("record", "record_sticky", "10 5 5 5 1 1"),
    ("record", "record_by_featured", "10000 2"),
    ("record", "record_due", "10 10 1"),
    ("record_term", "sqlite_autoindex_record_term_1", "200000 2 1"),
    ("record_term", "record_term_by_term", "200000 1000 1000 900 800 1 1"),
    ("searchable", None, "100000"),
    ("search_entry", "sqlite_autoindex_search_entry_1", "100000 1"),
    ("revision", "revision_by_parent", "500000 5 1 1"),
    ("term", "term_by_name", "2000 1000 500 1 1"),
    ("term", "term_by_parent", "2000 1000 20"),
    ("change", None, "1000000"),
)


def _literal(text: str | None) -> str:
    return "NULL" if text is None else f"'{text}'"


STATEMENTS: tuple[str, ...] = (
    "ANALYZE",
    "DELETE FROM sqlite_stat1",
    *(
        f"INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES ({_literal(table)}, {_literal(index)}, {_literal(stat)})"
        for table, index, stat in _ROWS
    ),
)
