"""A change of the mail address of an account: it happens when both addresses have agreed, by a link each.

The old one may refuse, and so may the new one. Mails: access/own_account/address_mails.py. Rules:
docs/rules/registration.md, 8.
"""

from __future__ import annotations

from typing import Final

import msgspec

from vetrina.access.account_mails.sending import KEY_SECONDS, enqueue_account_mail
from vetrina.access.own_account import store
from vetrina.access.own_account.model import EmailChange, EmailChangeLinkOver, NoEmailChange, SameEmail
from vetrina.access.registration.confirmed_emails import confirm_email
from vetrina.access.sign_in import guess_limiter
from vetrina.access.sign_in.guess_limiter import SecretKind
from vetrina.access.users import rules as users
from vetrina.core.site_context import SiteContext
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.core.user import User
from vetrina.kernel.keys import compute_digest, generate_uuid

NEW: Final = "new"
OLD: Final = "old"


def start_email_change(work: UnitOfWork, user: User, email: str) -> EmailChange:
    """Ask both addresses whether an account is to get another one; who is asked has proved to be its owner.

    Whether another account has the address is seen when the mails are written, so that the answer never says so.
    Each counts as a wrong guess, since it sends mails to whatever address. Raises SameEmail, TooManyGuesses.
    """
    email = email.strip()
    if email.lower() == user.email.lower():
        raise SameEmail
    id = generate_uuid()
    if work.guesses is not None:
        keys = work.guesses.build_keys(SecretKind.EMAIL_CHANGE_START, user.id)
        work.guesses.require(work.tx, SecretKind.EMAIL_CHANGE_START, keys)
        work.guesses.add_wrong_guess(keys, id)
    store.STORE.delete(work.tx, user.id)
    change = EmailChange(
        user.id, id, email, user.email, None, None if user.email else work.now, work.now,
        work.now + KEY_SECONDS,
    )  # fmt: skip
    store.STORE.insert(work.tx, change)
    enqueue_account_mail(work, "email_new", change.id)
    if user.email:
        enqueue_account_mail(work, "email_old", change.id)
    work.note("user", user.id, "changed")
    work.describe("user", user.id, user.login, {"email_change": None})
    return change


def get_email_change(work: UnitOfWork, user: User) -> EmailChange:
    """Return the change of an account that waits. Raises NoEmailChange."""
    work.mark_time_dependent()
    found = store.STORE.find(work.tx, user.id)
    if found is None or found.until <= work.now:
        raise NoEmailChange
    return found


def withdraw_email_change(work: UnitOfWork, change: EmailChange) -> None:
    """End a change before it happens; its links are over."""
    store.STORE.delete(work.tx, change.account)
    work.note("user", change.account, "changed")
    work.describe("user", change.account, members={"email_change": None})


def find_email_change(work: UnitOfWork, key: str) -> tuple[EmailChange, str]:
    """Return the change that a key belongs to, and whose it is: new, old.

    Raises EmailChangeLinkOver, TooManyGuesses.
    """
    digest = compute_change_digest(work.site, key)
    found = store.find_by_digest(work.tx, digest)
    if found is not None and found[0].until <= work.now:
        found = None
    if not guess_limiter.is_right_guess(work, SecretKind.EMAIL_CHANGE, None, digest, lambda: found is not None):
        raise EmailChangeLinkOver
    assert found is not None, "the guess was right"
    return found


def answer_email_change(work: UnitOfWork, key: str, *, refused: bool = False) -> EmailChange:
    """Let the owner of a key agree or refuse; return the change as it is then. The last to agree makes it happen.

    Raises EmailChangeLinkOver, TooManyGuesses, ChangedEmailTaken.
    """
    change, side = find_email_change(work, key)
    user = users.find_user(work.tx, change.account, work.site.roles)
    if user is None or user.email.lower() != change.old_email.lower():
        # The address was changed in another way meanwhile.
        raise EmailChangeLinkOver
    if refused:
        withdraw_email_change(work, change)
        return change
    name = "new_agreed" if side == NEW else "old_agreed"
    agreed = msgspec.structs.replace(change, **{name: work.now})
    if agreed.new_agreed is None or agreed.old_agreed is None:
        store.STORE.update(work.tx, change, agreed)
        return agreed
    changed = users.update_user(work, user, change.email)
    store.STORE.delete(work.tx, user.id)
    confirm_email(work, changed)
    return agreed


def is_finished(change: EmailChange) -> bool:
    """Return whether both addresses have agreed."""
    return change.new_agreed is not None and change.old_agreed is not None


def compute_change_digest(site: SiteContext, key: str) -> str:
    """Return the stored digest of the key that one of the addresses got."""
    return compute_digest(site.settings.secret, f"email change\n{key}")


def delete_expired_changes(work: UnitOfWork) -> None:
    """Delete the changes whose time has run out (periodic job)."""
    store.delete_expired(work.tx, work.now)
