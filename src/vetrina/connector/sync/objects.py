"""Objects of the site as the service receives them: table rows with its column names, loaded in bulk.

Passwords are never sent; a record's is replaced by a word that changes with it. Besides the columns, a record has
`language`, `terms` and the allowed part of its `meta`. Not here: changes (connector/sync/change_items.py), checksums
(connector/checksums/rules.py), objects with names (connector/sync/named_objects.py), the shop
(connector/sync/product_rows.py, connector/sync/shop_objects.py). Rules: docs/rules/connector_sync.md, 4 and
docs/rules/connector_tables.md, 6.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

import orjson
from sqlalchemy import select

from vetrina.access.users import rules as users
from vetrina.backends.database import Row, Statement
from vetrina.backends.statement_cache import InList, encode_list
from vetrina.backends.tables.accounts import account
from vetrina.backends.tables.comments import comment
from vetrina.backends.tables.records import record
from vetrina.backends.tables.terms import record_term, term
from vetrina.connector.connection import state as connection_state
from vetrina.connector.sync import product_rows, settings as sync_settings
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.core.user import User
from vetrina.kernel.keys import compute_digest
from vetrina.kernel.times import format_iso
from vetrina.media.attachments import store as attachment_store

SyncObjects = dict[str, dict[str, Any]]

_LARGEST: Final = 5_000_000  # characters of content
_APPROVAL_WORDS: Final = {"approved": "1", "approve": "1", "hold": "0"}

_POSTS = Statement(
    select(
        record.c.id, record.c.author, record.c.date, record.c.date_gmt, record.c.content, record.c.title,
        record.c.excerpt, record.c.status, record.c.comment_status, record.c.ping_status, record.c.password,
        record.c.slug, record.c.modified, record.c.modified_gmt, record.c.parent, record.c.guid, record.c.menu_order,
        record.c.type, record.c.language, record.c.featured_media, record.c.meta, record.c.content_html,
        record.c.excerpt_html,
    ).where(InList(record.c.id, "ids"))
)  # fmt: skip
_TERMS_OF = Statement(
    select(record_term.c.record, record_term.c.term)
    .where(InList(record_term.c.record, "ids"))
    .order_by(record_term.c.record, record_term.c.term)
)
_COMMENTS = Statement(
    select(
        comment.c.id, comment.c.post, comment.c.author_name, comment.c.author_email, comment.c.author_url,
        comment.c.author_ip, comment.c.date, comment.c.date_gmt, comment.c.content, comment.c.status,
        comment.c.author_user_agent, comment.c.type, comment.c.parent, comment.c.author, comment.c.meta,
    ).where(InList(comment.c.id, "ids"))
)  # fmt: skip
_TERMS = Statement(
    select(
        term.c.id, term.c.name, term.c.slug, term.c.taxonomy, term.c.description, term.c.parent, term.c.count,
        term.c.language,
    ).where(InList(term.c.id, "ids"))
)  # fmt: skip
_USERS = Statement(select(*users.USER_COLUMNS).where(InList(account.c.id, "ids")))


def format_timestamp(seconds: int | None) -> str | None:
    """Return a GMT or local time in the service's format."""
    return None if seconds is None else format_iso(seconds).replace("T", " ")


def _filter_meta(meta: str, names: Sequence[str]) -> dict[str, Any]:
    if meta == "{}":
        return {}
    values = orjson.loads(meta)
    return {name: values[name] for name in names if name in values}


def load_rows(work: UnitOfWork, statement: Statement, ids: Iterable[int]) -> list[Row]:
    """Return the rows of objects by their ids."""
    wanted = list(ids)
    return work.tx.all(statement, ids=encode_list(wanted)) if wanted else []


def load_posts(work: UnitOfWork, ids: Sequence[int]) -> SyncObjects:
    """Return records of every type."""
    settings = sync_settings.load_sync_settings(work)
    hidden, names = set(settings["post_types_blacklist"]), settings["post_meta_whitelist"]
    held: dict[int, list[int]] = {}
    for owner, held_term in load_rows(work, _TERMS_OF, ids):
        held.setdefault(owner, []).append(held_term)
    base, secret, found = work.home(), work.site.settings.secret, {}
    rendered = bool(settings["render_filtered_content"])
    rows = [row for row in load_rows(work, _POSTS, ids) if row[17] not in hidden]
    pictures = attachment_store.load_media_files(work.tx, [row[19] for row in rows if row[19]])
    details = product_rows.load_product_details(work, [row[0] for row in rows if row[17] in product_rows.TYPES])
    for row in rows:
        address = f"{base}/?p={row[0]}"
        found[str(row[0])] = {
            "ID": str(row[0]),
            "post_author": str(row[1]),
            "post_date": format_timestamp(row[2]),
            "post_date_gmt": format_timestamp(row[3]),
            "post_content": row[4] if len(row[4]) <= _LARGEST else "",
            "post_title": row[5],
            "post_excerpt": row[6],
            "post_status": row[7],
            "comment_status": row[8],
            "ping_status": row[9],
            "post_password": f"auto-{compute_digest(secret, f'{row[0]} {row[10]}')[:12]}" if row[10] else "",
            "post_name": row[11],
            "post_modified": format_timestamp(row[12]),
            "post_modified_gmt": format_timestamp(row[13]),
            "post_parent": str(row[14]),
            "guid": row[15],
            "menu_order": str(row[16]),
            "post_type": row[17],
            "filter": "raw",
            "permalink": address,
            "shortlink": address,
            "language": row[18],
            "featured_media": row[19],
            "post_content_filtered": row[21] if rendered else "",
            **({"post_excerpt_filtered": row[22]} if rendered else {}),
            **(
                {"featured_image": attachment_store.build_file_url(work, pictures[row[19]].file)}
                if row[19] in pictures
                else {}
            ),
            **({"lookup": details[row[0]]} if row[0] in details else {}),
            "meta": _filter_meta(row[20], names),
            "terms": held.get(row[0], []),
            "__o": 1,
        }
    return found


def load_comments(work: UnitOfWork, ids: Sequence[int]) -> SyncObjects:
    """Return comments with their allowed meta."""
    names = sync_settings.load_sync_settings(work)["comment_meta_whitelist"]
    return {
        str(row[0]): {
            "comment_ID": str(row[0]),
            "comment_post_ID": str(row[1]),
            "comment_author": row[2],
            "comment_author_email": row[3],
            "comment_author_url": row[4],
            "comment_author_IP": row[5],
            "comment_date": format_timestamp(row[6]),
            "comment_date_gmt": format_timestamp(row[7]),
            "comment_content": row[8],
            "comment_approved": _APPROVAL_WORDS.get(row[9], row[9]),
            "comment_agent": row[10],
            "comment_type": row[11],
            "comment_parent": str(row[12]),
            "user_id": str(row[13]),
            "meta": _filter_meta(row[14], names),
            "__o": 1,
        }
        for row in load_rows(work, _COMMENTS, ids)
    }


def load_terms(work: UnitOfWork, ids: Sequence[int]) -> SyncObjects:
    """Return terms with their place in a taxonomy; both have the same id."""
    hidden = set(sync_settings.load_sync_settings(work)["taxonomies_blacklist"])
    return {
        str(row[0]): {
            "term_id": row[0], "name": row[1], "slug": row[2], "term_taxonomy_id": row[0], "taxonomy": row[3],
            "description": row[4], "parent": row[5], "count": row[6], "language": row[7], "__o": 1,
        }
        for row in load_rows(work, _TERMS, ids) if row[3] not in hidden
    }  # fmt: skip


def load_relationships(work: UnitOfWork, ids: Sequence[int]) -> SyncObjects:
    """Return the terms of records, by record."""
    found: SyncObjects = {}
    for owner, held in load_rows(work, _TERMS_OF, ids):
        found.setdefault(str(owner), {"object_id": owner, "terms": []})["terms"].append(held)
    return found


def has_level(user: User) -> bool:
    """Say whether an account has a level; customers have none."""
    return user.can("level_0")


def build_user_object(work: UnitOfWork, user: User) -> dict[str, Any]:
    """Return an account, without its password."""
    return {
        "ID": user.id,
        "data": {
            "ID": str(user.id), "user_login": user.login, "user_nicename": user.slug, "user_email": user.email,
            "user_url": user.url, "user_registered": format_timestamp(user.registered), "user_status": "0",
            "display_name": user.name,
        },
        "roles": list(user.roles), "allcaps": dict.fromkeys(sorted(user.capabilities), True),
        "is_connected": connection_state.is_connected(work, user.id), "has_level": has_level(user), "__o": 1,
    }  # fmt: skip


def load_users(work: UnitOfWork, ids: Sequence[int]) -> SyncObjects:
    """Return accounts."""
    roles = work.site.roles
    return {str(row[0]): build_user_object(work, users.row_to_user(row, roles)) for row in load_rows(work, _USERS, ids)}
