"""Lost passwords: a link by mail, by which the owner of an account chooses a new password.

Whoever asks is answered the same, whether there is such an account or not: a job looks for it. The key in a link is
random and kept nowhere; the site keeps its digest, made together with the hash of the password that it replaces. So a
link is good once, for a day, and until the password changes in another way; a new link ends the one before. Not here:
what the mail says (access/passwords/reset_mail.py, of a shop shop/mail/password_reset.py), the pages
(pages/lost_password_page.py).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from sqlalchemy import bindparam, delete, or_, select

from vetrina.access.sign_in import guess_limiter
from vetrina.access.sign_in.guess_limiter import Secret
from vetrina.access.users import rules as users
from vetrina.access.users.model import User
from vetrina.backends import job_queue
from vetrina.backends.database import Statement
from vetrina.backends.statement_cache import upsert
from vetrina.backends.tables.core import password_reset as table
from vetrina.core.unit_of_work import Work
from vetrina.kernel.keys import digest, random_key

__all__ = ["ASKED", "Link", "ask", "begin", "change", "keep", "opened_by"]

ASKED: Final = "access.lost_password"  # the job that answers whoever lost a password
_LIFE: Final = 24 * 3600  # seconds that a link is good
_PAUSE: Final = 300  # seconds between two mails to one account, however many ask
_OCTETS: Final = 24
_LONGEST: Final = 200  # letters of what somebody gives as a login; ours are shorter

_BY_ACCOUNT = Statement(select(table.c.digest, table.c.until).where(table.c.account == bindparam("account")))
_KEEP = Statement(
    upsert(
        table,
        keys=("account",),
        values={name: bindparam(name) for name in ("account", "digest", "until")},
        changes={name: bindparam(name) for name in ("digest", "until")},
    )
)
_FORGET = Statement(delete(table).where(or_(table.c.account == bindparam("of"), table.c.until <= bindparam("now"))))


class Link(NamedTuple):
    """A link that is to be sent. digest: of its key; until: seconds since 1970."""

    user: User
    address: str
    digest: str
    until: int


def ask(work: Work, login: str) -> None:
    """Note that somebody lost the password of an account. login: or its e-mail address. Raises TooManyGuesses.

    Each time counts as a guess, whatever comes of it: nobody asks for many, nor finds out here which there are.
    """
    login = login.strip()[:_LONGEST]
    if work.guesses is not None:
        place = work.guesses.place(Secret.LOST_PASSWORD, login.lower())
        work.guesses.require(work.tx, Secret.LOST_PASSWORD, place)
        work.guesses.wrong(place, login)
    job_queue.put(work.tx, ASKED, {"login": login, "language": work.language}, due=work.now, now=work.now)


def begin(work: Work, arguments: Mapping[str, Any]) -> Link | None:
    """Return the link that a job of `ask` is to send; None where there is no account, or it just got one."""
    user = users.by_login_or_email(work.tx, arguments["login"])
    if user is None or not user.email:
        return None
    row = work.tx.first(_BY_ACCOUNT, account=user.id)
    if row is not None and row[1] - _LIFE + _PAUSE > work.now:
        return None
    key = random_key(_OCTETS)
    address = f"{work.origin}/admin/new-password?account={user.id}&key={key}"
    return Link(user, address, _digest(work, user.id, key), work.now + _LIFE)


def keep(work: Work, arguments: Mapping[str, Any], link: Link) -> None:
    """Let a link that was sent be good, and end what is past its time."""
    work.tx.run(_FORGET, of=link.user.id, now=work.now)
    if users.by_id(work.tx, link.user.id) is not None:
        work.tx.run(_KEEP, account=link.user.id, digest=link.digest, until=link.until)


def opened_by(work: Work, account: int, key: str) -> User | None:
    """Return the account whose password a link's key changes, None where the link is over. Raises TooManyGuesses."""
    row = work.tx.first(_BY_ACCOUNT, account=account)
    kept = str(row[0]) if row is not None and row[1] > work.now else ""
    right = guess_limiter.opens(work, Secret.PASSWORD_RESET, account, _digest(work, account, key), kept)
    return users.by_id(work.tx, account, users.has_shop(work.frame)) if right else None


def change(work: Work, user: User, password: str) -> None:
    """Give an account the password that its owner chose; its link and its sessions end with the old one."""
    users.change(work, user, password=password)
    work.tx.run(_FORGET, of=user.id, now=work.now)


def _digest(work: Work, account: int, key: str) -> str:
    stored = users.stored_password(work.tx, account)
    return digest(work.frame.settings.secret, f"password reset\n{account}\n{key}\n{stored}")
