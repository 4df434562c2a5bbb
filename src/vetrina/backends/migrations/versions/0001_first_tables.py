"""The first tables."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None

# PostgreSQL compares text byte for byte and has numbers of the same size, as SQLite does by itself.
TEXT = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")
NUMBER = sa.Integer().with_variant(sa.BigInteger(), "postgresql")


def upgrade() -> None:
    op.create_table(
        "account",
        sa.Column("id", NUMBER, autoincrement=False, nullable=False),
        sa.Column("login", TEXT, nullable=False),
        sa.Column("login_key", TEXT, nullable=False),
        sa.Column("email", TEXT, nullable=False),
        sa.Column("email_key", TEXT, nullable=False),
        sa.Column("slug", TEXT, nullable=False),
        sa.Column("name", TEXT, nullable=False),
        sa.Column("name_key", TEXT, nullable=False),
        sa.Column("first_name", TEXT, nullable=False),
        sa.Column("last_name", TEXT, nullable=False),
        sa.Column("nickname", TEXT, nullable=False),
        sa.Column("url", TEXT, nullable=False),
        sa.Column("description", TEXT, nullable=False),
        sa.Column("locale", TEXT, nullable=False),
        sa.Column("roles", TEXT, nullable=False),
        sa.Column("capabilities", TEXT, nullable=False),
        sa.Column("password", TEXT, nullable=False),
        sa.Column("registered", sa.BigInteger(), nullable=False),
        sa.Column("meta", TEXT, nullable=False),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("email_key"),
        sa.UniqueConstraint("login_key"),
        sa.UniqueConstraint("slug"),
    )
    op.create_index("account_by_name", "account", ["name_key", "id"])
    op.create_index("account_by_registered", "account", ["registered", "id"])
    op.create_table(
        "change",
        sa.Column("sequence", NUMBER, autoincrement=True, nullable=False),
        sa.Column("kind", TEXT, nullable=False),
        sa.Column("item", TEXT, nullable=False),
        sa.Column("action", TEXT, nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("sequence"),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "counter",
        sa.Column("name", TEXT, nullable=False),
        sa.Column("value", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("name"),
    )
    op.create_table(
        "failure",
        sa.Column("key", TEXT, nullable=False),
        sa.Column("count", NUMBER, nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("key"),
    )
    op.create_table(
        "job",
        sa.Column("id", NUMBER, nullable=False),
        sa.Column("kind", TEXT, nullable=False),
        sa.Column("arguments", TEXT, nullable=False),
        sa.Column("due", sa.BigInteger(), nullable=False),
        sa.Column("state", TEXT, nullable=False),
        sa.Column("attempts", NUMBER, nullable=False),
        sa.Column("last_error", TEXT, nullable=False),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.Column("started", sa.BigInteger(), nullable=True),
        sa.Column("finished", sa.BigInteger(), nullable=True),
        sa.Column("key", TEXT, nullable=True),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("key"),
    )
    op.create_index("job_by_due", "job", ["state", "due", "id"])
    op.create_index("job_by_finished", "job", ["state", "finished"])
    op.create_table(
        "option",
        sa.Column("name", TEXT, nullable=False),
        sa.Column("value", TEXT, nullable=False),
        sa.PrimaryKeyConstraint("name"),
    )
    op.create_table(
        "record",
        sa.Column("id", NUMBER, autoincrement=False, nullable=False),
        sa.Column("type", TEXT, nullable=False),
        sa.Column("status", TEXT, nullable=False),
        sa.Column("language", TEXT, nullable=False),
        sa.Column("translations", NUMBER, nullable=False),
        sa.Column("slug", TEXT, nullable=False),
        sa.Column("author", NUMBER, nullable=False),
        sa.Column("parent", NUMBER, nullable=False),
        sa.Column("menu_order", NUMBER, nullable=False),
        sa.Column("date", sa.BigInteger(), nullable=False),
        sa.Column("date_gmt", sa.BigInteger(), nullable=False),
        sa.Column("modified", sa.BigInteger(), nullable=False),
        sa.Column("modified_gmt", sa.BigInteger(), nullable=False),
        sa.Column("title", TEXT, nullable=False),
        sa.Column("title_key", TEXT, nullable=False),
        sa.Column("title_html", TEXT, nullable=False),
        sa.Column("content", TEXT, nullable=False),
        sa.Column("content_html", TEXT, nullable=False),
        sa.Column("block_version", NUMBER, nullable=False),
        sa.Column("excerpt", TEXT, nullable=False),
        sa.Column("excerpt_html", TEXT, nullable=False),
        sa.Column("renderer", NUMBER, nullable=False),
        sa.Column("password", TEXT, nullable=False),
        sa.Column("comment_status", TEXT, nullable=False),
        sa.Column("ping_status", TEXT, nullable=False),
        sa.Column("format", TEXT, nullable=False),
        sa.Column("template", TEXT, nullable=False),
        sa.Column("featured_media", NUMBER, nullable=False),
        sa.Column("guid", TEXT, nullable=False),
        sa.Column("trashed_status", TEXT, nullable=False),
        sa.Column("trashed_slug", TEXT, nullable=False),
        sa.Column("revisions", NUMBER, nullable=False),
        sa.Column("last_revision", NUMBER, nullable=False),
        sa.Column("version", NUMBER, nullable=False),
        sa.Column("meta", TEXT, nullable=False),
        sa.Column("floating", sa.Boolean(), nullable=False),
        sa.Column("sticky", sa.Boolean(), nullable=False),
        sa.Column("dynamic", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("record_by_author", "record", ["type", "status", "language", "author", "date"])
    op.create_index("record_by_date", "record", ["type", "status", "language", "date", "id"])
    op.create_index(
        "record_by_featured",
        "record",
        ["featured_media"],
        sqlite_where=sa.text("featured_media != 0"),
        postgresql_where=sa.text("featured_media != 0"),
    )
    op.create_index("record_by_modified", "record", ["type", "status", "language", "modified", "id"])
    op.create_index("record_by_order", "record", ["type", "status", "language", "menu_order", "id"])
    op.create_index("record_by_parent", "record", ["type", "parent", "menu_order"])
    op.create_index("record_by_slug", "record", ["type", "slug"])
    op.create_index("record_by_title", "record", ["type", "status", "language", "title_key", "id"])
    op.create_index("record_by_translations", "record", ["translations"])
    op.create_index(
        "record_due",
        "record",
        ["status", "date_gmt"],
        sqlite_where=sa.text("status = 'future'"),
        postgresql_where=sa.text("status = 'future'"),
    )
    op.create_index(
        "record_sticky",
        "record",
        ["type", "status", "language", "date", "id"],
        sqlite_where=sa.text("sticky = 1"),
        postgresql_where=sa.text("sticky"),
    )
    op.create_table(
        "search_entry",
        sa.Column("entry", NUMBER, autoincrement=True, nullable=False),
        sa.Column("record", NUMBER, nullable=False),
        sa.PrimaryKeyConstraint("entry"),
        sa.UniqueConstraint("record"),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "tally",
        sa.Column("type", TEXT, nullable=False),
        sa.Column("status", TEXT, nullable=False),
        sa.Column("language", TEXT, nullable=False),
        sa.Column("author", NUMBER, autoincrement=False, nullable=False),
        sa.Column("count", NUMBER, nullable=False),
        sa.PrimaryKeyConstraint("type", "status", "language", "author"),
    )
    op.create_table(
        "term",
        sa.Column("id", NUMBER, autoincrement=False, nullable=False),
        sa.Column("taxonomy", TEXT, nullable=False),
        sa.Column("language", TEXT, nullable=False),
        sa.Column("translations", NUMBER, nullable=False),
        sa.Column("name", TEXT, nullable=False),
        sa.Column("name_key", TEXT, nullable=False),
        sa.Column("slug", TEXT, nullable=False),
        sa.Column("description", TEXT, nullable=False),
        sa.Column("parent", NUMBER, nullable=False),
        sa.Column("count", NUMBER, nullable=False),
        sa.Column("meta", TEXT, nullable=False),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("taxonomy", "language", "slug", name="term_slug"),
    )
    op.create_index("term_by_name", "term", ["taxonomy", "language", "name_key", "id"])
    op.create_index("term_by_parent", "term", ["taxonomy", "parent"])
    op.create_table(
        "app_password",
        sa.Column("uuid", TEXT, nullable=False),
        sa.Column("account", NUMBER, nullable=False),
        sa.Column("app_id", TEXT, nullable=False),
        sa.Column("name", TEXT, nullable=False),
        sa.Column("digest", TEXT, nullable=False),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.Column("last_used", sa.BigInteger(), nullable=True),
        sa.Column("last_ip", TEXT, nullable=True),
        sa.ForeignKeyConstraint(["account"], ["account.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("uuid"),
    )
    op.create_index("app_password_by_account", "app_password", ["account", "created"])
    op.create_table(
        "comment",
        sa.Column("id", NUMBER, autoincrement=False, nullable=False),
        sa.Column("post", NUMBER, nullable=False),
        sa.Column("parent", NUMBER, nullable=False),
        sa.Column("author", NUMBER, nullable=False),
        sa.Column("author_name", TEXT, nullable=False),
        sa.Column("author_email", TEXT, nullable=False),
        sa.Column("author_url", TEXT, nullable=False),
        sa.Column("author_ip", TEXT, nullable=False),
        sa.Column("author_user_agent", TEXT, nullable=False),
        sa.Column("date", sa.BigInteger(), nullable=False),
        sa.Column("date_gmt", sa.BigInteger(), nullable=False),
        sa.Column("content", TEXT, nullable=False),
        sa.Column("content_html", TEXT, nullable=False),
        sa.Column("status", TEXT, nullable=False),
        sa.Column("kept_status", TEXT, nullable=False),
        sa.Column("shelved_status", TEXT, nullable=False),
        sa.Column("type", TEXT, nullable=False),
        sa.Column("meta", TEXT, nullable=False),
        sa.Column("email_key", TEXT, nullable=False),
        sa.Column("search_key", TEXT, nullable=False),
        sa.ForeignKeyConstraint(["post"], ["record.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("comment_by_author", "comment", ["author", "date_gmt"])
    op.create_index("comment_by_date", "comment", ["status", "type", "date_gmt", "id"])
    op.create_index("comment_by_email", "comment", ["email_key", "date_gmt"])
    op.create_index("comment_by_parent", "comment", ["parent", "status"])
    op.create_index("comment_by_post", "comment", ["post", "status", "type", "date_gmt"])
    op.create_table(
        "menu_item",
        sa.Column("record", NUMBER, autoincrement=False, nullable=False),
        sa.Column("kind", TEXT, nullable=False),
        sa.Column("object", TEXT, nullable=False),
        sa.Column("object_id", NUMBER, nullable=False),
        sa.Column("parent", NUMBER, nullable=False),
        sa.Column("url", TEXT, nullable=False),
        sa.Column("target", TEXT, nullable=False),
        sa.Column("classes", TEXT, nullable=False),
        sa.Column("xfn", TEXT, nullable=False),
        sa.ForeignKeyConstraint(["record"], ["record.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("record"),
    )
    op.create_index("menu_item_by_object", "menu_item", ["kind", "object_id"])
    op.create_table(
        "record_term",
        sa.Column("record", NUMBER, nullable=False),
        sa.Column("term", NUMBER, nullable=False),
        sa.Column("type", TEXT, nullable=False),
        sa.Column("status", TEXT, nullable=False),
        sa.Column("language", TEXT, nullable=False),
        sa.Column("date", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["record"], ["record.id"], ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["term"], ["term.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("record", "term"),
    )
    op.create_index("record_term_by_term", "record_term", ["term", "type", "status", "language", "date", "record"])
    op.create_table(
        "revision",
        sa.Column("id", NUMBER, autoincrement=False, nullable=False),
        sa.Column("parent", NUMBER, nullable=False),
        sa.Column("author", NUMBER, nullable=False),
        sa.Column("date", sa.BigInteger(), nullable=False),
        sa.Column("date_gmt", sa.BigInteger(), nullable=False),
        sa.Column("modified", sa.BigInteger(), nullable=False),
        sa.Column("modified_gmt", sa.BigInteger(), nullable=False),
        sa.Column("title", TEXT, nullable=False),
        sa.Column("title_key", TEXT, nullable=False),
        sa.Column("content", TEXT, nullable=False),
        sa.Column("excerpt", TEXT, nullable=False),
        sa.Column("search_key", TEXT, nullable=False),
        sa.Column("guid", TEXT, nullable=False),
        sa.Column("autosave", sa.Boolean(), nullable=False),
        sa.Column("meta", TEXT, nullable=False),
        sa.ForeignKeyConstraint(["parent"], ["record.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("revision_by_parent", "revision", ["parent", "date", "id"])
    op.create_table(
        "searchable",
        sa.Column("record", NUMBER, nullable=False),
        sa.Column("title", TEXT, nullable=False),
        sa.Column("content", TEXT, nullable=False),
        sa.Column("excerpt", TEXT, nullable=False),
        sa.Column("names", TEXT, server_default="", nullable=False),
        sa.ForeignKeyConstraint(["record"], ["record.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("record"),
    )
    op.create_table(
        "media",
        sa.Column("record", NUMBER, autoincrement=False, nullable=False),
        sa.Column("file", TEXT, nullable=False),
        sa.Column("original", TEXT, nullable=False),
        sa.Column("kind", TEXT, nullable=False),
        sa.Column("mime_type", TEXT, nullable=False),
        sa.Column("width", NUMBER, nullable=False),
        sa.Column("height", NUMBER, nullable=False),
        sa.Column("filesize", sa.BigInteger(), nullable=False),
        sa.Column("alt_text", TEXT, nullable=False),
        sa.Column("sizes", TEXT, nullable=False),
        sa.Column("details", TEXT, nullable=False),
        sa.ForeignKeyConstraint(["record"], ["record.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("record"),
    )
    op.create_index("media_by_type", "media", ["kind", "mime_type", "record"])
    op.create_table(
        "widget",
        sa.Column("id", TEXT, nullable=False),
        sa.Column("id_base", TEXT, nullable=False),
        sa.Column("number", NUMBER, nullable=False),
        sa.Column("sidebar", TEXT, nullable=False),
        sa.Column("position", NUMBER, nullable=False),
        sa.Column("settings", TEXT, nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("widget_by_sidebar", "widget", ["sidebar", "position"])
    if op.get_bind().dialect.name == "sqlite":
        op.execute(
            "CREATE VIRTUAL TABLE search_index USING fts5(text, content='', columnsize=0, detail=none, "
            "tokenize='trigram case_sensitive 1')"
        )
    else:
        op.execute("CREATE EXTENSION IF NOT EXISTS pg_trgm")
        op.execute(
            "CREATE INDEX searchable_trigrams ON searchable USING gin (title gin_trgm_ops, content "
            "gin_trgm_ops, excerpt gin_trgm_ops, names gin_trgm_ops) WITH (gin_pending_list_limit = 512)"
        )
