"""The site's account with the translation service (AMS): registration, synchronization, console URL.

Its secrets are encrypted in the database. Calls wait for another server, so they are made between transactions: `open`
opens a unit of work. Without an account every route answers as on a new site.
Rules: docs/rules/translation_services.md, 11, 12 and 13.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any, Final
from urllib.parse import urlencode

import msgspec

from vetrina.core.site_context import SiteContext
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.core.user import User
from vetrina.kernel.keys import generate_key, generate_uuid
from vetrina.multilingual import stored_values as multilingual_stored_values
from vetrina.multilingual.jobs import translators as job_translators
from vetrina.multilingual.services.remote import TranslationServiceClient, compute_call_signature, find_service_address
from vetrina.multilingual.services.service import TranslationServiceError

OpenUnitOfWork = Callable[[bool], AbstractContextManager[UnitOfWork]]

INACTIVE, ENABLED, ACTIVE = "non-active", "enabled", "active"
_NAME: Final = "ams"
_SECRETS: Final = ("secret", "shared", "site_key")


class ServiceAccount(msgspec.Struct, frozen=True):
    """The site's credentials. uuid: the service's id of the site; shared: the key that signs calls."""

    uuid: str = ""
    site_key: str = ""
    user_id: int = 0
    secret: str = ""
    shared: str = ""
    state: str = INACTIVE

    def __bool__(self) -> bool:
        return self.shared != ""


def load_account(work: UnitOfWork) -> ServiceAccount:
    """Return the site's account with its secrets decrypted; an empty one where it has none."""
    stored = multilingual_stored_values.load_setting(work, _NAME, {})
    secrets = {
        name: multilingual_stored_values.decrypt_secret(work, f"ams.{name}", stored[name])
        for name in _SECRETS
        if stored.get(name)
    }
    return ServiceAccount(**{**stored, **secrets})


def register_account(site: SiteContext, open: OpenUnitOfWork) -> ServiceAccount:
    """Register the site, with the caller as manager. Raises TranslationServiceError."""
    with open(False) as work:
        known = load_account(work)
        if not known.uuid or not known.site_key:
            known = msgspec.structs.replace(known, uuid=generate_uuid(), site_key=generate_key())
            _save_account(work, known)
        members: dict[str, Any] = {
            "manager": _serialize_person(work.user),
            "translators": [_serialize_translator(user) for user in job_translators.list_translators(work)],
            "managers": [_serialize_person(user) for user in job_translators.list_managers(work)],
            "site_url": work.origin,
            "site_key": known.site_key,
        }
    try:
        answer = TranslationServiceClient(site, "ams").ask("POST", "/sites", {**members, "site_uuid": known.uuid})
    except TranslationServiceError as error:
        if error.status != 409:
            raise
        # The service knows this id from another site, maybe a copy of this one: retry once with a new id.
        known = msgspec.structs.replace(known, uuid=generate_uuid())
        answer = TranslationServiceClient(site, "ams").ask("POST", "/sites", {**members, "site_uuid": known.uuid})
    made = _parse_account(known, answer)
    with open(False) as work:
        _save_account(work, made)
    return made


def synchronize_people(site: SiteContext, open: OpenUnitOfWork, group: str) -> Any:
    """Send the service the translators or managers, and return its response; None where there are none.

    group: translators or managers. Raises TranslationServiceError.
    """
    with open(True) as work:
        account = load_account(work)
        if group == "translators":
            people = [_serialize_translator(user) for user in job_translators.list_translators(work)]
        else:
            people = [_serialize_person(user) for user in job_translators.list_managers(work)]
    if not people:
        return None
    member = "translators" if group == "translators" else "translation_managers"
    answer = _build_client(site, account).ask("POST", f"/{group}", {member: people})
    marks = answer.get(member) if isinstance(answer, dict) else None
    if not isinstance(marks, list):
        raise TranslationServiceError(f"The translation service did not say who its {group} are.")
    with open(False) as work:
        # The e-mail addresses are those of the site's own accounts, so no new personal data is stored.
        multilingual_stored_values.save_setting(work, f"ams.{group}", {
            str(one["email"]): bool((one.get("subscription") or {}).get("active"))
            for one in marks if isinstance(one, dict) and "email" in one and isinstance(one.get("subscription"), dict)
        })  # fmt: skip
    return answer


def fetch_account_status(site: SiteContext, open: OpenUnitOfWork) -> Any:
    """Return the status that the service reports; None without an account. Raises TranslationServiceError."""
    with open(True) as work:
        account = load_account(work)
    if not account:
        return None
    answer = _build_client(site, account).ask("GET", "/status")
    if isinstance(answer, dict) and answer.get("activated") is True and account.state != ACTIVE:
        with open(False) as work:
            _save_account(work, msgspec.structs.replace(load_account(work), state=ACTIVE))
    return answer


def build_console_address(work: UnitOfWork) -> str:
    """Return the signed URL of the service's console for the caller; `#` without an account."""
    site, base = load_account(work), find_service_address(work.site, "ams")
    if not site or not base:
        return "#"
    # Valid for one person and, since the service checks the time, for a short while.
    token = {"site": site.uuid, "email": work.user.email, "time": str(work.now), "token": generate_key(16)}
    query = urlencode(token)
    return (
        f"{base}/login?{query}&signature={compute_call_signature(site.shared, 'GET', f'/login?{query}', str(work.now))}"
    )


def fetch_engines(site: SiteContext, open: OpenUnitOfWork) -> Any:
    """Return the available translation engines; None without an account. Raises TranslationServiceError."""
    with open(True) as work:
        account = load_account(work)
    return _build_client(site, account).ask("GET", "/engines") if account else None


def set_engines(site: SiteContext, open: OpenUnitOfWork, wanted: list[Any]) -> bool:
    """Set the translation engines in their order, and say whether the service accepted them."""
    with open(True) as work:
        account = load_account(work)
    if not account:
        return False
    try:
        answer = _build_client(site, account).ask("POST", "/engines", wanted)
    except TranslationServiceError:
        return False
    return isinstance(answer, dict) and answer.get("success") is True


def _build_client(site: SiteContext, account: ServiceAccount) -> TranslationServiceClient:
    if not account:
        raise TranslationServiceError(
            "The site has no account with the translation service. POST /mlang/tm/v1/ams/register_manager"
        )
    return TranslationServiceClient(site, "ams", account.shared, account.uuid)


def _parse_account(known: ServiceAccount, answer: Any) -> ServiceAccount:
    """Return the account with what the service sent. Raises TranslationServiceError."""
    try:
        given = msgspec.convert(answer, _AccountAnswer)
    except msgspec.ValidationError as error:
        raise TranslationServiceError(f"The translation service made no account that can be used: {error}") from None
    return msgspec.structs.replace(
        known, user_id=given.user_id, secret=given.secret, shared=given.shared_key, state=ENABLED
    )


class _AccountAnswer(msgspec.Struct):
    user_id: int
    secret: str
    shared_key: str = msgspec.field()


def _save_account(work: UnitOfWork, account: ServiceAccount) -> None:
    stored = msgspec.structs.asdict(account)
    for name in _SECRETS:
        stored[name] = (
            multilingual_stored_values.encrypt_secret(work, f"ams.{name}", stored[name]) if stored[name] else ""
        )
    multilingual_stored_values.save_setting(work, _NAME, stored)


def _serialize_person(user: User) -> dict[str, Any]:
    return {
        "id": user.id, "email": user.email, "login": user.login, "first_name": user.first_name,
        "last_name": user.last_name, "name": user.name, "roles": list(user.roles),
    }  # fmt: skip


def _serialize_translator(user: User) -> dict[str, Any]:
    return {**_serialize_person(user), "language_pairs": job_translators.get_language_pairs(user)}
