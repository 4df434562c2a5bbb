"""Registering over the interface, and confirming it by the key of a mail.

Rules: docs/rules/registration.md, 2 and 3.
"""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import Any, Final

from vetrina.access.own_account.schema import build_key_argument, check_password
from vetrina.access.passwords import hashing
from vetrina.access.registration import rules as registrations
from vetrina.access.registration.model import (
    AccountRegistrationClosed,
    EmailDomainRefused,
    InvalidRegistrationEmail,
    RegistrationLinkOver,
    RegistrationPasswordMissing,
)
from vetrina.access.registration.rules import NewRegistration
from vetrina.access.sign_in.guess_limiter import TooManyGuesses
from vetrina.access.users import rules as users
from vetrina.access.users.text_rules import MAX_LOGIN_LENGTH, language_to_locale
from vetrina.core.call import Call
from vetrina.core.site_context import SiteContext
from vetrina.kernel.tags import strip_tags
from vetrina.rest.call import Result, defer
from vetrina.rest.fields import Boolean, Integer, Object, String
from vetrina.rest.route import WRITE, Route

_PATH: Final = "/access/v1/registrations"
_ACCEPTED: Final = Object(
    properties={
        "accepted": Boolean("True, whether the address has an account or not."),
        "confirmation": Boolean("Whether a link in a mail must be followed before the account is there."),
    }
)
_ACCOUNT: Final = Object(
    properties={
        "id": Integer("Number of the account."),
        "username": String("Name to sign in with."),
        "email": String("Its mail address, which is confirmed now.", format="email"),
    }
)


def _require_open_registration(call: Call) -> None:
    """Everybody, where the site takes registrations."""
    if not registrations.is_registration_possible(call.work.site):
        raise AccountRegistrationClosed(bool(call.work.user))


def _hash_chosen(call: Call) -> AbstractContextManager[Any] | None:
    password = call.args.get("password")
    return defer(hashing.hash_password, password) if password else None


def _register(call: Call) -> Result:
    """Register: the answer is the same for every address, and its owner is told by mail what follows."""
    args, settings = call.args, call.work.site.profile.accounts
    name = strip_tags(args.get("name") or "").strip()[: registrations.MAX_NAME_LENGTH]
    registrations.register(
        call.work,
        NewRegistration(args["email"], args.get("login") or "", name, args.get("locale") or "", call.prepared or ""),
    )
    confirmation = settings.registration == "confirmed" or not call.prepared
    return Result({"accepted": True, "confirmation": confirmation}, status=202)


def _confirm(call: Call) -> Result:
    """Confirm a registration by the key of its mail: the account is there from now on."""
    user = registrations.confirm_registration(call.work, call.args["key"], call.prepared or "")
    return Result({"id": user.id, "username": user.login, "email": user.email})


def build_routes(site: SiteContext) -> tuple[Route, ...]:
    """Return the routes of registrations."""
    locales = tuple(dict.fromkeys(("", "en_US", *map(language_to_locale, site.profile.languages))))
    password = String(
        "Password; without one it is chosen when the registration is confirmed.", null="keep", check=check_password,
        secret=True,
    )  # fmt: skip
    return (
        Route(
            WRITE, _PATH, _register,
            {
                "email": String("Mail address.", format="email", required=True),
                "login": String(
                    "Name to sign in with; where it is taken, a number is added. Made of the address without one.",
                    max_length=MAX_LOGIN_LENGTH, null="keep",
                ),
                "name": String("Name to show.", max_length=registrations.MAX_NAME_LENGTH, null="keep"),
                "password": password,
                "locale": String("Locale of the account.", enum=locales, null="keep"),
            },
            _require_open_registration, prepare=_hash_chosen, answers=_ACCEPTED, status=202,
            errors=(AccountRegistrationClosed, InvalidRegistrationEmail, EmailDomainRefused, TooManyGuesses),
        ),
        Route(
            WRITE, f"{_PATH}/confirm", _confirm,
            {
                "key": build_key_argument(),
                "password": password.replace(help="Password, in place of the one that was registered with."),
            },
            _require_open_registration, prepare=_hash_chosen, answers=_ACCOUNT, status=200,
            errors=(
                AccountRegistrationClosed, RegistrationLinkOver, RegistrationPasswordMissing, TooManyGuesses,
                users.LoginTooLong,
            ),
        ),
    )  # fmt: skip
