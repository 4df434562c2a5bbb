"""The tables of content, accounts, options, jobs and the change log.

Instants are whole seconds since 1970 in GMT; local times are counted the same way (kernel/times.py). Text that is
sorted or searched has a folded copy, because no database folds accents and case as the interface requires. Live content
is in `record`, its history in `revision`, so that the hot table stays small.
"""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    Table,
    Text,
    UniqueConstraint,
    text,
)

METADATA = MetaData()

# Makes PostgreSQL compare text byte for byte and use integers of the same size, as SQLite does by itself.
TEXT = Text().with_variant(Text(collation="C"), "postgresql")
NUMBER = Integer().with_variant(BigInteger(), "postgresql")


def _build_partial_index(name: str, *columns: str, where: str, in_sqlite: str = "") -> Index:
    """Return an index of the rows that fulfil a condition, which must be written as queries write it."""
    return Index(name, *columns, sqlite_where=text(in_sqlite or where), postgresql_where=text(where))


# Ids of records, revisions and autosaves come from one row, so that an id is never used twice.
counter = Table(
    "counter",
    METADATA,
    Column("name", TEXT, primary_key=True),
    Column("value", BigInteger, nullable=False),
)

account = Table(
    "account",
    METADATA,
    Column("id", NUMBER, primary_key=True, autoincrement=False),
    Column("login", TEXT, nullable=False),
    Column("login_key", TEXT, nullable=False, unique=True),
    Column("email", TEXT, nullable=False),
    Column("email_key", TEXT, nullable=False, unique=True),
    Column("slug", TEXT, nullable=False, unique=True),
    Column("name", TEXT, nullable=False),
    Column("name_key", TEXT, nullable=False),
    Column("first_name", TEXT, nullable=False),
    Column("last_name", TEXT, nullable=False),
    Column("nickname", TEXT, nullable=False),
    Column("url", TEXT, nullable=False),
    Column("description", TEXT, nullable=False),
    Column("locale", TEXT, nullable=False),
    Column("roles", TEXT, nullable=False),
    Column("capabilities", TEXT, nullable=False),
    Column("password", TEXT, nullable=False),
    Column("registered", BigInteger, nullable=False),
    Column("meta", TEXT, nullable=False),
    # With all that a search looks at, so that it reads no accounts but those that it finds.
    Index("account_by_name", "name_key", "id", "email_key", "login_key", "slug", "url"),
    Index("account_by_registered", "registered", "id"),
)

app_password = Table(
    "app_password",
    METADATA,
    Column("uuid", TEXT, primary_key=True),
    Column("account", NUMBER, ForeignKey("account.id", ondelete="CASCADE"), nullable=False),
    Column("app_id", TEXT, nullable=False),
    Column("name", TEXT, nullable=False),
    Column("digest", TEXT, nullable=False),
    Column("created", BigInteger, nullable=False),
    Column("last_used", BigInteger),
    Column("last_ip", TEXT),
    Index("app_password_by_account", "account", "created"),
)

# Failed guesses at secrets (access/sign_in/guess_limiter.py). `key`: digest of the client and of what it guessed at.
failure = Table(
    "failure",
    METADATA,
    Column("key", TEXT, primary_key=True),
    Column("count", NUMBER, nullable=False),
    Column("at", BigInteger, nullable=False),
    Index("failure_by_at", "at"),
)

# Links to choose a new password (access/passwords/reset.py). `digest`: of the key.
password_reset = Table(
    "password_reset",
    METADATA,
    Column("account", NUMBER, ForeignKey("account.id", ondelete="CASCADE"), primary_key=True, autoincrement=False),
    Column("digest", TEXT, nullable=False),
    Column("until", BigInteger, nullable=False),
)

option = Table(
    "option",
    METADATA,
    Column("name", TEXT, primary_key=True),
    Column("value", TEXT, nullable=False),
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
    _build_partial_index(
        "record_sticky", "type", "status", "language", "date", "id", where="sticky", in_sqlite="sticky = 1"
    ),
    _build_partial_index(
        "record_by_format", "type", "status", "language", "format", "id", where="format != 'standard'"
    ),
    _build_partial_index("record_by_featured", "featured_media", where="featured_media != 0"),
    # Written so that no query's `status = ?` resembles it: SQLite compares conditions with the bound values, and would
    # plan every query of records again on each execution.
    _build_partial_index("record_due", "date_gmt", where="status || '' = 'future'"),
    # Lists by own fields leave out what a password hides.
    _build_partial_index("record_protected", "type", where="password || '' != ''"),
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

term = Table(
    "term",
    METADATA,
    Column("id", NUMBER, primary_key=True, autoincrement=False),
    Column("taxonomy", TEXT, nullable=False),
    Column("language", TEXT, nullable=False),
    Column("translations", NUMBER, nullable=False),
    Column("name", TEXT, nullable=False),
    Column("name_key", TEXT, nullable=False),
    Column("slug", TEXT, nullable=False),
    Column("description", TEXT, nullable=False),
    Column("parent", NUMBER, nullable=False),
    Column("count", NUMBER, nullable=False),
    Column("meta", TEXT, nullable=False),
    Column("source_language", TEXT, nullable=False),
    UniqueConstraint("taxonomy", "language", "slug", name="term_slug"),
    UniqueConstraint("translations", "language", name="term_translation"),
    # With `slug`, so that a search reads no terms but those that it finds.
    Index("term_by_name", "taxonomy", "language", "name_key", "id", "slug"),
    Index("term_by_parent", "taxonomy", "parent"),
)

record_term = Table(
    "record_term",
    METADATA,
    Column("record", NUMBER, ForeignKey("record.id", ondelete="CASCADE"), primary_key=True),
    Column("term", NUMBER, ForeignKey("term.id", ondelete="CASCADE"), primary_key=True),
    # Copies of the record's columns, so that the records of a term are listed and counted from one index.
    Column("type", TEXT, nullable=False),
    Column("status", TEXT, nullable=False),
    Column("language", TEXT, nullable=False),
    Column("date", BigInteger, nullable=False),
    Index("record_term_by_term", "term", "type", "status", "language", "date", "record"),
)

# The change log: one row for every write, in the write's own transaction. Caches, search and connector read it.
change = Table(
    "change",
    METADATA,
    Column("sequence", NUMBER, primary_key=True, autoincrement=True),
    Column("kind", TEXT, nullable=False),
    Column("item", TEXT, nullable=False),
    Column("action", TEXT, nullable=False),
    Column("at", BigInteger, nullable=False),
    Column("by", NUMBER, nullable=False, server_default="0"),
    # What the change feed tells readers of a thing that they could see before; NULL for most changes.
    Column("before", TEXT, nullable=True),
    sqlite_autoincrement=True,
)

# Background jobs (backends/job_queue.py). A key identifies a job that exists once; NULL for none, because NULLs do not
# conflict in a unique index.
job = Table(
    "job",
    METADATA,
    Column("id", NUMBER, primary_key=True),
    Column("kind", TEXT, nullable=False),
    Column("arguments", TEXT, nullable=False),
    Column("due", BigInteger, nullable=False),
    Column("state", TEXT, nullable=False),
    Column("attempts", NUMBER, nullable=False),
    Column("last_error", TEXT, nullable=False),
    Column("created", BigInteger, nullable=False),
    Column("started", BigInteger),
    Column("finished", BigInteger),
    Column("key", TEXT, unique=True),
    Index("job_by_due", "state", "due", "id"),
    Index("job_by_finished", "state", "finished"),
)

# Comments and notes on a record. `kept_status`: restored from spam or trash; `shelved_status`: restored when the record
# leaves the trash.
comment = Table(
    "comment",
    METADATA,
    Column("id", NUMBER, primary_key=True, autoincrement=False),
    Column("post", NUMBER, ForeignKey("record.id", ondelete="CASCADE"), nullable=False),
    Column("parent", NUMBER, nullable=False),
    Column("author", NUMBER, nullable=False),
    Column("author_name", TEXT, nullable=False),
    Column("author_email", TEXT, nullable=False),
    Column("author_url", TEXT, nullable=False),
    Column("author_ip", TEXT, nullable=False),
    Column("author_user_agent", TEXT, nullable=False),
    Column("date", BigInteger, nullable=False),
    Column("date_gmt", BigInteger, nullable=False),
    Column("content", TEXT, nullable=False),
    Column("content_html", TEXT, nullable=False),
    Column("status", TEXT, nullable=False),
    Column("kept_status", TEXT, nullable=False),
    Column("shelved_status", TEXT, nullable=False),
    Column("type", TEXT, nullable=False),
    Column("meta", TEXT, nullable=False),
    Column("email_key", TEXT, nullable=False),
    Column("search_key", TEXT, nullable=False),
    # With `post` and `author`, by which the rights are decided, so that no comments are read on the way to a page.
    Index("comment_by_date", "status", "type", "date_gmt", "id", "post", "author"),
    Index("comment_by_local_date", "status", "type", "date", "id", "post", "author"),
    Index("comment_by_post", "post", "status", "type", "date_gmt"),
    Index("comment_by_parent", "parent", "status"),
    Index("comment_by_author", "author", "date_gmt"),
    Index("comment_by_email", "email_key", "date_gmt"),
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

# Widgets by position. `id`: id_base and number; `settings`: JSON.
widget = Table(
    "widget",
    METADATA,
    Column("id", TEXT, primary_key=True),
    Column("id_base", TEXT, nullable=False),
    Column("number", NUMBER, nullable=False),
    Column("sidebar", TEXT, nullable=False),
    Column("position", NUMBER, nullable=False),
    Column("settings", TEXT, nullable=False),
    Index("widget_by_sidebar", "sidebar", "position"),
)
