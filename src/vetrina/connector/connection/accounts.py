"""What the service says of the accounts that are connected, kept for a day.

Not here: tokens of accounts (connector/connection/state.py), how they are connected
(connector/connection/authorization.py). Rules: facts of the connector, 4.
"""

from __future__ import annotations

from typing import Any, Final

from vetrina.access.users import rules as users
from vetrina.access.users.avatars import avatar
from vetrina.access.users.model import User
from vetrina.connector.connection import remote as connection_remote
from vetrina.connector.connection import state as connection_state
from vetrina.connector.connection.remote import Failed, Open
from vetrina.core.unit_of_work import Frame, Work

__all__ = ["errors", "forget", "look_up", "shown"]

_NAME: Final = "account_"
_DAY: Final = 86_400
_SOON: Final = 300  # seconds after which a service that said nothing is asked again
_MEMBERS: Final = ("ID", "login", "email", "display_name", "text_direction", "site_count", "user_locale")
_LONGEST: Final = 500  # letters of a member
_SIDE: Final = 64  # pixels of a picture


def look_up(frame: Frame, open: Open, account: User) -> None:
    """Ask the service for a connected account whose details are not known, or too old; one that fails says nothing."""
    with open(True) as work:
        if (
            not connection_state.is_connected(work, account.id)
            or connection_state.is_offline(frame)
            or _kept(work, account.id) is not None
        ):
            return
    try:
        told = connection_remote.ask(frame, open, "/user", {}, user=account.id)
    except Failed:
        told = {}
    found = {name: value for name in _MEMBERS if isinstance(value := told.get(name), (str, int))}
    found = {name: value[:_LONGEST] if isinstance(value, str) else value for name, value in found.items()}
    with open(False) as work:
        if connection_state.is_connected(work, account.id):
            until = work.now + (_DAY if found else _SOON)
            connection_state.put_sealed(work, f"{_NAME}{account.id}", {"told": found, "until": until})


def shown(work: Work, account: User) -> dict[str, Any]:
    """Return the account of the service that an account is connected with, and its picture."""
    found = _kept(work, account.id) if connection_state.is_connected(work, account.id) else None
    email = str((found or {}).get("email", ""))
    return {**(found or {}), "avatar": avatar(email, _SIDE) if email else False}


def errors(work: Work, account: User) -> dict[str, Any] | list[Any]:
    """Return what may be wrong with an account: the e-mail of its other side belongs to another one here."""
    email = str(shown(work, account).get("email", ""))
    other = users.by_login_or_email(work.tx, email, users.has_shop(work.frame)) if "@" in email else None
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


def forget(work: Work, account: int = 0) -> None:
    """Forget what is known of an account, of all for 0."""
    names = (
        [f"{_NAME}{account}"] if account else [name for name in connection_state.read(work) if name.startswith(_NAME)]
    )
    connection_state.drop(work, *names)


def _kept(work: Work, account: int) -> dict[str, Any] | None:
    kept = connection_state.opened_value(work, f"{_NAME}{account}")
    return kept["told"] if isinstance(kept, dict) and kept["until"] > work.now else None
