"""Texts of the site itself that become strings: title, tagline, names and words of people, slugs of types, options.

They are read from where they are kept and brought to their strings by the transaction that changes them; a sweep brings
what there was before. What readers see in another language is looked up at display. All are in the site's default one.
Not here: strings (multilingual/strings/rules.py), which options have texts (the configuration). Rules: facts, 5.2, 5.4,
10 and 13.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, Final

from sqlalchemy import bindparam, func, select

from vetrina.access.users import rules as users
from vetrina.access.users.model import User
from vetrina.backends.database import Statement
from vetrina.backends.tables.core import account, change
from vetrina.core import options
from vetrina.core.unit_of_work import Work
from vetrina.kernel import slugs
from vetrina.multilingual import stored_values as multilingual_stored_values
from vetrina.multilingual.strings import rules as strings
from vetrina.multilingual.translations import block_rules

__all__ = ["AUTHORS", "SITE", "bring_up", "is_text", "settle", "shown_option", "shown_person", "shown_slug", "sweep"]

SITE: Final = "cms"
AUTHORS: Final = "authors"
SLUGS: Final = "default"
_TITLES: Final = {"title": "Site Title", "description": "Tagline"}
_PERSON: Final = ("name", "description")
_STATE: Final = "site_texts"  # the last change that was read, and the types that are known
_DEEPEST: Final = 8

_LAST = Statement(select(func.max(change.c.sequence)))
_MOVED = Statement(
    select(change.c.kind, change.c.item).where(change.c.sequence > bindparam("seen")).order_by(change.c.sequence)
)
_PEOPLE = Statement(
    select(*users.COLUMNS)
    .where(*(account.c.roles != roles for roles in ('["subscriber"]', '["customer"]', "[]")))
    .order_by(account.c.id)
)


def bring_up(work: Work) -> None:
    """Bring every text that changed since the last call to its string."""
    known = multilingual_stored_values.read(work, _STATE, {})
    seen, types = known.get("seen"), known.get("types", [])
    last = int(work.tx.value(_LAST) or 0)
    now = sorted(work.frame.types)
    if seen is not None and seen >= last and types == now:
        return
    moved = {(str(row[0]), str(row[1])) for row in work.tx.all(_MOVED, seen=seen)} if seen is not None else set()
    if seen is None or any(kind == "option" for kind, _ in moved):
        _bring_options(work)
    for name in now:
        if name not in types and (slug := _slug(work, name)):
            strings.register(work, SLUGS, f"URL slug: {name}", slug)
    for user in _people(work, None if seen is None else moved):
        # Only of those who write: readers never see what others are called.
        if user.can("edit_posts"):
            _bring_person(work, user)
    multilingual_stored_values.mark(work, _STATE, {"seen": last, "types": now})


def _people(work: Work, moved: Collection[tuple[str, str]] | None) -> Iterator[User]:
    """Yield the accounts that changed; None for all that could be those of writers."""
    shop = users.has_shop(work.frame)
    if moved is None:
        yield from (users.from_row(row, shop) for row in work.tx.all(_PEOPLE))
        return
    for kind, item in sorted(moved):
        if kind == "user" and item.isdecimal() and (user := users.by_id(work.tx, int(item), shop)) is not None:
            yield user


def _bring_person(work: Work, user: User) -> None:
    for member, sort in (("name", "LINE"), ("description", "AREA")):
        if value := getattr(user, member):
            strings.register(work, AUTHORS, f"{member}_{user.id}", value, kind=sort)


def settle(work: Work) -> None:
    """Bring to their strings what this transaction changed; called at its end."""
    moved = {(kind, item) for kind, item, _ in work.noted if kind in ("option", "user")}
    if not moved or work.frame.texts is None:
        return
    if any(kind == "option" for kind, _ in moved):
        _bring_options(work)
    for user in _people(work, moved):
        if user.can("edit_posts"):
            _bring_person(work, user)


def sweep(work: Work) -> None:
    """Bring texts to their strings, on a site in several languages."""
    if work.frame.texts is not None:
        bring_up(work)


def shown_option(work: Work, name: str, value: Any) -> Any:
    """Return an option's value as readers of the work's language see it."""
    if name in _TITLES:
        forms = strings.shown(work, SITE, work.language).get(_TITLES[name])
        return forms[0] if forms and value else value
    known = strings.shown(work, f"admin_texts_{name}", work.language)
    return _replaced(value, "", name, known) if known else value


def shown_person(work: Work, id: int, member: str, value: str) -> str:
    """Return an account's name or description as readers of the work's language see it."""
    if not value or member not in _PERSON or work.language == work.frame.profile.default_language:
        return value
    forms = strings.shown(work, AUTHORS, work.language).get(f"{member}_{id}")
    return forms[0] if forms else value


def shown_slug(work: Work, type: str, language: str) -> str:
    """Return the slug of a content type in a language."""
    forms = strings.shown(work, SLUGS, language).get(f"URL slug: {type}")
    return (slugs.slugify(forms[0]) if forms else "") or type


def is_text(work: Work, name: str) -> bool:
    """Say whether an option's texts are translated wherever it is read: whether the configuration names it."""
    return name in admin_texts(work)


def admin_texts(work: Work) -> Mapping[str, Any]:
    """Return the options whose texts are translated, each with its keys; no keys mean all of its texts."""
    configured: Mapping[str, Any] = work.raw_option(block_rules.OPTION).get("admin_texts", {})
    return configured


def _bring_options(work: Work) -> None:
    for option, name in _TITLES.items():
        value = work.raw_option(option)
        if value:
            strings.register(work, SITE, name, value)
    known = options.read(work.tx, work.frame.profile)
    for option, keys in admin_texts(work).items():
        for path, text in _found(known.get(option), keys, "", option):
            strings.register(work, f"admin_texts_{option}", path, text)


def _found(value: Any, keys: Mapping[str, Any], prefix: str, name: str, depth: int = 0) -> Iterator[tuple[str, str]]:
    """Return the texts of an option by their paths, `[option]key` or the option's own name."""
    if isinstance(value, str):
        if value:
            yield f"{prefix}{name}", value
        return
    if depth >= _DEEPEST:
        return
    for key, item in _members(value):
        fitting = keys.get(key, keys.get("*")) if keys else {}
        if fitting is not None:
            yield from _found(item, fitting, f"{prefix}[{name}]", key, depth + 1)


def _replaced(value: Any, prefix: str, name: str, known: Mapping[str, Sequence[str]], depth: int = 0) -> Any:
    if isinstance(value, str):
        forms = known.get(f"{prefix}{name}")
        return forms[0] if forms and value else value
    if depth >= _DEEPEST:
        return value
    inner = f"{prefix}[{name}]"
    if isinstance(value, dict):
        return {key: _replaced(item, inner, str(key), known, depth + 1) for key, item in value.items()}
    if isinstance(value, list):
        return [_replaced(item, inner, str(at), known, depth + 1) for at, item in enumerate(value)]
    return value


def _members(value: Any) -> list[tuple[str, Any]]:
    if isinstance(value, dict):
        return [(str(key), item) for key, item in value.items()]
    return [(str(at), item) for at, item in enumerate(value)] if isinstance(value, list) else []


def _slug(work: Work, type: str) -> str:
    kind = work.frame.types[type]
    return "" if type in ("post", "page") or not kind.public else kind.name
