"""Password reset: a link by mail, by which the owner of an account chooses a new password.

The response is the same whether the account exists or not: a job looks it up. The key in a link is random and not
stored; the site stores its digest, computed together with the address that it goes to and the hash of the password
that it replaces. So a link works once, for a day, and until address or password are changed in another way; a new link
invalidates the previous one. The mail: access/passwords/reset_mail.py, of a shop shop/mail/password_reset.py. Pages:
pages/lost_password_page.py.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Any, Final, NamedTuple

from sqlalchemy import bindparam, delete, or_, select

from vetrina.access.registration.confirmed_emails import confirm_email
from vetrina.access.sign_in import guess_limiter
from vetrina.access.sign_in.guess_limiter import SecretKind
from vetrina.access.users import rules as users
from vetrina.backends import job_queue
from vetrina.backends.database import Statement
from vetrina.backends.statement_cache import build_upsert
from vetrina.backends.tables.accounts import password_reset as table
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.core.user import User
from vetrina.kernel.keys import compute_digest, generate_key

LOST_PASSWORD_JOB: Final = "access.lost_password"  # the job that sends the link
_LIFETIME_SECONDS: Final = 24 * 3600  # seconds that a link is valid
_MIN_INTERVAL_SECONDS: Final = 300  # seconds between two mails to one account, however many are requested
_KEY_BYTES: Final = 24
_MAX_LOGIN_LENGTH: Final = 200  # characters of a login in a request; ours are shorter

_BY_ACCOUNT = Statement(select(table.c.digest, table.c.until).where(table.c.account == bindparam("account")))
_UPSERT_LINK = Statement(
    build_upsert(
        table,
        keys=("account",),
        values={name: bindparam(name) for name in ("account", "digest", "until")},
        changes={name: bindparam(name) for name in ("digest", "until")},
    )
)
_DELETE_EXPIRED = Statement(
    delete(table).where(or_(table.c.account == bindparam("of"), table.c.until <= bindparam("now")))
)


class LinkOccasion(StrEnum):
    """Why a link is sent; mails say it."""

    LOST = "lost"  # the password was lost
    NEW_ACCOUNT = "new account"  # which has no password yet
    REGISTERED_AGAIN = "registered again"  # somebody wanted to make an account that there is already


class PasswordResetLink(NamedTuple):
    """A link to be sent. digest: of its key; until: seconds since 1970."""

    user: User
    address: str
    digest: str
    until: int


def request_password_reset(work: UnitOfWork, login: str) -> None:
    """Request a reset link for an account. login: login or e-mail address. Raises TooManyGuesses.

    Each request counts as a wrong guess, whatever its outcome, so that nobody can request many or probe for accounts.
    """
    login = login.strip()[:_MAX_LOGIN_LENGTH]
    if work.guesses is not None:
        keys = work.guesses.build_keys(SecretKind.LOST_PASSWORD, login.lower())
        work.guesses.require(work.tx, SecretKind.LOST_PASSWORD, keys)
        work.guesses.add_wrong_guess(keys, login)
    enqueue_reset_link(work, login)


def enqueue_reset_link(work: UnitOfWork, login: str, occasion: LinkOccasion = LinkOccasion.LOST) -> None:
    """Enqueue the mail with a link for an account. login: login or e-mail address."""
    arguments = {"login": login, "language": work.language, "occasion": occasion}
    job_queue.enqueue_job(work.tx, LOST_PASSWORD_JOB, arguments, due=work.now, now=work.now)


def build_reset_link(work: UnitOfWork, arguments: Mapping[str, Any]) -> PasswordResetLink | None:
    """Return the link for the job of `request_password_reset`; None without an account, or if it just got one."""
    user = users.find_user_by_login(work.tx, arguments["login"])
    if user is None or not user.email:
        return None
    row = work.tx.first(_BY_ACCOUNT, account=user.id)
    if row is not None and row[1] - _LIFETIME_SECONDS + _MIN_INTERVAL_SECONDS > work.now:
        return None
    key = generate_key(_KEY_BYTES)
    address = f"{work.origin}/admin/new-password?account={user.id}&key={key}"
    return PasswordResetLink(user, address, _compute_reset_digest(work, user.id, key), work.now + _LIFETIME_SECONDS)


def save_reset_link(work: UnitOfWork, arguments: Mapping[str, Any], link: PasswordResetLink) -> None:
    """Activate a link that was sent, and delete expired ones."""
    work.tx.run(_DELETE_EXPIRED, of=link.user.id, now=work.now)
    if users.find_user(work.tx, link.user.id) is not None:
        work.tx.run(_UPSERT_LINK, account=link.user.id, digest=link.digest, until=link.until)


def find_reset_account(work: UnitOfWork, account: int, key: str) -> User | None:
    """Return the account whose password a link's key resets, None for an expired link. Raises TooManyGuesses."""
    row = work.tx.first(_BY_ACCOUNT, account=account)
    stored = str(row[0]) if row is not None and row[1] > work.now else ""
    right = guess_limiter.matches_secret(
        work, SecretKind.PASSWORD_RESET, account, _compute_reset_digest(work, account, key), stored
    )
    return users.find_user(work.tx, account, work.site.roles) if right else None


def reset_password(work: UnitOfWork, user: User, password: str) -> None:
    """Set the password that the owner of an account chose; its link and its sessions end with the old one.

    The link came by mail, so it proves the address, too.
    """
    changed = users.update_user(work, user, password=password)
    work.tx.run(_DELETE_EXPIRED, of=user.id, now=work.now)
    confirm_email(work, changed)


def _compute_reset_digest(work: UnitOfWork, account: int, key: str) -> str:
    user, stored = users.find_user(work.tx, account), users.load_password_hash(work.tx, account)
    email = user.email.lower() if user is not None else ""
    return compute_digest(work.site.settings.secret, f"password reset\n{account}\n{key}\n{email}\n{stored}")
