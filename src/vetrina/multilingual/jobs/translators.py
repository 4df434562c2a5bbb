"""Who translates: accounts with the capability `translate` and pairs of languages, and those who manage translation.

A pair stands in the account's extra fields, as `{"it": {"en": 1}}`; administrators manage without being told.
Rules: facts of the multilingual layer, "Translators".
"""

from __future__ import annotations

from typing import Any, Final

from sqlalchemy import select

from vetrina.access.users import rules as users
from vetrina.access.users.model import User
from vetrina.backends.database import Statement
from vetrina.backends.tables.core import account
from vetrina.core.unit_of_work import Work
from vetrina.kernel.errors import ApiError

__all__ = ["PAIRS", "TRANSLATE", "TranslatorUnknown", "all_managers", "all_translators", "give_pair", "manages",
           "pairs", "require", "translates"]  # fmt: skip

PAIRS: Final = "language_pairs"  # the extra field of an account
TRANSLATE: Final = "translate"
MANAGE: Final = "manage_translations"


class TranslatorUnknown(ApiError):
    """No account has the number."""

    status, code = 404, "mlang_translator_not_found"
    message = "There is no user with the number {id} who could translate."


_ALL = Statement(select(*users.COLUMNS).order_by(account.c.id))


def manages(user: User) -> bool:
    """Say whether an account manages translation: it was given the capability, or is an administrator's."""
    return user.can(MANAGE) or "administrator" in user.roles


def pairs(user: User) -> dict[str, list[str]]:
    """Return the languages that an account translates from, each with those that it translates into."""
    stored = user.meta.get(PAIRS)
    if not isinstance(stored, dict):
        return {}
    return {
        source: [target for target, on in targets.items() if on]
        for source, targets in stored.items()
        if isinstance(targets, dict)
    }


def translates(user: User, source: str, target: str) -> bool:
    """Say whether an account translates from one language into another."""
    return user.can(TRANSLATE) and target in pairs(user).get(source, [])


def require(work: Work, id: int) -> User:
    """Return the account with a number. Raises TranslatorUnknown."""
    found = users.by_id(work.tx, id, users.has_shop(work.frame)) if id > 0 else None
    if found is None:
        raise TranslatorUnknown(id=id)
    return found


def give_pair(work: Work, user: User, source: str, target: str) -> User:
    """Let an account translate from one language into another."""
    stored: dict[str, Any] = dict(user.meta.get(PAIRS) or {})
    stored[source] = {**(stored.get(source) or {}), target: 1}
    if stored == user.meta.get(PAIRS) and user.can(TRANSLATE):
        return user
    return users.grant(work, users.change(work, user, meta={**user.meta, PAIRS: stored}), TRANSLATE)


def all_translators(work: Work) -> list[User]:
    """Return every account that may translate."""
    return [user for user in _everybody(work) if user.can(TRANSLATE)]


def all_managers(work: Work) -> list[User]:
    """Return every account that manages translation."""
    return [user for user in _everybody(work) if manages(user)]


def _everybody(work: Work) -> list[User]:
    work.uses("user")
    return [users.from_row(row, users.has_shop(work.frame)) for row in work.tx.all(_ALL)]
