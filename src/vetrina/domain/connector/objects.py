"""Things of the site as the service sees them: rows of tables, under the names that it knows, loaded many at a time.

Not here: which change makes which item (items.py), checksums (tables.py). Passwords never leave; a record's is shown as
a word that changes with it. Beyond the columns a record has `language`, `terms` and the allowed part of its `meta`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final

import orjson
from sqlalchemy import bindparam, select

from vetrina import __version__
from vetrina.backends.database import Row, Statement
from vetrina.backends.shapes import Among, listed
from vetrina.backends.tables import account, comment, record, record_term, term, widget
from vetrina.backends.tables_orders import order_item, shop_order
from vetrina.domain.access import users
from vetrina.domain.access.user import User
from vetrina.domain.options import DEFAULTS
from vetrina.domain.work import Work
from vetrina.kernel.ids import digest
from vetrina.kernel.times import iso

from . import state, sync_settings

__all__ = [
    "OPTION_NAMES", "comments", "constants", "functions", "level", "options", "orders", "posts",
    "relationships", "stamp", "terms", "theme", "updates", "user_object", "users_of", "widgets",
]  # fmt: skip

Objects = dict[str, dict[str, Any]]

OPTION_NAMES: Final = ("title", "description", "timezone", *DEFAULTS)

_LARGEST: Final = 5_000_000  # letters of a content that is sent
_REVIEWED: Final = {"approved": "1", "approve": "1", "hold": "0"}

_POSTS = Statement(
    select(
        record.c.id, record.c.author, record.c.date, record.c.date_gmt, record.c.content, record.c.title,
        record.c.excerpt, record.c.status, record.c.comment_status, record.c.ping_status, record.c.password,
        record.c.slug, record.c.modified, record.c.modified_gmt, record.c.parent, record.c.guid, record.c.menu_order,
        record.c.type, record.c.language, record.c.featured_media, record.c.meta,
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
_ORDERS = Statement(
    select(
        shop_order.c.id, shop_order.c.parent, shop_order.c.status, shop_order.c.currency, shop_order.c.customer,
        shop_order.c.created, shop_order.c.modified, shop_order.c.paid, shop_order.c.completed, shop_order.c.total,
        shop_order.c.total_tax, shop_order.c.order_key, shop_order.c.payment_method, shop_order.c.billing,
        shop_order.c.shipping_address,
    ).where(Among(shop_order.c.id, "ids"))
)  # fmt: skip
_LINES = Statement(
    select(order_item.c.owner, order_item.c.id, order_item.c.name, order_item.c.kind, order_item.c.total)
    .where(Among(order_item.c.owner, "ids"))
    .order_by(order_item.c.owner, order_item.c.id)
)
_WIDGETS = Statement(
    select(widget.c.id, widget.c.id_base, widget.c.sidebar, widget.c.position, widget.c.settings).where(
        widget.c.id == bindparam("id")
    )
)


def stamp(seconds: int | None) -> str | None:
    """Return an instant or a local time as the service writes it."""
    return None if seconds is None else iso(seconds).replace("T", " ")


def _allowed(meta: str, names: Sequence[str]) -> dict[str, Any]:
    if meta == "{}":
        return {}
    kept = orjson.loads(meta)
    return {name: kept[name] for name in names if name in kept}


def _many(work: Work, statement: Statement, ids: Iterable[int]) -> list[Row]:
    wanted = list(ids)
    return work.tx.all(statement, ids=listed(wanted)) if wanted else []


def posts(work: Work, ids: Sequence[int]) -> Objects:
    """Return records of every type."""
    settings = sync_settings.read(work)
    hidden, names = set(settings["post_types_blacklist"]), settings["post_meta_whitelist"]
    held: dict[int, list[int]] = {}
    for owner, held_term in _many(work, _TERMS_OF, ids):
        held.setdefault(owner, []).append(held_term)
    base, secret, found = work.home(), work.frame.settings.secret, {}
    for row in _many(work, _POSTS, ids):
        if row[17] in hidden:
            continue
        address = f"{base}/?p={row[0]}"
        found[str(row[0])] = {
            "ID": row[0], "post_author": str(row[1]), "post_date": stamp(row[2]), "post_date_gmt": stamp(row[3]),
            "post_content": row[4] if len(row[4]) <= _LARGEST else "", "post_title": row[5], "post_excerpt": row[6],
            "post_status": row[7], "comment_status": row[8], "ping_status": row[9],
            "post_password": f"auto-{digest(secret, f'{row[0]} {row[10]}')[:12]}" if row[10] else "",
            "post_name": row[11], "post_modified": stamp(row[12]), "post_modified_gmt": stamp(row[13]),
            "post_parent": row[14], "guid": row[15], "menu_order": row[16], "post_type": row[17], "filter": "raw",
            "permalink": address, "shortlink": address, "language": row[18], "featured_media": row[19],
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
        for row in _many(work, _COMMENTS, ids)
    }  # fmt: skip


def terms(work: Work, ids: Sequence[int]) -> Objects:
    """Return terms with their place in a taxonomy; both have one number."""
    hidden = set(sync_settings.read(work)["taxonomies_blacklist"])
    return {
        str(row[0]): {
            "term_id": row[0], "name": row[1], "slug": row[2], "term_taxonomy_id": row[0], "taxonomy": row[3],
            "description": row[4], "parent": row[5], "count": row[6], "language": row[7], "__o": 1,
        }
        for row in _many(work, _TERMS, ids) if row[3] not in hidden
    }  # fmt: skip


def relationships(work: Work, ids: Sequence[int]) -> Objects:
    """Return which terms records have, by the record."""
    found: Objects = {}
    for owner, held in _many(work, _TERMS_OF, ids):
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
        "is_connected": state.is_connected(work, user.id), "has_level": level(user), "__o": 1,
    }  # fmt: skip


def users_of(work: Work, ids: Sequence[int]) -> Objects:
    """Return accounts."""
    shop = users.has_shop(work.frame)
    return {str(row[0]): user_object(work, users.from_row(row, shop)) for row in _many(work, _USERS, ids)}


def orders(work: Work, ids: Sequence[int]) -> Objects:
    """Return orders with their items; amounts are whole minor units."""
    lines: dict[int, list[dict[str, Any]]] = {}
    for row in _many(work, _LINES, ids):
        one = {"order_item_id": row[1], "order_item_name": row[2], "order_item_type": row[3], "total": row[4]}
        lines.setdefault(row[0], []).append(one)
    return {
        str(row[0]): {
            "id": row[0], "parent_order_id": row[1], "status": row[2], "type": "shop_order", "currency": row[3],
            "customer_id": row[4], "date_created_gmt": stamp(row[5]), "date_updated_gmt": stamp(row[6]),
            "date_paid_gmt": stamp(row[7]), "date_completed_gmt": stamp(row[8]), "total_amount": row[9],
            "tax_amount": row[10], "order_key": row[11], "payment_method": row[12],
            "addresses": {"billing": orjson.loads(row[13]), "shipping": orjson.loads(row[14])},
            "items": lines.get(row[0], []), "__o": 1,
        }
        for row in _many(work, _ORDERS, ids)
    }  # fmt: skip


# -- what has a name and no number


def options(work: Work, names: Iterable[str]) -> dict[str, Any]:
    """Return options that the service may know, by name."""
    return {name: work.stored_option(name) for name in names if name in OPTION_NAMES}


def constants(work: Work) -> dict[str, Any]:
    """Return what is fixed for a site while it runs."""
    profile = work.frame.profile
    return {
        "CMS_VERSION": __version__, "CMS_DEBUG": False, "EMPTY_TRASH_DAYS": 30, "CMS_POST_REVISIONS": True,
        "UPLOAD_BYTES": profile.limits.upload_bytes, "CMS_PROFILE": profile.name,
    }  # fmt: skip


_FUNCTIONS: Final[dict[str, Callable[[Work], Any]]] = {
    "home_url": lambda work: state.home(work),
    "site_url": lambda work: state.home(work),
    "cms_version": lambda work: __version__,
    "locale": lambda work: work.stored_option("language"),
    "timezone": lambda work: work.stored_option("timezone"),
    "post_types": lambda work: sorted(work.frame.types),
    "taxonomies": lambda work: sorted(work.frame.taxonomies),
    "modules": lambda work: list(work.frame.profile.modules),
    "languages": lambda work: list(work.frame.profile.languages),
    "roles": lambda work: list(work.frame.profile.roles),
}


def functions(work: Work, names: Iterable[str] | None = None) -> dict[str, Any]:
    """Return what the site works out about itself; names that are unknown are dropped."""
    wanted = _FUNCTIONS if names is None else [name for name in names if name in _FUNCTIONS]
    return {name: _FUNCTIONS[name](work) for name in wanted}


def theme(work: Work) -> dict[str, Any]:
    """Return what the site's theme is."""
    return {"name": work.frame.profile.theme, "slug": work.frame.profile.theme, "version": __version__, "__o": 1}


def updates(work: Work) -> dict[str, Any]:
    """Return what waits to be updated: nothing, for a site is updated from outside."""
    return {"core": [], "plugins": [], "themes": []}


def widgets(work: Work, id: str) -> dict[str, Any] | None:
    """Return a widget."""
    row = work.tx.first(_WIDGETS, id=id)
    if row is None:
        return None
    return {"id": row[0], "id_base": row[1], "sidebar": row[2], "position": row[3],
            "settings": orjson.loads(row[4])}  # fmt: skip
