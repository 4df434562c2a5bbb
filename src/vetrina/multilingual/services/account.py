"""The site's account with the outside service (AMS): made, brought up to date, and the way to its own pages.

Its secrets lie sealed in the database. Calls wait for another server, so they are made between transactions: `open`
opens one. Not here: the editor that uses the account (multilingual/services/editor_client.py).
Rules: facts, 9, `ams/*`; without an account every route answers what a bare site does.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any, Final
from urllib.parse import urlencode

import msgspec

from vetrina.access.users.model import User
from vetrina.core.unit_of_work import Frame, Work
from vetrina.kernel.keys import new_uuid, random_key
from vetrina.multilingual import stored_values as multilingual_stored_values
from vetrina.multilingual.jobs import translators as job_translators
from vetrina.multilingual.services.remote import Remote, address, signature
from vetrina.multilingual.services.service import ServiceError

__all__ = [
    "ACTIVE", "ENABLED", "INACTIVE", "Account", "Open", "account", "console", "engines", "register", "set_engines",
    "status", "synchronise",
]  # fmt: skip

Open = Callable[[bool], AbstractContextManager[Work]]

INACTIVE, ENABLED, ACTIVE = "non-active", "enabled", "active"
_NAME: Final = "ams"
_SECRETS: Final = ("secret", "shared", "site_key")


class Account(msgspec.Struct, frozen=True):
    """What the service gave the site. uuid: by which it knows the site; shared: the key that calls are signed with."""

    uuid: str = ""
    site_key: str = ""
    user_id: int = 0
    secret: str = ""
    shared: str = ""
    state: str = INACTIVE

    def __bool__(self) -> bool:
        return self.shared != ""


def account(work: Work) -> Account:
    """Return the site's account, its secrets opened; an empty one where it has none."""
    kept = multilingual_stored_values.read(work, _NAME, {})
    secrets = {
        name: multilingual_stored_values.opened(work, f"ams.{name}", kept[name]) for name in _SECRETS if kept.get(name)
    }
    return Account(**{**kept, **secrets})


def register(frame: Frame, open: Open) -> Account:
    """Make the account, with the caller as manager. Raises ServiceError."""
    with open(False) as work:
        known = account(work)
        if not known.uuid or not known.site_key:
            known = msgspec.structs.replace(known, uuid=new_uuid(), site_key=random_key())
            _keep(work, known)
        said: dict[str, Any] = {
            "manager": _person(work.user),
            "translators": [_translator(user) for user in job_translators.all_translators(work)],
            "managers": [_person(user) for user in job_translators.all_managers(work)],
            "site_url": work.origin,
            "site_key": known.site_key,
        }
    try:
        told = Remote(frame, "ams").ask("POST", "/sites", {**said, "site_uuid": known.uuid})
    except ServiceError as error:
        if error.status != 409:
            raise
        # Somebody else has this name, a copy of the site perhaps; once more under another.
        known = msgspec.structs.replace(known, uuid=new_uuid())
        told = Remote(frame, "ams").ask("POST", "/sites", {**said, "site_uuid": known.uuid})
    made = _told(known, told)
    with open(False) as work:
        _keep(work, made)
    return made


def synchronise(frame: Frame, open: Open, whom: str) -> Any:
    """Tell the service who translates or who manages, and return what it answers; None where nobody is.

    whom: translators or managers. Raises ServiceError.
    """
    with open(True) as work:
        mine = account(work)
        if whom == "translators":
            people = [_translator(user) for user in job_translators.all_translators(work)]
        else:
            people = [_person(user) for user in job_translators.all_managers(work)]
    if not people:
        return None
    member = "translators" if whom == "translators" else "translation_managers"
    told = _remote(frame, mine).ask("POST", f"/{whom}", {member: people})
    marks = told.get(member) if isinstance(told, dict) else None
    if not isinstance(marks, list):
        raise ServiceError(f"The translation service did not say who its {whom} are.")
    with open(False) as work:
        # Addresses are the site's people's own, so they are kept by what the site knows anyway.
        multilingual_stored_values.write(work, f"ams.{whom}", {
            str(one["email"]): bool((one.get("subscription") or {}).get("active"))
            for one in marks if isinstance(one, dict) and "email" in one and isinstance(one.get("subscription"), dict)
        })  # fmt: skip
    return told


def status(frame: Frame, open: Open) -> Any:
    """Return what the service says of the account; None without one. Raises ServiceError."""
    with open(True) as work:
        mine = account(work)
    if not mine:
        return None
    told = _remote(frame, mine).ask("GET", "/status")
    if isinstance(told, dict) and told.get("activated") is True and mine.state != ACTIVE:
        with open(False) as work:
            _keep(work, msgspec.structs.replace(account(work), state=ACTIVE))
    return told


def console(work: Work) -> str:
    """Return the signed address at which a manager enters the service's own pages, `#` without an account."""
    mine, base = account(work), address(work.frame, "ams")
    if not mine or not base:
        return "#"
    # Good for one person and, as the service checks the time, for a short while.
    token = {"site": mine.uuid, "email": work.user.email, "time": str(work.now), "token": random_key(16)}
    query = urlencode(token)
    return f"{base}/login?{query}&signature={signature(mine.shared, 'GET', f'/login?{query}', str(work.now))}"


def engines(frame: Frame, open: Open) -> Any:
    """Return the machines that can translate; None without an account. Raises ServiceError."""
    with open(True) as work:
        mine = account(work)
    return _remote(frame, mine).ask("GET", "/engines") if mine else None


def set_engines(frame: Frame, open: Open, wanted: list[Any]) -> bool:
    """Choose machines, in the wanted order, and say whether the service did it."""
    with open(True) as work:
        mine = account(work)
    if not mine:
        return False
    try:
        told = _remote(frame, mine).ask("POST", "/engines", wanted)
    except ServiceError:
        return False
    return isinstance(told, dict) and told.get("success") is True


def _remote(frame: Frame, mine: Account) -> Remote:
    if not mine:
        raise ServiceError(
            "The site has no account with the translation service. POST /mlang/tm/v1/ams/register_manager"
        )
    return Remote(frame, "ams", mine.shared, mine.uuid)


def _told(known: Account, told: Any) -> Account:
    """Return the account with what the service gave. Raises ServiceError."""
    try:
        given = msgspec.convert(told, _Given)
    except msgspec.ValidationError as error:
        raise ServiceError(f"The translation service made no account that can be used: {error}") from None
    return msgspec.structs.replace(
        known, user_id=given.user_id, secret=given.secret, shared=given.shared_key, state=ENABLED
    )


class _Given(msgspec.Struct):
    user_id: int
    secret: str
    shared_key: str = msgspec.field()


def _keep(work: Work, mine: Account) -> None:
    kept = msgspec.structs.asdict(mine)
    for name in _SECRETS:
        kept[name] = multilingual_stored_values.sealed(work, f"ams.{name}", kept[name]) if kept[name] else ""
    multilingual_stored_values.write(work, _NAME, kept)


def _person(user: User) -> dict[str, Any]:
    return {
        "id": user.id, "email": user.email, "login": user.login, "first_name": user.first_name,
        "last_name": user.last_name, "name": user.name, "roles": list(user.roles),
    }  # fmt: skip


def _translator(user: User) -> dict[str, Any]:
    return {**_person(user), "language_pairs": job_translators.pairs(user)}
