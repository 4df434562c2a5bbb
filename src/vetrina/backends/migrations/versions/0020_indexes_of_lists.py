"""Indexes have what the lists of comments, terms and accounts look at, so that their rows are read of a page only."""

from __future__ import annotations

from alembic import op

revision = "0020"
down_revision = "0018"


def upgrade() -> None:
    op.drop_index("comment_by_date", "comment")
    op.create_index("comment_by_date", "comment", ["status", "type", "date_gmt", "id", "post", "author"])
    op.create_index("comment_by_local_date", "comment", ["status", "type", "date", "id", "post", "author"])
    op.drop_index("term_by_name", "term")
    op.create_index("term_by_name", "term", ["taxonomy", "language", "name_key", "id", "slug"])
    op.drop_index("account_by_name", "account")
    op.create_index("account_by_name", "account", ["name_key", "id", "email_key", "login_key", "slug", "url"])
