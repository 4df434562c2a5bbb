"""Every table and index of a site, in one MetaData.

Instants are whole seconds since 1970 in GMT; local times are counted likewise (kernel/times.py). Text that is sorted
or searched has a folded copy, because no database folds accents and case as the interface wants it. Live content is
in `record`, its history in `revision`, so that the hot table stays small.
"""

from __future__ import annotations

from sqlalchemy import BigInteger, Boolean, Column, ForeignKey, Index, Integer, MetaData, Table, Text, UniqueConstraint

__all__ = ["METADATA", "account", "app_password", "change", "counter", "failure", "option", "record", "record_term",
           "revision", "searchable", "tally", "term"]  # fmt: skip

METADATA = MetaData()

# Numbers of records, revisions and autosaves come from one row, so that a number names one thing only.
counter = Table(
    "counter",
    METADATA,
    Column("name", Text, primary_key=True),
    Column("value", BigInteger, nullable=False),
)

account = Table(
    "account",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("login", Text, nullable=False),
    Column("login_key", Text, nullable=False, unique=True),
    Column("email", Text, nullable=False),
    Column("email_key", Text, nullable=False, unique=True),
    Column("slug", Text, nullable=False, unique=True),
    Column("name", Text, nullable=False),
    Column("name_key", Text, nullable=False),
    Column("first_name", Text, nullable=False),
    Column("last_name", Text, nullable=False),
    Column("nickname", Text, nullable=False),
    Column("url", Text, nullable=False),
    Column("description", Text, nullable=False),
    Column("locale", Text, nullable=False),
    Column("roles", Text, nullable=False),
    Column("capabilities", Text, nullable=False),
    Column("password", Text, nullable=False),
    Column("registered", BigInteger, nullable=False),
    Column("meta", Text, nullable=False),
    Index("account_by_name", "name_key", "id"),
    Index("account_by_registered", "registered", "id"),
)

app_password = Table(
    "app_password",
    METADATA,
    Column("uuid", Text, primary_key=True),
    Column("account", Integer, ForeignKey("account.id", ondelete="CASCADE"), nullable=False),
    Column("app_id", Text, nullable=False),
    Column("name", Text, nullable=False),
    Column("digest", Text, nullable=False),
    Column("created", BigInteger, nullable=False),
    Column("last_used", BigInteger),
    Column("last_ip", Text),
    Index("app_password_by_account", "account", "created"),
)

failure = Table(
    "failure",
    METADATA,
    Column("key", Text, primary_key=True),
    Column("count", Integer, nullable=False),
    Column("at", BigInteger, nullable=False),
)

option = Table(
    "option",
    METADATA,
    Column("name", Text, primary_key=True),
    Column("value", Text, nullable=False),
)

record = Table(
    "record",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("type", Text, nullable=False),
    Column("status", Text, nullable=False),
    Column("language", Text, nullable=False),
    Column("translations", Integer, nullable=False),
    Column("slug", Text, nullable=False),
    Column("author", Integer, nullable=False),
    Column("parent", Integer, nullable=False),
    Column("menu_order", Integer, nullable=False),
    Column("date", BigInteger, nullable=False),
    Column("date_gmt", BigInteger, nullable=False),
    Column("modified", BigInteger, nullable=False),
    Column("modified_gmt", BigInteger, nullable=False),
    Column("title", Text, nullable=False),
    Column("title_key", Text, nullable=False),
    Column("title_html", Text, nullable=False),
    Column("content", Text, nullable=False),
    Column("content_html", Text, nullable=False),
    Column("block_version", Integer, nullable=False),
    Column("excerpt", Text, nullable=False),
    Column("excerpt_html", Text, nullable=False),
    Column("renderer", Integer, nullable=False),
    Column("password", Text, nullable=False),
    Column("comment_status", Text, nullable=False),
    Column("ping_status", Text, nullable=False),
    Column("format", Text, nullable=False),
    Column("template", Text, nullable=False),
    Column("featured_media", Integer, nullable=False),
    Column("guid", Text, nullable=False),
    Column("trashed_status", Text, nullable=False),
    Column("trashed_slug", Text, nullable=False),
    Column("revisions", Integer, nullable=False),
    Column("last_revision", Integer, nullable=False),
    Column("version", Integer, nullable=False),
    Column("meta", Text, nullable=False),
    Column("floating", Boolean, nullable=False),
    Column("sticky", Boolean, nullable=False),
    Index("record_by_date", "type", "status", "language", "date", "id"),
    Index("record_by_modified", "type", "status", "language", "modified", "id"),
    Index("record_by_title", "type", "status", "language", "title_key", "id"),
    Index("record_by_author", "type", "status", "language", "author", "date"),
    Index("record_by_slug", "type", "slug"),
    Index("record_by_parent", "type", "parent", "menu_order"),
    Index("record_by_order", "type", "status", "language", "menu_order", "id"),
    Index("record_by_translations", "translations"),
    Index("record_sticky", "type", "language", sqlite_where=Column("sticky", Boolean)),
    Index("record_by_featured", "featured_media", sqlite_where=Column("featured_media", Integer) != 0),
    Index("record_due", "status", "date_gmt", sqlite_where=Column("status", Text) == "future"),
)

# How many records there are, moved with every record: totals of plain lists are known, not counted.
tally = Table(
    "tally",
    METADATA,
    Column("type", Text, primary_key=True),
    Column("status", Text, primary_key=True),
    Column("language", Text, primary_key=True),
    Column("count", Integer, nullable=False),
)

# The folded copy that a search reads; apart, so that lists do not drag it through the cache.
searchable = Table(
    "searchable",
    METADATA,
    Column("record", Integer, ForeignKey("record.id", ondelete="CASCADE"), primary_key=True),
    Column("title", Text, nullable=False),
    Column("content", Text, nullable=False),
    Column("excerpt", Text, nullable=False),
)

revision = Table(
    "revision",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("parent", Integer, ForeignKey("record.id", ondelete="CASCADE"), nullable=False),
    Column("author", Integer, nullable=False),
    Column("date", BigInteger, nullable=False),
    Column("date_gmt", BigInteger, nullable=False),
    Column("modified", BigInteger, nullable=False),
    Column("modified_gmt", BigInteger, nullable=False),
    Column("title", Text, nullable=False),
    Column("title_key", Text, nullable=False),
    Column("content", Text, nullable=False),
    Column("excerpt", Text, nullable=False),
    Column("search_key", Text, nullable=False),
    Column("guid", Text, nullable=False),
    Column("autosave", Boolean, nullable=False),
    Column("meta", Text, nullable=False),
    Index("revision_by_parent", "parent", "date", "id"),
)

term = Table(
    "term",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("taxonomy", Text, nullable=False),
    Column("language", Text, nullable=False),
    Column("translations", Integer, nullable=False),
    Column("name", Text, nullable=False),
    Column("name_key", Text, nullable=False),
    Column("slug", Text, nullable=False),
    Column("description", Text, nullable=False),
    Column("parent", Integer, nullable=False),
    Column("count", Integer, nullable=False),
    Column("meta", Text, nullable=False),
    UniqueConstraint("taxonomy", "language", "slug", name="term_slug"),
    Index("term_by_name", "taxonomy", "language", "name_key", "id"),
    Index("term_by_parent", "taxonomy", "parent"),
)

record_term = Table(
    "record_term",
    METADATA,
    Column("record", Integer, ForeignKey("record.id", ondelete="CASCADE"), primary_key=True),
    Column("term", Integer, ForeignKey("term.id", ondelete="CASCADE"), primary_key=True),
    Index("record_term_by_term", "term", "record"),
)

# The change log: one row for every write, in the write's own transaction. Caches, search, the connector read it.
change = Table(
    "change",
    METADATA,
    Column("sequence", Integer, primary_key=True, autoincrement=True),
    Column("kind", Text, nullable=False),
    Column("item", Text, nullable=False),
    Column("action", Text, nullable=False),
    Column("at", BigInteger, nullable=False),
    sqlite_autoincrement=True,
)
