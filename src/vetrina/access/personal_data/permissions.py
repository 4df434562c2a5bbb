"""Who may see and change requests about personal data. Rules: docs/rules/personal_data.md, 1 and 2."""

from __future__ import annotations

from vetrina.access.personal_data import rules as personal_data
from vetrina.access.personal_data.model import ForeignPersonalData, PersonalDataEmailMissing
from vetrina.access.users.routes import AuthenticationRequired
from vetrina.core.call import Call


def require_own_requests(call: Call) -> None:
    """The account itself, for its own requests, and those who remove accounts (`delete_users`), for all."""
    if not call.work.user:
        raise AuthenticationRequired


def require_request_permission(call: Call) -> None:
    """Everybody, for their own address: who has no account, or is not signed in, names it and confirms it by mail."""
    user, email = call.work.user, call.args.get("email")
    if not user and not email:
        raise PersonalDataEmailMissing
    if user and email and email.lower() != user.email.lower() and not personal_data.may_manage_requests(user):
        raise ForeignPersonalData(bool(user))
