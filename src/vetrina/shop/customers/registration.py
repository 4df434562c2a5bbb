"""Accounts that customers make for themselves.

Where the shop sends a link to choose the first password, who registers learns nothing but that a mail is on its way:
the owner of an address that has an account is told so by mail. Where they choose the password at once, they are signed
in at once, and a known address is refused. Settings: `shop_enable_myaccount_registration`,
`shop_registration_generate_password`. Rules: docs/rules/account_pages.md, 3.
"""

from __future__ import annotations

from typing import Final

from vetrina.access.passwords import hashing as password_hashing, reset as password_reset
from vetrina.access.passwords.reset import LinkOccasion
from vetrina.access.sign_in.guess_limiter import SecretKind
from vetrina.access.users import rules as users
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel.email_addresses import is_email_address
from vetrina.kernel.errors import ApiError, PermissionDenied
from vetrina.shop.customers import rules as customers
from vetrina.shop.customers.rules import Customer, CustomerEmailExists, InvalidCustomerEmail
from vetrina.shop.settings import rules as settings

_MAX_EMAIL_LENGTH: Final = 100  # characters


class RegistrationClosed(PermissionDenied):
    code = "shop_rest_registration_closed"
    message = "This shop makes no accounts on request."


class UnusablePassword(ApiError):
    code = "registration-error-missing-password"
    message = "A password may not be empty, and may have no backslash."


def is_registration_open(work: UnitOfWork) -> bool:
    """Return whether visitors may make an account on the page of accounts."""
    return settings.is_setting_on(work, "shop_enable_myaccount_registration")


def is_password_chosen_later(work: UnitOfWork) -> bool:
    """Return whether new customers choose their password by a link in a mail, rather than when they register."""
    return settings.is_setting_on(work, "shop_registration_generate_password")


def check_registration(work: UnitOfWork, email: str, password: str = "") -> bool:
    """Check what somebody registers with, and return whether their password has to be hashed.

    Raises RegistrationClosed, InvalidCustomerEmail, UnusablePassword, TooManyGuesses.
    """
    if not is_registration_open(work):
        raise RegistrationClosed(bool(work.user))
    if len(email) > _MAX_EMAIL_LENGTH or not is_email_address(email):
        raise InvalidCustomerEmail(email=email)
    chosen = not is_password_chosen_later(work)
    if chosen and not password_hashing.is_usable_password(password):
        raise UnusablePassword
    if work.guesses is not None:
        keys = work.guesses.build_keys(SecretKind.REGISTRATION, email.lower())
        work.guesses.require(work.tx, SecretKind.REGISTRATION, keys)
    return chosen


def register_customer(work: UnitOfWork, email: str, password: str = "") -> Customer | None:
    """Make an account for whoever asks for one, with the mail that says so; what is sent has been checked.

    password: hashed already; of no meaning where it is chosen later. Returns the account where its password is known,
    None where a mail tells what follows, whether it was made or not. Raises CustomerEmailExists, TooManyGuesses.
    """
    later = is_password_chosen_later(work)
    _count_registration(work, email)
    known = users.find_user_by_login(work.tx, email)
    if known is None:
        made = customers.create_customer(work, {"email": email, "password": password, "password_later": later})
        return None if later else made
    if not later:
        raise CustomerEmailExists(email=email)
    password_reset.enqueue_reset_link(work, email, LinkOccasion.REGISTERED_AGAIN)
    return None


def _count_registration(work: UnitOfWork, email: str) -> None:
    """Count a registration like a wrong guess, whatever its outcome. Raises TooManyGuesses."""
    guesses = work.guesses
    if guesses is None:
        return
    keys = guesses.build_keys(SecretKind.REGISTRATION, email.lower())
    guesses.require(work.tx, SecretKind.REGISTRATION, keys)
    guesses.add_wrong_guess(keys, email)
