"""The tables of records: live content in `record`, its history in `revision`, so that the hot table stays small."""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    ForeignKey,
    Index,
    Table,
    UniqueConstraint,
)

from vetrina.backends.tables.metadata import METADATA, NUMBER, TEXT, build_partial_index

# Ids of records, revisions and autosaves come from one row, so that an id is never used twice.
counter = Table(
    "counter",
    METADATA,
    Column("name", TEXT, primary_key=True),
    Column("value", BigInteger, nullable=False),
)

record = Table(
    "record",
    METADATA,
    Column("id", NUMBER, primary_key=True, autoincrement=False),
    Column("type", TEXT, nullable=False),
    Column("status", TEXT, nullable=False),
    Column("language", TEXT, nullable=False),
    Column("translations", NUMBER, nullable=False),
    Column("slug", TEXT, nullable=False),
    Column("author", NUMBER, nullable=False),
    Column("parent", NUMBER, nullable=False),
    Column("menu_order", NUMBER, nullable=False),
    Column("date", BigInteger, nullable=False),
    Column("date_gmt", BigInteger, nullable=False),
    Column("modified", BigInteger, nullable=False),
    Column("modified_gmt", BigInteger, nullable=False),
    Column("title", TEXT, nullable=False),
    Column("title_key", TEXT, nullable=False),
    Column("title_html", TEXT, nullable=False),
    Column("content", TEXT, nullable=False),
    Column("content_html", TEXT, nullable=False),
    Column("block_version", NUMBER, nullable=False),
    Column("excerpt", TEXT, nullable=False),
    Column("excerpt_html", TEXT, nullable=False),
    Column("renderer", NUMBER, nullable=False),
    Column("password", TEXT, nullable=False),
    Column("comment_status", TEXT, nullable=False),
    Column("ping_status", TEXT, nullable=False),
    Column("format", TEXT, nullable=False),
    Column("template", TEXT, nullable=False),
    Column("featured_media", NUMBER, nullable=False),
    Column("guid", TEXT, nullable=False),
    Column("trashed_status", TEXT, nullable=False),
    Column("trashed_slug", TEXT, nullable=False),
    Column("revisions", NUMBER, nullable=False),
    Column("last_revision", NUMBER, nullable=False),
    Column("version", NUMBER, nullable=False),
    Column("meta", TEXT, nullable=False),
    Column("floating", Boolean, nullable=False),
    Column("sticky", Boolean, nullable=False),
    Column("dynamic", Boolean, nullable=False),
    Column("source_language", TEXT, nullable=False),
    UniqueConstraint("translations", "language", name="record_translation"),
    # With `modified`, so that a filter by it reads no records while scanning by date.
    Index("record_by_date", "type", "status", "language", "date", "id", "modified"),
    # With `password`, so that a search reads no records to leave out the protected ones.
    Index("record_by_id", "type", "status", "language", "id", "password"),
    Index("record_by_modified", "type", "status", "language", "modified", "id"),
    Index("record_by_title", "type", "status", "language", "title_key", "id"),
    Index("record_by_author", "type", "status", "language", "author", "date", "id"),
    Index("record_by_slug", "type", "slug", "status", "language", "id"),
    Index("record_by_parent", "type", "parent", "menu_order"),
    Index("record_in_parent", "type", "status", "language", "parent", "id"),
    Index("record_by_order", "type", "status", "language", "menu_order", "id"),
    # Untranslated records are found between two ranges of this index, without reading any record.
    Index("record_by_group", "type", "language", "status", "translations", "id"),
    # SQLite's planner never prefers an index with fewer of the queried columns, however few rows it has.
    build_partial_index(
        "record_sticky", "type", "status", "language", "date", "id", where="sticky", in_sqlite="sticky = 1"
    ),
    build_partial_index("record_by_format", "type", "status", "language", "format", "id", where="format != 'standard'"),
    build_partial_index("record_by_featured", "featured_media", where="featured_media != 0"),
    # Written so that no query's `status = ?` resembles it: SQLite compares conditions with the bound values, and would
    # plan every query of records again on each execution.
    build_partial_index("record_due", "date_gmt", where="status || '' = 'future'"),
    # Lists by own fields leave out what a password hides.
    build_partial_index("record_protected", "type", where="password || '' != ''"),
)

# Counts of records, updated with every record: totals of plain lists are read, not counted.
tally = Table(
    "tally",
    METADATA,
    Column("type", TEXT, primary_key=True),
    Column("status", TEXT, primary_key=True),
    Column("language", TEXT, primary_key=True),
    Column("author", NUMBER, primary_key=True, autoincrement=False),
    Column("count", NUMBER, nullable=False),
)

# The folded copy that a search reads; apart, so that lists do not drag it through the cache.
searchable = Table(
    "searchable",
    METADATA,
    Column("record", NUMBER, ForeignKey("record.id", ondelete="CASCADE"), primary_key=True),
    Column("title", TEXT, nullable=False),
    Column("content", TEXT, nullable=False),
    Column("excerpt", TEXT, nullable=False),
    Column("names", TEXT, nullable=False, server_default=""),
)

# Entries of the trigram index (backends/search_index.py): which record each belongs to.
search_entry = Table(
    "search_entry",
    METADATA,
    Column("entry", NUMBER, primary_key=True, autoincrement=True),
    Column("record", NUMBER, nullable=False, unique=True),
    sqlite_autoincrement=True,
)

revision = Table(
    "revision",
    METADATA,
    Column("id", NUMBER, primary_key=True, autoincrement=False),
    Column("parent", NUMBER, ForeignKey("record.id", ondelete="CASCADE"), nullable=False),
    Column("author", NUMBER, nullable=False),
    Column("date", BigInteger, nullable=False),
    Column("date_gmt", BigInteger, nullable=False),
    Column("modified", BigInteger, nullable=False),
    Column("modified_gmt", BigInteger, nullable=False),
    Column("title", TEXT, nullable=False),
    Column("title_key", TEXT, nullable=False),
    Column("content", TEXT, nullable=False),
    Column("excerpt", TEXT, nullable=False),
    Column("search_key", TEXT, nullable=False),
    Column("guid", TEXT, nullable=False),
    Column("autosave", Boolean, nullable=False),
    Column("meta", TEXT, nullable=False),
    Index("revision_by_parent", "parent", "date", "id"),
)

# Links that show one draft (content/previews). `digest`: of the token. `revision`: the one that it shows, 0 for the
# record as it is, with its unsaved texts where `autosave` says so.
preview_link = Table(
    "preview_link",
    METADATA,
    Column("uuid", TEXT, primary_key=True),
    Column("record", NUMBER, ForeignKey("record.id", ondelete="CASCADE"), nullable=False),
    Column("account", NUMBER, ForeignKey("account.id", ondelete="CASCADE"), nullable=False),
    Column("digest", TEXT, nullable=False),
    Column("created", BigInteger, nullable=False),
    Column("until", BigInteger, nullable=False),
    Column("revision", NUMBER, nullable=False),
    Column("autosave", Boolean, nullable=False),
    Index("preview_link_by_record", "record", "created"),
    Index("preview_link_by_account", "account"),
    Index("preview_link_by_until", "until"),
)

# Who is editing a record (content/edit_locks), until when unless it is renewed.
edit_lock = Table(
    "edit_lock",
    METADATA,
    Column("record", NUMBER, ForeignKey("record.id", ondelete="CASCADE"), primary_key=True, autoincrement=False),
    Column("account", NUMBER, ForeignKey("account.id", ondelete="CASCADE"), nullable=False),
    Column("since", BigInteger, nullable=False),
    Column("until", BigInteger, nullable=False),
    Index("edit_lock_by_account", "account"),
    Index("edit_lock_by_until", "until"),
)

# The target of a menu item, beside its record: a record or a term (`object_id`), an archive, or a custom URL.
menu_item = Table(
    "menu_item",
    METADATA,
    Column("record", NUMBER, ForeignKey("record.id", ondelete="CASCADE"), primary_key=True, autoincrement=False),
    Column("kind", TEXT, nullable=False),
    Column("object", TEXT, nullable=False),
    Column("object_id", NUMBER, nullable=False),
    Column("parent", NUMBER, nullable=False),
    Column("url", TEXT, nullable=False),
    Column("target", TEXT, nullable=False),
    Column("classes", TEXT, nullable=False),
    Column("xfn", TEXT, nullable=False),
    Index("menu_item_by_object", "kind", "object_id"),
)

# Attachment data beside the record. `file`, `original`: in the uploads folder, the second if the file was made from it;
# `kind`: the first half of the MIME type; `sizes`, `details`: JSON.
media = Table(
    "media",
    METADATA,
    Column("record", NUMBER, ForeignKey("record.id", ondelete="CASCADE"), primary_key=True, autoincrement=False),
    Column("file", TEXT, nullable=False),
    Column("original", TEXT, nullable=False),
    Column("kind", TEXT, nullable=False),
    Column("mime_type", TEXT, nullable=False),
    Column("width", NUMBER, nullable=False),
    Column("height", NUMBER, nullable=False),
    Column("filesize", BigInteger, nullable=False),
    Column("alt_text", TEXT, nullable=False),
    Column("sizes", TEXT, nullable=False),
    Column("details", TEXT, nullable=False),
    Index("media_by_type", "kind", "mime_type", "record"),
    Index("media_by_file", "file"),
)
