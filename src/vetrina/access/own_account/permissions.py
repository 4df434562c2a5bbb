"""Who may do something with an account of their own: who is signed in."""

from __future__ import annotations

from vetrina.access.users.routes import AuthenticationRequired
from vetrina.core.call import Call


def require_account(call: Call) -> None:
    """The account itself."""
    if not call.work.user:
        raise AuthenticationRequired
