"""Site options: title, time zone, formats, reading and writing settings, by their names in the interface.

The profile's values come before these defaults. Rules: docs/rules/site_settings.md, 3.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, Final

import orjson
from sqlalchemy import bindparam, delete, select

from vetrina.backends.database import Row, Statement, Transaction
from vetrina.backends.statement_cache import build_upsert
from vetrina.backends.tables.options import option
from vetrina.core.change_source import Told
from vetrina.kernel.frozen import thaw
from vetrina.kernel.redaction import MASK, redact_text
from vetrina.settings import Profile

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
    # Menus that new pages are added to; the menu of each location.
    "menu_auto_add": [],
    "menu_locations": {},
    # How types, taxonomies and custom fields are translated: mode numbers by their names
    # (content/translations/modes.py).
    "translation_modes": {},
    "translation_fields": {},
    # Custom fields that hold ids of other things, and of what (content/translations/ids_in_values.py).
    "translation_references": {},
    # The configuration as written; what follows from it for blocks and strings; how translations get their slugs.
    "translation_configuration": "",
    "translation_rules": {},
    "translation_slugs": "auto-generate",
    # Where documents are translated: by people 0, here 1, by agencies 2, `ATE`; None for the profile's choice. Whether
    # a new translation has the status of its original, or waits as a draft.
    "translation_method": None,
    "translation_takes_status": True,
    # Whether translations are trashed and deleted with each other.
    "translation_removes_records": False,
    "translation_removes_terms": False,
    # Whether every new file gets a record of its own in each language (media/attachments/rules.py).
    "translation_media_twins": True,
    # Whether translators and managers get mails about jobs (multilingual/jobs/mails.py).
    "translation_mails": True,
    # What translations copy from their original at each of its saves (content/translations/copied_from_original.py).
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
    # What a new comment needs, and when it is held for moderation; word lists have one word a line.
    "require_name_email": True,
    "comment_moderation": False,
    "comment_previously_approved": True,
    "comment_max_links": 2,
    "moderation_keys": "",
    "disallowed_keys": "",
    # Who may write one, on what, and who is told of it (docs/rules/reader_comments.md).
    "comment_registration": False,
    "close_comments_for_old_posts": False,
    "close_comments_days_old": 14,
    "thread_comments": True,
    "thread_comments_depth": 5,
    # On how many pages they are shown, which of them readers see first (newest, oldest), and their order (asc, desc).
    "page_comments": False,
    "comments_per_page": 50,
    "default_comments_page": "newest",
    "comment_order": "asc",
    "moderation_notify": True,
    "comments_notify": True,
    # Entries of a feed, and whether they have excerpts alone; lines that robots.txt has beside its own.
    "posts_per_rss": 10,
    "rss_use_excerpt": False,
    "robots_txt": "",
}

# Texts that are words of the program and no words of people; the audit trail tells their values.
_TOLD_TEXTS: Final = frozenset(
    {
        "date_format", "time_format", "timezone", "language", "default_post_format", "default_role", "show_on_front",
        "default_ping_status", "default_comment_status", "translation_slugs",
    }
)  # fmt: skip
_TOLD_WORDS: Final = frozenset({"", "yes", "no"})  # told of every option
_MAX_MEMBERS: Final = 30  # names of an option's members that are told
_MEMBER_NAME: Final = re.compile(r"[A-Za-z0-9_.:-]{1,64}")

_STORED: Final = "stored"  # under which a transaction keeps them
_LIST_OPTIONS = Statement(select(option.c.name, option.c.value))
_SAVE_OPTION = Statement(
    build_upsert(
        option,
        keys=("name",),
        values={"name": bindparam("name"), "value": bindparam("value")},
        changes={"value": bindparam("value")},
    )
)
_DELETE_OPTION = Statement(delete(option).where(option.c.name == bindparam("name")))


def expect_options(tx: Transaction) -> None:
    """Have the options read with what is asked of the database next."""
    if tx.recall(option, _STORED) is None:
        tx.expect(_LIST_OPTIONS)


def read_stored_options(tx: Transaction) -> list[Row]:
    """Return the options that are stored, each with its value as JSON."""
    stored: list[Row] | None = tx.recall(option, _STORED)
    if stored is None:
        stored = tx.all(_LIST_OPTIONS)
        tx.keep(option, _STORED, stored)
    return stored


def build_options(stored: Iterable[Row], profile: Profile) -> dict[str, Any]:
    """Return every option with its value: the stored one, the profile's, or the default."""
    first = {"title": profile.title, "description": profile.description, "timezone": profile.time_zone}
    known = {name: orjson.loads(value) for name, value in stored}
    return {**DEFAULTS, **first, **thaw(profile.options), **known}


def load_options(tx: Transaction, profile: Profile) -> dict[str, Any]:
    """Return every option with its value, as a transaction sees them."""
    return build_options(read_stored_options(tx), profile)


def save_option(tx: Transaction, name: str, value: Any) -> None:
    """Store an option."""
    tx.run(_SAVE_OPTION, name=name, value=orjson.dumps(value).decode())


def delete_option(tx: Transaction, name: str) -> None:
    """Delete the stored value of an option, so that the profile's value or the default applies again."""
    tx.run(_DELETE_OPTION, name=name)


def describe_change(name: str, old: Any, new: Any) -> dict[str, Told | None]:
    """Return what may be told of an option's change: numbers, flags and words of the program, else names alone.

    A text may be a key or somebody's address, so it is never told. Of an object the names of what changed in it are.
    """
    if isinstance(old, Mapping) or isinstance(new, Mapping):
        before, after = (one if isinstance(one, Mapping) else {} for one in (old, new))
        changed = sorted(str(one) for one in {**before, **after} if before.get(one) != after.get(one))
        return dict.fromkeys([one for one in changed if _is_member_name(one)][:_MAX_MEMBERS] or ["value"])
    if all(_is_told(name, one) for one in (old, new)):
        return {"value": Told(old, new)}
    return {"value": None}


def _is_told(name: str, value: Any) -> bool:
    if isinstance(value, str):
        return value in _TOLD_WORDS or name in _TOLD_TEXTS
    return value is None or isinstance(value, bool | int | float)


def _is_member_name(text: str) -> bool:
    """Return whether a member may be named: it may be an address or a token that something is kept under."""
    return _MEMBER_NAME.fullmatch(text) is not None and MASK not in redact_text(text)
