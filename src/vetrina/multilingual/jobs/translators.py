"""Translators: accounts with the capability `translate` and language pairs, and accounts that manage translation.

Pairs are stored in the account's meta, as `{"it": {"en": 1}}`; administrators manage translation without a capability.
Rules: docs/rules/translation_jobs.md, 12; docs/rules/roles.md, 3.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from sqlalchemy import select

from vetrina.access.users import rules as users
from vetrina.backends.database import Statement
from vetrina.backends.tables.accounts import account
from vetrina.content.records.model import Record
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.core.user import User
from vetrina.kernel.errors import ApiError, Failure
from vetrina.multilingual.jobs.model import TranslationJob

PAIRS: Final = "language_pairs"  # meta key of an account
TRANSLATE: Final = "translate"
MANAGE: Final = "manage_translations"


class TranslatorNotFound(ApiError):
    """No account that could translate has this id."""

    failure, code = Failure.NOT_FOUND, "mlang_translator_not_found"
    message = "There is no user with the number {id} who could translate."


_ALL = Statement(select(*users.USER_COLUMNS).order_by(account.c.id))


def may_manage_translation(user: User) -> bool:
    """Say whether an account manages translation: by capability, or as an administrator."""
    return user.can(MANAGE) or "administrator" in user.roles


def get_language_pairs(user: User) -> dict[str, list[str]]:
    """Return the languages that an account translates from, each with its target languages."""
    stored = user.meta.get(PAIRS)
    if not isinstance(stored, dict):
        return {}
    return {
        source: [target for target, on in targets.items() if on]
        for source, targets in stored.items()
        if isinstance(targets, dict)
    }


def may_translate(user: User, source: str, target: str) -> bool:
    """Say whether an account translates from one language into another: by its pairs, or by a role that is limited."""
    if user.can(TRANSLATE):
        return target in get_language_pairs(user).get(source, [])
    return user.can_somewhere(TRANSLATE, language=target)


def may_work_on_job(work: UnitOfWork, user: User, element_type: str, target: str) -> bool:
    """Say whether the roles of an account let it work on what is translated into a language.

    element_type: of the job, as `post_page`. Only a role that is limited to types or languages keeps somebody out.
    """
    if user.can(TRANSLATE) or may_manage_translation(user) or not user.can_somewhere(TRANSLATE):
        return True
    return all(user.can_for(TRANSLATE, type, target) for type in _list_types(work, element_type))


def list_workable(work: UnitOfWork, user: User) -> tuple[tuple[str, tuple[str, ...] | None], ...] | None:
    """Return into which languages an account may translate what, by types of elements; None for everything.

    The types are None where all may be translated.
    """
    if user.can(TRANSLATE) or may_manage_translation(user):
        return None
    site = work.site
    known = (*(f"post_{name}" for name in site.types), *(f"tax_{name}" for name in site.taxonomies))
    out: list[tuple[str, tuple[str, ...] | None]] = []
    for language in site.profile.languages:
        if user.can_for(TRANSLATE, None, language):
            out.append((language, None))
            continue
        types = tuple(name for name in known if may_work_on_job(work, user, name, language))
        if types:
            out.append((language, types))
    return tuple(out)


def _list_types(work: UnitOfWork, element_type: str) -> Sequence[str | None]:
    """Return the content types that something to translate is of, as a role names them; None for what is of none."""
    kind, _, name = element_type.partition("_")
    if kind == "post":
        return (name,)
    taxonomy = work.site.taxonomies.get(name) if kind == "tax" else None
    return taxonomy.types if taxonomy is not None and taxonomy.types else (None,)


def get_translator(work: UnitOfWork, id: int) -> User:
    """Return an account by its id. Raises TranslatorNotFound."""
    found = users.find_user(work.tx, id, work.site.roles) if id > 0 else None
    if found is None:
        raise TranslatorNotFound(id=id)
    return found


def grant_language_pair(work: UnitOfWork, user: User, source: str, target: str) -> User:
    """Let an account translate from one language into another."""
    stored: dict[str, Any] = dict(user.meta.get(PAIRS) or {})
    stored[source] = {**(stored.get(source) or {}), target: 1}
    if stored == user.meta.get(PAIRS) and user.can(TRANSLATE):
        return user
    return users.grant_capability(work, users.update_user(work, user, meta={**user.meta, PAIRS: stored}), TRANSLATE)


def grant_pair_of_record(work: UnitOfWork, record: Record) -> None:
    """Let an administrator who wrote a translation by hand translate this language pair from now on."""
    user, source = work.user, record.source_language
    if "administrator" in user.roles and not may_translate(user, source, record.language):
        grant_language_pair(work, get_translator(work, user.id), source, record.language)


def grant_pair_of_job(work: UnitOfWork, user: User, job: TranslationJob) -> User:
    """Let an account translate between the languages of a job, unless a role that is limited lets it already."""
    within_limits = not user.can(TRANSLATE) and user.can_somewhere(TRANSLATE, language=job.target_language)
    if within_limits and may_work_on_job(work, user, job.element_type, job.target_language):
        return user
    return grant_language_pair(work, user, job.source_language, job.target_language)


def list_translators(work: UnitOfWork) -> list[User]:
    """Return every account that may translate."""
    return [user for user in _list_accounts(work) if user.can_somewhere(TRANSLATE)]


def list_managers(work: UnitOfWork) -> list[User]:
    """Return every account that manages translation."""
    return [user for user in _list_accounts(work) if may_manage_translation(user)]


def _list_accounts(work: UnitOfWork) -> list[User]:
    work.uses("user")
    return [users.row_to_user(row, work.site.roles) for row in work.tx.all(_ALL)]
