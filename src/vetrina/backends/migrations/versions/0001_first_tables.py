"""The first tables."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Make every table and index of the first version."""
    op.create_table(
        "account",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("login", sa.Text(), nullable=False),
        sa.Column("login_key", sa.Text(), nullable=False),
        sa.Column("email", sa.Text(), nullable=False),
        sa.Column("email_key", sa.Text(), nullable=False),
        sa.Column("slug", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("name_key", sa.Text(), nullable=False),
        sa.Column("first_name", sa.Text(), nullable=False),
        sa.Column("last_name", sa.Text(), nullable=False),
        sa.Column("nickname", sa.Text(), nullable=False),
        sa.Column("url", sa.Text(), nullable=False),
        sa.Column("description", sa.Text(), nullable=False),
        sa.Column("locale", sa.Text(), nullable=False),
        sa.Column("roles", sa.Text(), nullable=False),
        sa.Column("capabilities", sa.Text(), nullable=False),
        sa.Column("password", sa.Text(), nullable=False),
        sa.Column("registered", sa.BigInteger(), nullable=False),
        sa.Column("meta", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("email_key"),
        sa.UniqueConstraint("login_key"),
        sa.UniqueConstraint("slug"),
    )
    op.create_index("account_by_name", "account", ["name_key", "id"])
    op.create_index("account_by_registered", "account", ["registered", "id"])
    op.create_table(
        "change",
        sa.Column("sequence", sa.Integer(), autoincrement=True, nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("item", sa.Text(), nullable=False),
        sa.Column("action", sa.Text(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("sequence"),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "counter",
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("value", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("name"),
    )
    op.create_table(
        "failure",
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("count", sa.Integer(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("key"),
    )
    op.create_table(
        "job",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("arguments", sa.Text(), nullable=False),
        sa.Column("due", sa.BigInteger(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("last_error", sa.Text(), nullable=False),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.Column("started", sa.BigInteger(), nullable=True),
        sa.Column("finished", sa.BigInteger(), nullable=True),
        sa.Column("key", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("key"),
    )
    op.create_index("job_by_due", "job", ["state", "due", "id"])
    op.create_index("job_by_finished", "job", ["state", "finished"])
    op.create_table(
        "option",
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("name"),
    )
    op.create_table(
        "record",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("type", sa.Text(), nullable=False),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("language", sa.Text(), nullable=False),
        sa.Column("translations", sa.Integer(), nullable=False),
        sa.Column("slug", sa.Text(), nullable=False),
        sa.Column("author", sa.Integer(), nullable=False),
        sa.Column("parent", sa.Integer(), nullable=False),
        sa.Column("menu_order", sa.Integer(), nullable=False),
        sa.Column("date", sa.BigInteger(), nullable=False),
        sa.Column("date_gmt", sa.BigInteger(), nullable=False),
        sa.Column("modified", sa.BigInteger(), nullable=False),
        sa.Column("modified_gmt", sa.BigInteger(), nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("title_key", sa.Text(), nullable=False),
        sa.Column("title_html", sa.Text(), nullable=False),
        sa.Column("content", sa.Text(), nullable=False),
        sa.Column("content_html", sa.Text(), nullable=False),
        sa.Column("block_version", sa.Integer(), nullable=False),
        sa.Column("excerpt", sa.Text(), nullable=False),
        sa.Column("excerpt_html", sa.Text(), nullable=False),
        sa.Column("renderer", sa.Integer(), nullable=False),
        sa.Column("password", sa.Text(), nullable=False),
        sa.Column("comment_status", sa.Text(), nullable=False),
        sa.Column("ping_status", sa.Text(), nullable=False),
        sa.Column("format", sa.Text(), nullable=False),
        sa.Column("template", sa.Text(), nullable=False),
        sa.Column("featured_media", sa.Integer(), nullable=False),
        sa.Column("guid", sa.Text(), nullable=False),
        sa.Column("trashed_status", sa.Text(), nullable=False),
        sa.Column("trashed_slug", sa.Text(), nullable=False),
        sa.Column("revisions", sa.Integer(), nullable=False),
        sa.Column("last_revision", sa.Integer(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("meta", sa.Text(), nullable=False),
        sa.Column("floating", sa.Boolean(), nullable=False),
        sa.Column("sticky", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("record_by_author", "record", ["type", "status", "language", "author", "date"])
    op.create_index("record_by_date", "record", ["type", "status", "language", "date", "id"])
    op.create_index("record_by_featured", "record", ["featured_media"], sqlite_where=sa.text("featured_media != 0"))
    op.create_index("record_by_modified", "record", ["type", "status", "language", "modified", "id"])
    op.create_index("record_by_order", "record", ["type", "status", "language", "menu_order", "id"])
    op.create_index("record_by_parent", "record", ["type", "parent", "menu_order"])
    op.create_index("record_by_slug", "record", ["type", "slug"])
    op.create_index("record_by_title", "record", ["type", "status", "language", "title_key", "id"])
    op.create_index("record_by_translations", "record", ["translations"])
    op.create_index("record_due", "record", ["status", "date_gmt"], sqlite_where=sa.text("status = 'future'"))
    op.create_index("record_sticky", "record", ["type", "language"], sqlite_where=sa.text("sticky"))
    op.create_table(
        "search_entry",
        sa.Column("entry", sa.Integer(), autoincrement=True, nullable=False),
        sa.Column("record", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("entry"),
        sa.UniqueConstraint("record"),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "tally",
        sa.Column("type", sa.Text(), nullable=False),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("language", sa.Text(), nullable=False),
        sa.Column("count", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("type", "status", "language"),
    )
    op.create_table(
        "term",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("taxonomy", sa.Text(), nullable=False),
        sa.Column("language", sa.Text(), nullable=False),
        sa.Column("translations", sa.Integer(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("name_key", sa.Text(), nullable=False),
        sa.Column("slug", sa.Text(), nullable=False),
        sa.Column("description", sa.Text(), nullable=False),
        sa.Column("parent", sa.Integer(), nullable=False),
        sa.Column("count", sa.Integer(), nullable=False),
        sa.Column("meta", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("taxonomy", "language", "slug", name="term_slug"),
    )
    op.create_index("term_by_name", "term", ["taxonomy", "language", "name_key", "id"])
    op.create_index("term_by_parent", "term", ["taxonomy", "parent"])
    op.create_table(
        "app_password",
        sa.Column("uuid", sa.Text(), nullable=False),
        sa.Column("account", sa.Integer(), nullable=False),
        sa.Column("app_id", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("digest", sa.Text(), nullable=False),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.Column("last_used", sa.BigInteger(), nullable=True),
        sa.Column("last_ip", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(["account"], ["account.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("uuid"),
    )
    op.create_index("app_password_by_account", "app_password", ["account", "created"])
    op.create_table(
        "record_term",
        sa.Column("record", sa.Integer(), nullable=False),
        sa.Column("term", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["record"], ["record.id"], ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["term"], ["term.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("record", "term"),
    )
    op.create_index("record_term_by_term", "record_term", ["term", "record"])
    op.create_table(
        "revision",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("parent", sa.Integer(), nullable=False),
        sa.Column("author", sa.Integer(), nullable=False),
        sa.Column("date", sa.BigInteger(), nullable=False),
        sa.Column("date_gmt", sa.BigInteger(), nullable=False),
        sa.Column("modified", sa.BigInteger(), nullable=False),
        sa.Column("modified_gmt", sa.BigInteger(), nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("title_key", sa.Text(), nullable=False),
        sa.Column("content", sa.Text(), nullable=False),
        sa.Column("excerpt", sa.Text(), nullable=False),
        sa.Column("search_key", sa.Text(), nullable=False),
        sa.Column("guid", sa.Text(), nullable=False),
        sa.Column("autosave", sa.Boolean(), nullable=False),
        sa.Column("meta", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["parent"], ["record.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("revision_by_parent", "revision", ["parent", "date", "id"])
    op.create_table(
        "searchable",
        sa.Column("record", sa.Integer(), nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("content", sa.Text(), nullable=False),
        sa.Column("excerpt", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["record"], ["record.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("record"),
    )
