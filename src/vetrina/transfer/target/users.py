"""Accounts of the source: those that are here already are found again, the others are made, without a password."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any, Final, cast

import msgspec
from sqlalchemy import bindparam, exists, select

from vetrina.access.roles.built_in_roles import CAPABILITIES
from vetrina.access.roles.capability_catalogue import list_capabilities
from vetrina.access.roles.role_rights import list_role_names
from vetrina.access.users import rules as users
from vetrina.access.users.last_administrator import is_last_administrator
from vetrina.access.users.text_rules import is_valid_login
from vetrina.backends.database import Statement
from vetrina.backends.tables.accounts import account
from vetrina.content.text import sanitizing
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.core.user import User
from vetrina.kernel.slugs import slugify_login

from .addresses import rewrite_addresses
from .extra_fields import merge_account_fields
from .incoming_record import IncomingRecord, RecordSkipped
from .outcome import Written

_NO_ADDRESS: Final = "imported.invalid"  # domain of the addresses of accounts whose own is not known
_TEXTS: Final = ("name", "first_name", "last_name", "nickname")
_TAKEN = Statement(select(exists().where(account.c.id == bindparam("id"))))


class AuthorChoice(msgspec.Struct, frozen=True):
    """To whom records are given. everyone: login of the one who gets all; by_login: login there → login here."""

    everyone: str = ""
    by_login: dict[str, str] = {}

    def find_login(self, login: str) -> str:
        """Return who stands here for an account of the source, empty for the account itself."""
        return self.everyone or self.by_login.get(login, "")


def write_user(one: IncomingRecord, choice: AuthorChoice) -> Written:
    """Write an account. Raises RecordSkipped, LoginTooLong, UserUrlTooLong."""
    work = one.work
    login = one.get_text("username") or one.get_text("slug") or str(one.record.id)
    if other := choice.find_login(login):
        found = users.find_user_by_login(work.tx, other)
        if found is None:
            raise RecordSkipped(f"there is no account {other!r} that could stand for {login!r}")
        return Written(found.id, adopted=True)
    if not is_valid_login(login):
        login = slugify_login(login)
    if not login:
        raise RecordSkipped("it has no login")
    email = one.get_text("email") or f"{slugify_login(login)}@{_NO_ADDRESS}"
    members = _build_members(one)
    if old := users.find_user(work.tx, one.target) if one.target else None:
        if is_last_administrator(work.tx, old):
            members.pop("roles", None)
        members["meta"] = merge_account_fields(one, old.meta)
        return Written(users.update_user(work, old, one.get_text("email"), **members).id)
    known = _find_known(one, login, email)
    if known is not None:
        if one.keep_ids:
            _describe_known(one, known, members)
        return Written(known.id, adopted=True)
    members["meta"] = merge_account_fields(one, {})
    new = users.create_user(work, login, email, id=one.choose_id(partial(_is_taken, work)), **members)
    for capability in _list_own_capabilities(one):
        new = users.grant_capability(work, new, capability)
    one.resets.append(login)
    return Written(new.id)


def _find_known(one: IncomingRecord, login: str, email: str) -> User | None:
    """Return the account here that has the login, or else the e-mail address."""
    return users.find_user_by_login(one.work.tx, login) or users.find_user_by_login(one.work.tx, email)


def _describe_known(one: IncomingRecord, known: User, members: users.UserMembers) -> None:
    """Write who an account of an empty site is, and since when; what it may do and how it signs in stays."""
    members.pop("roles", None)
    members["meta"] = merge_account_fields(one, known.meta)
    if one.missing:
        # An account that was found is not written a second time.
        one.notes["what its extra fields name had not come yet"] += 1
    try:
        users.update_user(one.work, known, **members)
    except users.UserSlugTaken:
        members.pop("slug")
        users.update_user(one.work, known, **members)


def _list_own_capabilities(one: IncomingRecord) -> list[str]:
    """Return what an account may do beside its roles, as translators may translate."""
    given = one.values.get("extra_capabilities")
    wanted = {name for name, on in given.items() if on is True} if isinstance(given, Mapping) else set()
    if not wanted.difference(one.list_ids("roles")):
        return []
    return [known.name for known in list_capabilities(one.work.site) if known.name in wanted]


def _is_taken(work: UnitOfWork, id: int) -> bool:
    return bool(work.tx.value(_TAKEN, id=id))


def _build_members(one: IncomingRecord) -> users.UserMembers:
    members: dict[str, Any] = {
        name: sanitizing.sanitize_term_name(one.get_text(name)) for name in _TEXTS if one.get_text(name)
    }
    for name in ("url", "locale", "slug", "description"):
        if text := one.get_text(name):
            members[name] = rewrite_addresses(one, text)
    roles = one.values.get("roles")
    if isinstance(roles, list):
        known = {*CAPABILITIES, *list_role_names(one.work)}
        members["roles"] = tuple(role for role in roles if role in known)
        for role in roles:
            if role not in known:
                one.notes[f"the role {role!r} is not known here"] += 1
    elif not one.target:
        # A file that names its authors does not say what they may do; they have written something.
        members["roles"] = ("author",)
    if (registered := one.read_dates("registered_date")) is not None:
        members["registered"] = registered[0]  # written in GMT
    return cast("users.UserMembers", members)
