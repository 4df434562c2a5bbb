"""Texts of the site that become strings: title, tagline, names and descriptions of people, type slugs, options.

They are read from where they are stored, and registered by the transaction that changes them; a periodic job registers
those that existed before. Their translations are looked up at display. All are in the site's default language.
Not here: strings (multilingual/strings/rules.py), which options have texts (multilingual/xml_config/effects.py).
Rules: docs/rules/translated_content.md, 9 and 12, docs/rules/strings.md, 6 and docs/rules/xml_config.md, 6.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, Final

from sqlalchemy import bindparam, func, select

from vetrina.access.users import rules as users
from vetrina.backends.database import Statement
from vetrina.backends.tables.accounts import account
from vetrina.backends.tables.change_log import change
from vetrina.core import options
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.core.user import User
from vetrina.kernel import slugs
from vetrina.multilingual import stored_values as multilingual_stored_values
from vetrina.multilingual.strings import rules as strings, translations as string_translations
from vetrina.multilingual.translations import block_rules

SITE: Final = "cms"
AUTHORS: Final = "authors"
SLUGS: Final = "default"
_TITLES: Final = {"title": "Site Title", "description": "Tagline"}
_PERSON: Final = ("name", "description")
_STATE: Final = "site_texts"  # the last change that was read, and the known types
_DEEPEST: Final = 8

_LAST_CHANGE = Statement(select(func.max(change.c.sequence)))
_CHANGED_ITEMS = Statement(
    select(change.c.kind, change.c.item).where(change.c.sequence > bindparam("seen")).order_by(change.c.sequence)
)
_PEOPLE = Statement(
    select(*users.USER_COLUMNS)
    .where(*(account.c.roles != roles for roles in ('["subscriber"]', '["customer"]', "[]")))
    .order_by(account.c.id)
)


def register_changed_texts(work: UnitOfWork) -> None:
    """Register every text that changed since the last call as a string."""
    known = multilingual_stored_values.load_setting(work, _STATE, {})
    seen, types = known.get("seen"), known.get("types", [])
    last = int(work.tx.value(_LAST_CHANGE) or 0)
    now = sorted(work.site.types)
    if seen is not None and seen >= last and types == now:
        return
    moved = (
        {(str(row[0]), str(row[1])) for row in work.tx.all(_CHANGED_ITEMS, seen=seen)} if seen is not None else set()
    )
    if seen is None or any(kind == "option" for kind, _ in moved):
        _register_options(work)
    for name in now:
        if name not in types and (slug := _find_type_slug(work, name)):
            strings.register_string(work, SLUGS, f"URL slug: {name}", slug)
    for user in _iterate_accounts(work, None if seen is None else moved):
        # Writers only: readers never see the names of other accounts.
        if user.can_somewhere("edit_posts"):
            _register_person(work, user)
    multilingual_stored_values.save_progress(work, _STATE, {"seen": last, "types": now})


def _iterate_accounts(work: UnitOfWork, moved: Collection[tuple[str, str]] | None) -> Iterator[User]:
    """Yield the accounts that changed; None for all that could be writers."""
    roles = work.site.roles
    if moved is None:
        yield from (users.row_to_user(row, roles) for row in work.tx.all(_PEOPLE))
        return
    for kind, item in sorted(moved):
        if kind == "user" and item.isdecimal() and (user := users.find_user(work.tx, int(item), roles)) is not None:
            yield user


def _register_person(work: UnitOfWork, user: User) -> None:
    for member, sort in (("name", "LINE"), ("description", "AREA")):
        if value := getattr(user, member):
            strings.register_string(work, AUTHORS, f"{member}_{user.id}", value, kind=sort)


def register_written_texts(work: UnitOfWork) -> None:
    """Register the texts that this transaction changed; called before commit."""
    moved = {(kind, item) for kind, item, _ in work.changes if kind in ("option", "user")}
    if not moved or work.site.texts is None:
        return
    if any(kind == "option" for kind, _ in moved):
        _register_options(work)
    for user in _iterate_accounts(work, moved):
        if user.can_somewhere("edit_posts"):
            _register_person(work, user)


def run_text_registration(work: UnitOfWork) -> None:
    """Register texts as strings, on a site with several languages."""
    if work.site.texts is not None:
        register_changed_texts(work)


def translate_option(work: UnitOfWork, name: str, value: Any) -> Any:
    """Return an option's value translated into the work's language."""
    if name in _TITLES:
        forms = string_translations.load_shown_forms(work, SITE, work.language).get(_TITLES[name])
        return forms[0] if forms and value else value
    known = string_translations.load_shown_forms(work, f"admin_texts_{name}", work.language)
    return _replace_option_texts(value, "", name, known) if known else value


def name_person_strings(id: int) -> list[str]:
    """Return the names of the strings that an account's texts are."""
    return [f"{member}_{id}" for member in _PERSON]


def translate_person(work: UnitOfWork, id: int, member: str, value: str) -> str:
    """Return an account's name or description translated into the work's language."""
    if not value or member not in _PERSON or work.language == work.site.profile.default_language:
        return value
    forms = string_translations.load_shown_forms(work, AUTHORS, work.language).get(f"{member}_{id}")
    return forms[0] if forms else value


def translate_type_slug(work: UnitOfWork, type: str, language: str) -> str:
    """Return the slug of a content type in a language."""
    forms = string_translations.load_shown_forms(work, SLUGS, language).get(f"URL slug: {type}")
    return (slugs.slugify(forms[0]) if forms else "") or type


def is_translatable_option(work: UnitOfWork, name: str) -> bool:
    """Say whether the XML configuration has an option's texts translated."""
    return name in get_admin_texts(work)


def get_admin_texts(work: UnitOfWork) -> Mapping[str, Any]:
    """Return the translated options, each with its keys; no keys mean all of its texts."""
    configured: Mapping[str, Any] = work.raw_option(block_rules.OPTION).get("admin_texts", {})
    return configured


def _register_options(work: UnitOfWork) -> None:
    for option, name in _TITLES.items():
        value = work.raw_option(option)
        if value:
            strings.register_string(work, SITE, name, value)
    known = options.load_options(work.tx, work.site.profile)
    for option, keys in get_admin_texts(work).items():
        for path, text in _iterate_option_texts(known.get(option), keys, "", option):
            strings.register_string(work, f"admin_texts_{option}", path, text)


def _iterate_option_texts(
    value: Any, keys: Mapping[str, Any], prefix: str, name: str, depth: int = 0
) -> Iterator[tuple[str, str]]:
    """Yield the texts of an option by their paths, `[option]key` or the option's own name."""
    if isinstance(value, str):
        if value:
            yield f"{prefix}{name}", value
        return
    if depth >= _DEEPEST:
        return
    for key, item in _list_members(value):
        fitting = keys.get(key, keys.get("*")) if keys else {}
        if fitting is not None:
            yield from _iterate_option_texts(item, fitting, f"{prefix}[{name}]", key, depth + 1)


def _replace_option_texts(
    value: Any, prefix: str, name: str, known: Mapping[str, Sequence[str]], depth: int = 0
) -> Any:
    if isinstance(value, str):
        forms = known.get(f"{prefix}{name}")
        return forms[0] if forms and value else value
    if depth >= _DEEPEST:
        return value
    inner = f"{prefix}[{name}]"
    if isinstance(value, dict):
        return {key: _replace_option_texts(item, inner, str(key), known, depth + 1) for key, item in value.items()}
    if isinstance(value, list):
        return [_replace_option_texts(item, inner, str(at), known, depth + 1) for at, item in enumerate(value)]
    return value


def _list_members(value: Any) -> list[tuple[str, Any]]:
    if isinstance(value, dict):
        return [(str(key), item) for key, item in value.items()]
    return [(str(at), item) for at, item in enumerate(value)] if isinstance(value, list) else []


def _find_type_slug(work: UnitOfWork, type: str) -> str:
    kind = work.site.types[type]
    return "" if type in ("post", "page") or not kind.public else kind.name
