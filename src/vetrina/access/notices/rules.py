"""What the owner of an account is told of by mail, and when: looked for in what a request wrote, before its commit.

Only what comes from outside is told: neither what an importer writes, nor the command line, nor a job. The mails:
access/notices/mails.py. Rules: docs/rules/account_notices.md, 1 and 3.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from sqlalchemy import bindparam, select

from vetrina.access.notices import devices
from vetrina.access.sessions import rules as sessions
from vetrina.access.sign_in.guess_limiter import SecretKind, TooManyGuesses
from vetrina.access.users import rules as users
from vetrina.account_settings import AccountNotice
from vetrina.backends import job_queue
from vetrina.backends.database import Statement
from vetrina.backends.tables.accounts import app_password
from vetrina.backends.tables.single_sign_on import identity
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.core.user import User
from vetrina.kernel.keys import generate_key

NOTICE_JOB: Final = "access.account_notice"  # the job that sends a mail
_MAX_AGENT_LENGTH: Final = 300  # characters of what a client calls itself

_APP_PASSWORD = Statement(
    select(app_password.c.account, app_password.c.name).where(app_password.c.uuid == bindparam("id"))
)
_IDENTITY = Statement(
    select(identity.c.account, identity.c.provider).where(
        identity.c.id == bindparam("id"), identity.c.made_account.is_(False)
    )
)


def enqueue_account_notices(work: UnitOfWork) -> None:
    """Enqueue the mails about what was written, for the owners of the accounts."""
    guesses = work.guesses
    if guesses is None or not guesses.remote:
        return
    secured = set[int]()
    for kind, item, action in dict.fromkeys(work.changes):
        match kind, action:
            case "second_factor", "created" | "removed":
                secured.add(int(item))
            case "passkey", "created" | "removed":
                secured.add(work.notes["passkey", item].account)
            case "session", "created":
                _notice_session(work, item)
            case "user", users.PASSWORD_REPLACED:
                _enqueue(work, "password", int(item))
            case "user", users.EMAIL_REPLACED:
                former = users.list_former_emails(work).get(int(item), "")
                _enqueue(work, "email", int(item), to=former)
            case "app_password", "created":
                if row := work.tx.first(_APP_PASSWORD, id=item):
                    _enqueue(work, "app_password", row[0], detail=row[1])
            case "identity", "created":
                if row := work.tx.first(_IDENTITY, id=item):
                    _enqueue(work, "identity", row[0], detail=_find_label(work, row[1]))
    for account in sorted(secured):
        _enqueue(work, "second_factor", account)


def _notice_session(work: UnitOfWork, id: str) -> None:
    session = sessions.find_session(work.tx, id, work.now)
    if session is None:
        return
    # Remembered although nobody wants to be told: the notice may be switched on later.
    if devices.remember_device(work, session.account, session.address, session.agent):
        _enqueue(work, "new_device", session.account)


def _enqueue(work: UnitOfWork, notice: AccountNotice, account: int, *, to: str = "", detail: str = "") -> None:
    """Enqueue a mail. to: its address, empty for that of the account. detail: a name that belongs to what happened."""
    if notice not in work.site.profile.accounts.notices:
        return
    assert work.guesses is not None, "asked before"
    user = users.find_user(work.tx, account)
    if user is None or not (to or user.email):
        return
    if not _may_send(work, notice, to or user.email):
        return
    by_owner = work.user.id in (0, account)
    arguments: dict[str, Any] = {
        "notice": notice,
        "account": account,
        "to": to,
        "language": _choose_language(work, user),
        "at": work.now,
        "detail": detail,
        "by_owner": by_owner,
        "id": generate_key(6),
        # Where somebody else sits who manages accounts is nobody's business.
        "address": work.guesses.remote if by_owner else "",
        "agent": work.guesses.agent[:_MAX_AGENT_LENGTH] if by_owner else "",
    }
    job_queue.enqueue_job(work.tx, NOTICE_JOB, arguments, due=work.now, now=work.now)


def _may_send(work: UnitOfWork, notice: AccountNotice, to: str) -> bool:
    """Return whether an address may get one more mail of a kind: whoever reads it has been told often enough else.

    Somebody may have given the address of another person to an account.
    """
    assert work.guesses is not None, "asked before"
    keys = work.guesses.build_keys(SecretKind.ACCOUNT_NOTICE, f"{notice} {to.lower()}")
    try:
        work.guesses.require(work.tx, SecretKind.ACCOUNT_NOTICE, keys)
    except TooManyGuesses:
        return False
    work.guesses.add_wrong_guess(keys, generate_key(6))
    return True


def _choose_language(work: UnitOfWork, user: User) -> str:
    """Return the language of an account, else that of the request."""
    return user.locale.partition("_")[0].lower() or work.language


def _find_label(work: UnitOfWork, provider: str) -> str:
    found: Mapping[str, str] = {one.name: one.label for one in work.site.profile.accounts.providers}
    return found.get(provider) or provider
