"""Tables of texts that are not records: strings, their translations, and the catalogue files that both come from.

Also settings received from the translation service (`mlang_setting`) and the locks of exchanges with it (`mlang_lock`).
"""

from __future__ import annotations

from sqlalchemy import BigInteger, Boolean, Column, ForeignKey, Index, Table

from vetrina.backends.tables.metadata import METADATA, NUMBER, TEXT

# `key`: a digest of domain, name and context, because an index cannot hold texts of any length. `plural`: the source's
# plural form, empty for none.
mlang_string = Table(
    "mlang_string",
    METADATA,
    Column("id", NUMBER, primary_key=True),
    Column("key", TEXT, nullable=False, unique=True),
    Column("domain", TEXT, nullable=False),
    Column("name", TEXT, nullable=False),
    Column("context", TEXT, nullable=False),
    Column("language", TEXT, nullable=False),
    Column("value", TEXT, nullable=False),
    Column("plural", TEXT, nullable=False),
    Column("kind", TEXT, nullable=False),
    Column("words", NUMBER, nullable=False),
    Index("mlang_string_by_domain", "domain", "id"),
)

# `value`: the translation entered here; `shipped`: that of a file; both JSON lists of forms, NULL for none. `fresh`:
# whether a written file lacks it; `before`: the status that a cancelled job restores.
mlang_string_translation = Table(
    "mlang_string_translation",
    METADATA,
    Column("string", NUMBER, ForeignKey("mlang_string.id", ondelete="CASCADE"), primary_key=True, autoincrement=False),
    Column("language", TEXT, primary_key=True),
    Column("status", NUMBER, nullable=False),
    Column("value", TEXT),
    Column("shipped", TEXT),
    Column("changed", BigInteger, nullable=False),
    Column("fresh", Boolean, nullable=False),
    Column("before", NUMBER, nullable=False),
    Index("mlang_string_translation_fresh", "fresh", "language", "string"),
)

# `mark`: size and time of the file as it was read; another value makes it new again. `entries`: how many were read.
mlang_catalog_file = Table(
    "mlang_catalog_file",
    METADATA,
    Column("path", TEXT, primary_key=True),
    Column("kind", TEXT, nullable=False),
    Column("component", TEXT, nullable=False),
    Column("domain", TEXT, nullable=False),
    Column("language", TEXT, nullable=False),
    Column("mark", TEXT, nullable=False),
    Column("state", TEXT, nullable=False),
    Column("entries", NUMBER, nullable=False),
    Column("fault", TEXT, nullable=False),
    Index("mlang_catalog_file_by_state", "state", "path"),
)

mlang_lock = Table(
    "mlang_lock",
    METADATA,
    Column("name", TEXT, primary_key=True),
    Column("key", TEXT, nullable=False),
    Column("until", BigInteger, nullable=False),
)

# Apart from the options, which every request reads: values here may be large.
mlang_setting = Table(
    "mlang_setting",
    METADATA,
    Column("name", TEXT, primary_key=True),
    Column("value", TEXT, nullable=False),
)
