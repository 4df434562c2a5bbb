"""Registering: who may, what a registration becomes, and when.

What is asked is stored and answered the same way for every address; a job looks whether it has an account
(`run_registration_job`), and the owner of the address alone is told, by mail. Mails: access/registration/mails.py. The
shop's own page follows the shop's own settings (shop/customers/registration.py). Rules:
docs/rules/registration.md, 1, 2 and 3.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

import msgspec

from vetrina.access.account_mails.sending import KEY_SECONDS, enqueue_account_mail
from vetrina.access.passwords.hashing import HashedPassword
from vetrina.access.registration import store
from vetrina.access.registration.confirmed_emails import confirm_email
from vetrina.access.registration.former_holders import shut_out_former_holder
from vetrina.access.registration.model import (
    AccountRegistrationClosed,
    EmailDomainRefused,
    InvalidRegistrationEmail,
    PendingRegistration,
    RegistrationLinkOver,
    RegistrationPasswordMissing,
)
from vetrina.access.sign_in import guess_limiter
from vetrina.access.sign_in.guess_limiter import SecretKind
from vetrina.access.users import rules as users
from vetrina.access.users.text_rules import MAX_LOGIN_LENGTH, is_valid_login
from vetrina.backends import job_queue
from vetrina.core.account_part import list_account_parts
from vetrina.core.site_context import SiteContext
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.core.user import User
from vetrina.kernel.email_addresses import is_email_address
from vetrina.kernel.keys import compute_digest, generate_uuid

REGISTRATION_JOB: Final = "access.registration"
MAX_EMAIL_LENGTH: Final = 100  # characters
MAX_NAME_LENGTH: Final = 250  # characters
_MOST_WAITING: Final = 3  # registrations of one address that wait at once, each with its mail
_LOGIN_ROOM: Final = 8  # letters of a login that are left for a number


class NewRegistration(NamedTuple):
    """What somebody registers with. password: its hash, empty where it is chosen later."""

    email: str
    login: str = ""
    name: str = ""
    locale: str = ""
    password: str = ""


def is_registration_possible(site: SiteContext) -> bool:
    """Return whether anybody may register."""
    return site.profile.accounts.registration != "closed"


def check_registration(work: UnitOfWork, email: str) -> None:
    """Check whether an address may register. Raises what `register` raises."""
    settings, domain = work.site.profile.accounts, email.rpartition("@")[2].lower()
    if not is_registration_possible(work.site):
        raise AccountRegistrationClosed(bool(work.user))
    if len(email) > MAX_EMAIL_LENGTH or not is_email_address(email):
        raise InvalidRegistrationEmail(email=email[:MAX_EMAIL_LENGTH])
    allowed, refused = settings.registration_domains, settings.registration_refused_domains
    if (allowed and not _is_beneath(domain, allowed)) or _is_beneath(domain, refused):
        raise EmailDomainRefused(domain=domain)


def register(work: UnitOfWork, given: NewRegistration) -> None:
    """Store what somebody registers with; a job does the rest, so that every address is answered alike.

    Raises AccountRegistrationClosed, InvalidRegistrationEmail, EmailDomainRefused, TooManyGuesses.
    """
    email = given.email.strip()
    check_registration(work, email)
    if work.guesses is not None:
        keys = work.guesses.build_keys(SecretKind.REGISTRATION, email.lower())
        work.guesses.require(work.tx, SecretKind.REGISTRATION, keys)
        work.guesses.add_wrong_guess(keys, email)
    one = PendingRegistration(
        generate_uuid(), email, email.lower(), given.login, given.name, given.locale, given.password, "", work.now,
        work.now + KEY_SECONDS,
    )  # fmt: skip
    store.STORE.insert(work.tx, one)
    arguments = {"id": one.id, "language": work.language}
    job_queue.enqueue_job(work.tx, REGISTRATION_JOB, arguments, due=work.now, now=work.now)


def run_registration_job(work: UnitOfWork, arguments: Mapping[str, Any]) -> None:
    """Go on with a registration: tell the owner of the address, or make the account where no link is to be followed."""
    one, language = store.STORE.find(work.tx, arguments["id"]), arguments["language"]
    if one is None:
        return
    if store.count_waiting(work.tx, one.email_key, work.now) > _MOST_WAITING:
        store.STORE.delete(work.tx, one.id)
    elif users.find_user_by_email(work.tx, one.email) is not None:
        enqueue_account_mail(work, "registration_exists", one.id, language)
    elif work.site.profile.accounts.registration == "open" and one.password:
        _create_account(work, one, one.password)
        enqueue_account_mail(work, "registration_welcome", one.id, language)
    else:
        enqueue_account_mail(work, "registration_confirm", one.id, language)


def find_registration(work: UnitOfWork, key: str) -> PendingRegistration:
    """Return the registration that a key confirms. Raises RegistrationLinkOver, TooManyGuesses."""
    digest = compute_registration_digest(work.site, key)
    found = store.find_by_digest(work.tx, digest)
    if found is not None and found.until <= work.now:
        found = None
    if not guess_limiter.is_right_guess(
        work, SecretKind.REGISTRATION_KEY, None, digest, lambda: found is not None
    ):  # fmt: skip
        raise RegistrationLinkOver
    assert found is not None, "the guess was right"
    return found


def confirm_registration(work: UnitOfWork, key: str, password: str = "") -> User:
    """Make the account that a key confirms, or confirm the address of the one that is made; return it.

    password: hashed already; in place of the one that was registered with. Where the account is made and its address
    not proved before, a stranger may have made it: whoever knew the earlier password is shut out. Other registrations
    of the address end.
    Raises RegistrationLinkOver, RegistrationPasswordMissing, TooManyGuesses.
    """
    one = find_registration(work, key)
    user = users.find_user_by_email(work.tx, one.email, work.site.roles)
    if user is None:
        if not (password or one.password):
            raise RegistrationPasswordMissing
        user = _create_account(work, one, password or one.password)
    elif one.login != user.login:
        # Another way made an account of this address meanwhile.
        raise RegistrationLinkOver
    elif password:
        shut_out_former_holder(work, user)
        user = users.update_user(work, user, password=HashedPassword(password))
    store.delete_registrations(work.tx, one.email_key)
    confirm_email(work, user)
    return user


def compute_registration_digest(site: SiteContext, key: str) -> str:
    """Return the stored digest of the key of a registration."""
    return compute_digest(site.settings.secret, f"registration\n{key}")


def delete_expired_registrations(work: UnitOfWork) -> None:
    """Delete the registrations whose time has run out (periodic job)."""
    store.delete_expired(work.tx, work.now)


def get_registration_role(site: SiteContext) -> str:
    """Return the role of who registers."""
    wanted = (part.role for part in list_account_parts(site))
    return site.profile.accounts.registration_role or next(filter(None, wanted), site.profile.default_role)


def _create_account(work: UnitOfWork, one: PendingRegistration, password: str) -> User:
    login = _choose_login(work, one)
    user = users.create_user(
        work, login, one.email, name=one.name, locale=one.locale, roles=(get_registration_role(work.site),),
        password=HashedPassword(password),
    )  # fmt: skip
    for part in list_account_parts(work.site):
        part.take_up(work, user)
    # The key of the mail that follows confirms this account, and no other.
    store.STORE.update(work.tx, one, msgspec.structs.replace(one, login=user.login))
    return user


def _choose_login(work: UnitOfWork, one: PendingRegistration) -> str:
    """Return a free login: the wanted one, or else the beginning of the address, with a number where it is taken.

    Nobody chooses one that looks like an address: signing in and lost passwords would take it for that of its owner.
    """
    wanted = one.login if is_valid_login(one.login) and "@" not in one.login else ""
    head = "".join(sign for sign in one.email.partition("@")[0] if is_valid_login(sign)).lower()
    stem = (wanted or head or "user")[: MAX_LOGIN_LENGTH - _LOGIN_ROOM]
    login, number = stem, 1
    while users.find_user_by_login(work.tx, login) is not None:
        number += 1
        login = f"{stem}{number}"
    return login


def _is_beneath(domain: str, listed: tuple[str, ...]) -> bool:
    """Return whether a domain is one of those listed, or lies beneath one."""
    return any(domain == one.lower() or domain.endswith(f".{one.lower()}") for one in listed)
