"""The values of sign-in by a provider: what a provider says of somebody, and who that is here.

Which providers there are: account_settings.py. Rules: docs/rules/single_sign_on.md, 4.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import msgspec

from vetrina.kernel.email_addresses import is_email_address

MAX_SUBJECT_LENGTH: Final = 255  # characters of a person's name for programs, as the standard has it
_MAX_EMAIL_LENGTH: Final = 100  # characters
_MAX_NAME_LENGTH: Final = 100
_MAX_ROLE_VALUES: Final = 200  # values of a claim that are looked at


class Identity(msgspec.Struct, frozen=True):
    """An account of a provider that signs in to an account here.

    subject: what the provider calls the person, for ever. email: the address that it gave last, empty for none.
    created, last_used: seconds since 1970. made_account: whether the account here was made for it.
    """

    id: str
    provider: str
    issuer: str
    subject: str
    account: int
    email: str
    created: int
    last_used: int
    made_account: bool


class ProvedPerson(msgspec.Struct, frozen=True):
    """Who a provider says somebody is; every member but the subject may be empty.

    is_email_verified: whether it says that the address belongs to the person. role_values: of the claim for roles.
    """

    subject: str
    email: str = ""
    is_email_verified: bool = False
    login: str = ""
    name: str = ""
    first_name: str = ""
    last_name: str = ""
    role_values: tuple[str, ...] = ()


def read_person(claims: Mapping[str, Any], role_claim: str) -> ProvedPerson:
    """Return the person that checked claims are about. role_claim: see `find_claim`, empty for none."""
    given = claims.get("email")
    email = given if isinstance(given, str) and len(given) <= _MAX_EMAIL_LENGTH and is_email_address(given) else ""
    return ProvedPerson(
        subject=claims["sub"],
        email=email,
        # Some providers write the word instead of the truth value.
        is_email_verified=bool(email) and claims.get("email_verified") in (True, "true"),
        login=_clean_text(claims.get("preferred_username")),
        name=_clean_text(claims.get("name")),
        first_name=_clean_text(claims.get("given_name")),
        last_name=_clean_text(claims.get("family_name")),
        role_values=_list_texts(find_claim(claims, role_claim)) if role_claim else (),
    )


def find_claim(claims: Mapping[str, Any], path: str) -> Any:
    """Return the value of a claim by its name, or by a path with dots through objects; None for none."""
    if path in claims:
        return claims[path]
    value: Any = claims
    for name in path.split("."):
        value = value.get(name) if isinstance(value, Mapping) else None
    return value


def _list_texts(value: Any) -> tuple[str, ...]:
    values = value if isinstance(value, list) else [value]
    return tuple(one for one in values[:_MAX_ROLE_VALUES] if isinstance(one, str))


def _clean_text(value: Any) -> str:
    """Return a text of a provider without what could be markup or would not be seen."""
    text = value if isinstance(value, str) else ""
    return "".join(one for one in text[:_MAX_NAME_LENGTH] if one.isprintable() and one not in "<>").strip()
