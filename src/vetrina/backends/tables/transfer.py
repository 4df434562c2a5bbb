"""What imports brought: the journal by which an import goes on, brings only what changed, and maps ids."""

from __future__ import annotations

from sqlalchemy import BigInteger, Boolean, Column, Index, Table

from vetrina.backends.tables.metadata import METADATA, NUMBER, TEXT, build_partial_index

# Sources that were imported. `keep_ids`: whether their ids are kept; `began`: of the last run, `finished`: of the last
# one that brought everything, 0 for none.
transfer_source = Table(
    "transfer_source",
    METADATA,
    Column("source", TEXT, primary_key=True),
    Column("keep_ids", Boolean, nullable=False),
    Column("began", BigInteger, nullable=False),
    Column("finished", BigInteger, nullable=False),
)

# `item`: the id in the source; `kind`: record, term, user, comment or setting, within which a source's ids are unique;
# `target`: the id here; `adopted`: it was here before, and an import leaves it as it is; `address`: path in the source
# by which its texts name it; `modified`, `fingerprint`: of the values that came; `pending`: those values, as JSON,
# where they refer to what has not come yet, empty for none.
transferred = Table(
    "transferred",
    METADATA,
    Column("source", TEXT, primary_key=True),
    Column("resource", TEXT, primary_key=True),
    Column("item", TEXT, primary_key=True),
    Column("kind", TEXT, nullable=False),
    Column("target", NUMBER, nullable=False),
    Column("adopted", Boolean, nullable=False),
    Column("address", TEXT, nullable=False),
    Column("modified", TEXT, nullable=False),
    Column("fingerprint", TEXT, nullable=False),
    Column("pending", TEXT, nullable=False),
    Index("transferred_by_kind", "source", "kind", "item"),
    Index("transferred_by_address", "source", "address"),
    build_partial_index("transferred_pending", "source", "resource", "item", where="pending != ''"),
)
