"""Details of connected accounts at the service, cached for a day.

Not here: tokens of accounts (connector/connection/state.py), how they are connected
(connector/connection/authorization.py). Rules: docs/rules/connector.md, 9.
"""

from __future__ import annotations

from typing import Any, Final

from vetrina.access.users import rules as users
from vetrina.access.users.avatars import build_avatar_url
from vetrina.connector import stored_values
from vetrina.connector.connection import remote as connection_remote, state as connection_state
from vetrina.connector.connection.remote import ConnectorServiceFailed, OpenUnitOfWork
from vetrina.core.site_context import SiteContext
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.core.user import User

_NAME: Final = "account_"
_DAY: Final = 86_400
_SOON: Final = 300  # seconds until a service that did not answer is asked again
_MEMBERS: Final = ("ID", "login", "email", "display_name", "text_direction", "site_count", "user_locale")
_LONGEST: Final = 500  # characters of a member
_SIDE: Final = 64  # pixels of an avatar


def fetch_account_details(site: SiteContext, open: OpenUnitOfWork, account: User) -> None:
    """Fetch the details of a connected account if they are missing or too old; failures are ignored."""
    with open(True) as work:
        if (
            not connection_state.is_connected(work, account.id)
            or connection_state.is_offline(site)
            or _find_details(work, account.id) is not None
        ):
            return
    try:
        answer = connection_remote.request_object(site, open, "/user", {}, user=account.id)
    except ConnectorServiceFailed:
        answer = {}
    found = {name: value for name in _MEMBERS if isinstance(value := answer.get(name), (str, int))}
    found = {name: value[:_LONGEST] if isinstance(value, str) else value for name, value in found.items()}
    with open(False) as work:
        if connection_state.is_connected(work, account.id):
            until = work.now + (_DAY if found else _SOON)
            stored_values.save_encrypted_value(work, f"{_NAME}{account.id}", {"told": found, "until": until})


def serialize_connected_account(work: UnitOfWork, account: User) -> dict[str, Any]:
    """Return the details of an account at the service, and its avatar."""
    found = _find_details(work, account.id) if connection_state.is_connected(work, account.id) else None
    email = str((found or {}).get("email", ""))
    return {**(found or {}), "avatar": build_avatar_url(email, _SIDE) if email else False}


def list_account_errors(work: UnitOfWork, account: User) -> dict[str, Any] | list[Any]:
    """Return conflicts of an account: its e-mail at the service belongs to another account here."""
    email = str(serialize_connected_account(work, account).get("email", ""))
    other = users.find_user_by_login(work.tx, email, work.site.roles) if "@" in email else None
    work.uses("user")
    if other is None or other.id == account.id or email.casefold() == account.email.casefold():
        return []
    return {
        "mismatch": {
            "type": "mismatch",
            "message": "The e-mail address of your account of the service belongs to another account of this site.",
            "details": {"site_email": account.email, "wpcom_email": email},
        }
    }  # fmt: skip


def forget_account_details(work: UnitOfWork, account: int = 0) -> None:
    """Delete the cached details of an account, of all for 0."""
    names = (
        [f"{_NAME}{account}"]
        if account
        else [name for name in stored_values.load_values(work) if name.startswith(_NAME)]
    )
    stored_values.delete_values(work, *names)


def _find_details(work: UnitOfWork, account: int) -> dict[str, Any] | None:
    stored = stored_values.get_decrypted_value(work, f"{_NAME}{account}")
    return stored["told"] if isinstance(stored, dict) and stored["until"] > work.now else None
