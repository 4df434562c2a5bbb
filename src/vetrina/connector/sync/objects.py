"""Things of the site as the service sees them: rows of tables, under the names that it knows, loaded many at a time.

Not here: which change makes which item (connector/sync/items.py), checksums (connector/checksums/rules.py), what has a
name and no number (connector/sync/named_objects.py), the shop (connector/sync/product_rows.py,
connector/sync/shop_objects.py). Passwords never leave; a record's is shown as a word that changes with it. Beyond the
columns a record has `language`, `terms` and the allowed part of its `meta`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

import orjson
from sqlalchemy import select

from vetrina.access.users import rules as users
from vetrina.access.users.model import User
from vetrina.backends.database import Row, Statement
from vetrina.backends.statement_cache import Among, listed
from vetrina.backends.tables.core import account, comment, record, record_term, term
from vetrina.connector.connection import state as connection_state
from vetrina.connector.sync import product_rows
from vetrina.connector.sync import settings as sync_settings
from vetrina.core.unit_of_work import Work
from vetrina.kernel.keys import digest
from vetrina.kernel.times import iso
from vetrina.media.attachments import store as attachment_store

__all__ = [
    "Objects",
    "comments",
    "level",
    "many",
    "posts",
    "relationships",
    "stamp",
    "terms",
    "user_object",
    "users_of",
]

Objects = dict[str, dict[str, Any]]

_LARGEST: Final = 5_000_000  # letters of a content that is sent
_REVIEWED: Final = {"approved": "1", "approve": "1", "hold": "0"}

_POSTS = Statement(
    select(
        record.c.id, record.c.author, record.c.date, record.c.date_gmt, record.c.content, record.c.title,
        record.c.excerpt, record.c.status, record.c.comment_status, record.c.ping_status, record.c.password,
        record.c.slug, record.c.modified, record.c.modified_gmt, record.c.parent, record.c.guid, record.c.menu_order,
        record.c.type, record.c.language, record.c.featured_media, record.c.meta, record.c.content_html,
        record.c.excerpt_html,
    ).where(Among(record.c.id, "ids"))
)  # fmt: skip
_TERMS_OF = Statement(
    select(record_term.c.record, record_term.c.term)
    .where(Among(record_term.c.record, "ids"))
    .order_by(record_term.c.record, record_term.c.term)
)
_COMMENTS = Statement(
    select(
        comment.c.id, comment.c.post, comment.c.author_name, comment.c.author_email, comment.c.author_url,
        comment.c.author_ip, comment.c.date, comment.c.date_gmt, comment.c.content, comment.c.status,
        comment.c.author_user_agent, comment.c.type, comment.c.parent, comment.c.author, comment.c.meta,
    ).where(Among(comment.c.id, "ids"))
)  # fmt: skip
_TERMS = Statement(
    select(
        term.c.id, term.c.name, term.c.slug, term.c.taxonomy, term.c.description, term.c.parent, term.c.count,
        term.c.language,
    ).where(Among(term.c.id, "ids"))
)  # fmt: skip
_USERS = Statement(select(*users.COLUMNS).where(Among(account.c.id, "ids")))


def stamp(seconds: int | None) -> str | None:
    """Return an instant or a local time as the service writes it."""
    return None if seconds is None else iso(seconds).replace("T", " ")


def _allowed(meta: str, names: Sequence[str]) -> dict[str, Any]:
    if meta == "{}":
        return {}
    kept = orjson.loads(meta)
    return {name: kept[name] for name in names if name in kept}


def many(work: Work, statement: Statement, ids: Iterable[int]) -> list[Row]:
    """Return the rows of things by their numbers."""
    wanted = list(ids)
    return work.tx.all(statement, ids=listed(wanted)) if wanted else []


def posts(work: Work, ids: Sequence[int]) -> Objects:
    """Return records of every type."""
    settings = sync_settings.read(work)
    hidden, names = set(settings["post_types_blacklist"]), settings["post_meta_whitelist"]
    held: dict[int, list[int]] = {}
    for owner, held_term in many(work, _TERMS_OF, ids):
        held.setdefault(owner, []).append(held_term)
    base, secret, found = work.home(), work.frame.settings.secret, {}
    rendered = bool(settings["render_filtered_content"])
    rows = [row for row in many(work, _POSTS, ids) if row[17] not in hidden]
    pictures = attachment_store.of_records(work.tx, [row[19] for row in rows if row[19]])
    details = product_rows.details(work, [row[0] for row in rows if row[17] in product_rows.TYPES])
    for row in rows:
        address = f"{base}/?p={row[0]}"
        found[str(row[0])] = {
            "ID": str(row[0]), "post_author": str(row[1]), "post_date": stamp(row[2]), "post_date_gmt": stamp(row[3]),
            "post_content": row[4] if len(row[4]) <= _LARGEST else "", "post_title": row[5], "post_excerpt": row[6],
            "post_status": row[7], "comment_status": row[8], "ping_status": row[9],
            "post_password": f"auto-{digest(secret, f'{row[0]} {row[10]}')[:12]}" if row[10] else "",
            "post_name": row[11], "post_modified": stamp(row[12]), "post_modified_gmt": stamp(row[13]),
            "post_parent": str(row[14]), "guid": row[15], "menu_order": str(row[16]), "post_type": row[17],
            "filter": "raw",
            "permalink": address, "shortlink": address, "language": row[18], "featured_media": row[19],
            "post_content_filtered": row[21] if rendered else "",
            **({"post_excerpt_filtered": row[22]} if rendered else {}),
            **({"featured_image": attachment_store.url(work, pictures[row[19]].file)} if row[19] in pictures else {}),
            **({"lookup": details[row[0]]} if row[0] in details else {}),
            "meta": _allowed(row[20], names), "terms": held.get(row[0], []), "__o": 1,
        }  # fmt: skip
    return found


def comments(work: Work, ids: Sequence[int]) -> Objects:
    """Return comments, without the secrets of spam."""
    names = sync_settings.read(work)["comment_meta_whitelist"]
    return {
        str(row[0]): {
            "comment_ID": str(row[0]), "comment_post_ID": str(row[1]), "comment_author": row[2],
            "comment_author_email": row[3], "comment_author_url": row[4], "comment_author_IP": row[5],
            "comment_date": stamp(row[6]), "comment_date_gmt": stamp(row[7]), "comment_content": row[8],
            "comment_approved": _REVIEWED.get(row[9], row[9]), "comment_agent": row[10], "comment_type": row[11],
            "comment_parent": str(row[12]), "user_id": str(row[13]), "meta": _allowed(row[14], names), "__o": 1,
        }
        for row in many(work, _COMMENTS, ids)
    }  # fmt: skip


def terms(work: Work, ids: Sequence[int]) -> Objects:
    """Return terms with their place in a taxonomy; both have one number."""
    hidden = set(sync_settings.read(work)["taxonomies_blacklist"])
    return {
        str(row[0]): {
            "term_id": row[0], "name": row[1], "slug": row[2], "term_taxonomy_id": row[0], "taxonomy": row[3],
            "description": row[4], "parent": row[5], "count": row[6], "language": row[7], "__o": 1,
        }
        for row in many(work, _TERMS, ids) if row[3] not in hidden
    }  # fmt: skip


def relationships(work: Work, ids: Sequence[int]) -> Objects:
    """Return which terms records have, by the record."""
    found: Objects = {}
    for owner, held in many(work, _TERMS_OF, ids):
        found.setdefault(str(owner), {"object_id": owner, "terms": []})["terms"].append(held)
    return found


def level(user: User) -> bool:
    """Say whether an account has a level; customers have none and are not counted."""
    return user.can("level_0")


def user_object(work: Work, user: User) -> dict[str, Any]:
    """Return an account, without its password."""
    return {
        "ID": user.id,
        "data": {
            "ID": str(user.id), "user_login": user.login, "user_nicename": user.slug, "user_email": user.email,
            "user_url": user.url, "user_registered": stamp(user.registered), "user_status": "0",
            "display_name": user.name,
        },
        "roles": list(user.roles), "allcaps": dict.fromkeys(sorted(user.capabilities), True),
        "is_connected": connection_state.is_connected(work, user.id), "has_level": level(user), "__o": 1,
    }  # fmt: skip


def users_of(work: Work, ids: Sequence[int]) -> Objects:
    """Return accounts."""
    shop = users.has_shop(work.frame)
    return {str(row[0]): user_object(work, users.from_row(row, shop)) for row in many(work, _USERS, ids)}
