"""The table of comments and notes on records."""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Column,
    ForeignKey,
    Index,
    Table,
)

from vetrina.backends.tables.metadata import METADATA, NUMBER, TEXT

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
