"""What records have in fields of the site's own, one row a value, so that lists are filtered and sorted by an index.

The values themselves are in `record.meta`; these rows follow from them (content/custom_fields/value_rows.py).
"""

from __future__ import annotations

from sqlalchemy import BigInteger, Column, ForeignKey, Index, Table

from vetrina.backends.tables.metadata import METADATA, NUMBER, TEXT

# `value`: numbers and texts alike as text that sorts as they do (content/custom_fields/value_keys.py). The further
# columns copy those of the record, so that a list is filtered, ordered and counted from one index; the key finds the
# value of a given record.
field_value = Table(
    "field_value",
    METADATA,
    Column("record", NUMBER, ForeignKey("record.id", ondelete="CASCADE"), primary_key=True, autoincrement=False),
    Column("field", TEXT, primary_key=True),
    Column("value", TEXT, primary_key=True),
    Column("type", TEXT, nullable=False),
    Column("status", TEXT, nullable=False),
    Column("language", TEXT, nullable=False),
    Column("date", BigInteger, nullable=False),
    Index("field_value_by_value", "type", "field", "status", "language", "value", "record"),
    Index("field_value_by_date", "type", "field", "value", "status", "language", "date", "record"),
    sqlite_with_rowid=False,
)
