"""Site options: title, zone, formats, reading and writing settings, by their names in the interface.

Not here: the route for them (a later namespace). First values: the profile's, then these.
"""

from __future__ import annotations

from typing import Any

import orjson
from sqlalchemy import bindparam, delete, select

from vetrina.backends.database import Statement, Tx
from vetrina.backends.statement_cache import upsert
from vetrina.backends.tables.core import option
from vetrina.settings import Profile

__all__ = ["DEFAULTS", "read", "remove", "write"]

DEFAULTS: dict[str, Any] = {
    "email": "",
    "date_format": "F j, Y",
    "time_format": "g:i a",
    "start_of_week": 1,
    "language": "en_US",
    "use_smilies": True,
    "default_category": 1,
    "default_post_format": "0",
    "default_product_cat": 0,
    "posts_per_page": 10,
    "show_on_front": "posts",
    "page_on_front": 0,
    "page_for_posts": 0,
    "default_ping_status": "open",
    "default_comment_status": "open",
    "site_logo": None,
    "site_icon": 0,
    "blog_public": True,  # whether search engines may list the site
    # Menus that new pages join; the menu of each place.
    "menu_auto_add": [],
    "menu_locations": {},
    # How types and taxonomies are translated, and custom fields: by their names, as numbers
    # (content/translations/modes.py).
    "translation_modes": {},
    "translation_fields": {},
    # Custom fields that name others by their numbers, and what (content/translations/references.py).
    "translation_references": {},
    # The configuration as it was written, what follows from it for blocks and strings, how translations get slugs.
    "translation_configuration": "",
    "translation_rules": {},
    "translation_slugs": "auto-generate",
    # Where documents are translated: by hand 0, here 1, by agencies 2, `ATE`; None for what the profile names. Whether
    # a new translation has the status of its original, or waits as a draft.
    "translation_method": None,
    "translation_takes_status": True,
    # Whether translations are trashed and removed with each other.
    "translation_removes_records": False,
    "translation_removes_terms": False,
    # Whether every new file gets a record of its own in each language (media/attachments/store.py).
    "translation_media_twins": True,
    # Whether translators and managers get mails about jobs (multilingual/jobs/mails.py).
    "translation_mails": True,
    # What translations take over from their original at each of its saves (content/translations/copies.py).
    "translation_copies": [
        "menu_order",
        "parent",
        "template",
        "ping_status",
        "comment_status",
        "sticky",
        "password",
        "private",
        "format",
        "terms",
        "date",
        "featured_media",
    ],
    # What a new comment needs, and when it waits; words stand one a line.
    "require_name_email": True,
    "comment_moderation": False,
    "comment_previously_approved": True,
    "comment_max_links": 2,
    "moderation_keys": "",
    "disallowed_keys": "",
}

_ALL = Statement(select(option.c.name, option.c.value))
_PUT = Statement(
    upsert(
        option,
        keys=("name",),
        values={"name": bindparam("name"), "value": bindparam("value")},
        changes={"value": bindparam("value")},
    )
)
_REMOVE = Statement(delete(option).where(option.c.name == bindparam("name")))


def read(tx: Tx, profile: Profile) -> dict[str, Any]:
    """Return every option with its value: the stored one, the profile's, or the default."""
    first = {"title": profile.title, "description": profile.description, "timezone": profile.time_zone}
    stored = {name: orjson.loads(value) for name, value in tx.all(_ALL)}
    return {**DEFAULTS, **first, **profile.options, **stored}


def write(tx: Tx, name: str, value: Any) -> None:
    """Store an option."""
    tx.run(_PUT, name=name, value=orjson.dumps(value).decode())


def remove(tx: Tx, name: str) -> None:
    """Forget the stored value of an option, so that its first one holds again."""
    tx.run(_REMOVE, name=name)
