"""The site's account with the translation service (AMS): its credentials, status, console URL and engines.

Its secrets are encrypted in the database. Calls wait for another server, so they are made between transactions: `open`
opens a unit of work. Without an account every route answers as on a new site. Not
here: registration (multilingual/services/account_registration.py), the people of whom the service is told
(multilingual/services/account_people.py).
Rules: docs/rules/translation_services.md, 13.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any, Final
from urllib.parse import urlencode

import msgspec

from vetrina.core.site_context import SiteContext
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel.keys import generate_key
from vetrina.multilingual import stored_values as multilingual_stored_values
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


def fetch_account_status(site: SiteContext, open: OpenUnitOfWork) -> Any:
    """Return the status that the service reports; None without an account. Raises TranslationServiceError."""
    with open(True) as work:
        account = load_account(work)
    if not account:
        return None
    answer = build_client(site, account).ask("GET", "/status")
    if isinstance(answer, dict) and answer.get("activated") is True and account.state != ACTIVE:
        with open(False) as work:
            save_account(work, msgspec.structs.replace(load_account(work), state=ACTIVE))
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
    return build_client(site, account).ask("GET", "/engines") if account else None


def set_engines(site: SiteContext, open: OpenUnitOfWork, wanted: list[Any]) -> bool:
    """Set the translation engines in their order, and say whether the service accepted them."""
    with open(True) as work:
        account = load_account(work)
    if not account:
        return False
    try:
        answer = build_client(site, account).ask("POST", "/engines", wanted)
    except TranslationServiceError:
        return False
    return isinstance(answer, dict) and answer.get("success") is True


def build_client(site: SiteContext, account: ServiceAccount) -> TranslationServiceClient:
    """Return a client that signs with the account. Raises TranslationServiceError where there is none."""
    if not account:
        raise TranslationServiceError(
            "The site has no account with the translation service. POST /mlang/tm/v1/ams/register_manager"
        )
    return TranslationServiceClient(site, "ams", account.shared, account.uuid)


def save_account(work: UnitOfWork, account: ServiceAccount) -> None:
    """Store the account, its secrets encrypted."""
    stored = msgspec.structs.asdict(account)
    for name in _SECRETS:
        stored[name] = (
            multilingual_stored_values.encrypt_secret(work, f"ams.{name}", stored[name]) if stored[name] else ""
        )
    multilingual_stored_values.save_setting(work, _NAME, stored)
