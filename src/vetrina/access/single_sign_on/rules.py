"""Who somebody is here whom a provider has proved: the account of an identity, a new one, or nobody.

How that was proved: access/single_sign_on/flow.py. Rules: docs/rules/single_sign_on.md, 4, 5 and 7.
"""

from __future__ import annotations

from typing import Final

from vetrina.access.passkeys.store import list_passkeys
from vetrina.access.registration.former_holders import shut_out_former_holder
from vetrina.access.roles import capabilities
from vetrina.access.roles.built_in_roles import ADMINISTRATOR
from vetrina.access.sessions import rules as sessions
from vetrina.access.single_sign_on import store
from vetrina.access.single_sign_on.model import Identity, ProvedPerson
from vetrina.access.single_sign_on.refusals import Refusal, SignInRefused
from vetrina.access.users import rules as users
from vetrina.access.users.last_administrator import is_last_administrator
from vetrina.access.users.text_rules import MAX_LOGIN_LENGTH, is_valid_login
from vetrina.account_settings import SignInProvider
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.core.user import User
from vetrina.kernel.errors import ApiError, Failure
from vetrina.kernel.keys import generate_uuid

_NUMBER_LENGTH: Final = 7  # characters that a number at the end of a login may take


class IdentityNotFound(ApiError):
    failure, code = Failure.NOT_FOUND, "rest_identity_not_found"
    message = "Your account has no identity {id!r}."


class LastWayIn(ApiError):
    """Without its last identity nobody could sign in to an account that has no password."""

    failure, code = Failure.CONFLICT, "rest_last_way_in"
    message = "This is the only way in to your account. Choose a password or connect another provider, then remove it."


def sign_in_person(work: UnitOfWork, provider: SignInProvider, person: ProvedPerson) -> User:
    """Return the account of somebody whom a provider has proved, a new one if it may be made. Raises SignInRefused."""
    known = store.find_identity(work.tx, provider.name, provider.issuer, person.subject)
    if known is None:
        return _admit_person(work, provider, person)
    user = users.find_user(work.tx, known.account, work.site.roles)
    assert user is not None, "an identity goes with its account"
    store.update_identity_use(work, known.id, person.email or known.email)
    return _apply_roles(work, provider, person, user) if known.made_account else user


def link_person(work: UnitOfWork, provider: SignInProvider, person: ProvedPerson, user: User) -> None:
    """Connect an account, whose owner is signed in and asked for it, with an identity. Raises SignInRefused."""
    known = store.find_identity(work.tx, provider.name, provider.issuer, person.subject)
    if known is None:
        _add_identity(work, provider, person, user)
    elif known.account == user.id:
        store.update_identity_use(work, known.id, person.email or known.email)
    else:
        raise SignInRefused(Refusal.IDENTITY_TAKEN, f"the identity {known.id} is of account {known.account}")


def unlink_identity(work: UnitOfWork, user: User, id: str) -> Identity:
    """Remove an identity of an account and return it. Raises IdentityNotFound, LastWayIn."""
    own = store.list_identities(work.tx, user.id)
    found = next((one for one in own if one.id == id), None)
    if found is None:
        raise IdentityNotFound(id=id)
    others = len(own) > 1 or users.load_password_hash(work.tx, user.id) or list_passkeys(work.tx, user.id)
    if not others:
        raise LastWayIn
    store.remove_identity(work, found)
    return found


def choose_roles(work: UnitOfWork, provider: SignInProvider, person: ProvedPerson) -> tuple[str, ...]:
    """Return the roles that a provider's claim gives: those of the profile's map, else the one for everybody."""
    mapped = dict.fromkeys(role for value, role in provider.roles.items() if value in person.role_values)
    return tuple(mapped) or (provider.default_role or work.site.profile.default_role,)


def _admit_person(work: UnitOfWork, provider: SignInProvider, person: ProvedPerson) -> User:
    """Return the account for an identity that is new here. Raises SignInRefused."""
    vouched = bool(person.email) and (person.is_email_verified or provider.trust_addresses)
    # Whether an account has an address is told only to those who own it.
    holder = store.find_account_by_email(work, person.email) if vouched else None
    if holder is not None:
        if not (person.is_email_verified and _may_join(provider, holder)):
            raise SignInRefused(Refusal.EMAIL_TAKEN, f"account {holder.id} has the address")
        _shut_out_others(work, holder)
        _add_identity(work, provider, person, holder)
        return holder
    if not provider.create_accounts:
        raise SignInRefused(Refusal.UNKNOWN, "no account is connected, and none is made")
    if not vouched:
        raise SignInRefused(Refusal.UNVERIFIED, "the provider does not say that the address is verified")
    domain = person.email.rpartition("@")[2].lower()
    if provider.mail_domains and domain not in {one.lower() for one in provider.mail_domains}:
        raise SignInRefused(Refusal.DOMAIN, f"no accounts are made for {domain}")
    user = users.create_user(
        work, _find_free_login(work, person), person.email, name=person.name, first_name=person.first_name,
        last_name=person.last_name, roles=choose_roles(work, provider, person),
    )  # fmt: skip
    _add_identity(work, provider, person, user, made_account=True)
    return user


def _may_join(provider: SignInProvider, holder: User) -> bool:
    """Return whether an identity may join an account because a provider vouches for the address of both."""
    if not provider.link_by_verified_email:
        return False
    return provider.link_privileged or not capabilities.may_change_site(holder)


def _shut_out_others(work: UnitOfWork, user: User) -> None:
    """End what opened an account whose address nobody had proved before: its maker may have been somebody else.

    Accounts with more rights were made by an administrator, and keep their passwords.
    """
    if capabilities.may_change_site(user):
        sessions.end_sessions(work, user.id)
    else:
        shut_out_former_holder(work, user)
        store.remove_password(work, user)


def _add_identity(
    work: UnitOfWork, provider: SignInProvider, person: ProvedPerson, user: User, *, made_account: bool = False
) -> None:
    new = Identity(
        id=generate_uuid(), provider=provider.name, issuer=provider.issuer, subject=person.subject, account=user.id,
        email=person.email, created=work.now, last_used=work.now, made_account=made_account,
    )  # fmt: skip
    store.add_identity(work, new)


def _apply_roles(work: UnitOfWork, provider: SignInProvider, person: ProvedPerson, user: User) -> User:
    """Give an account the roles that the provider's claim has now, and take those that it has no longer."""
    if not provider.role_claim:
        return user
    roles = choose_roles(work, provider, person)
    # A claim must not leave the site without anybody who runs it.
    if roles == user.roles or (ADMINISTRATOR not in roles and is_last_administrator(work.tx, user)):
        return user
    return users.update_user(work, user, roles=roles)


def _find_free_login(work: UnitOfWork, person: ProvedPerson) -> str:
    """Return a login for a new account, by the name that the provider has for it, or by its address."""
    local = person.email.partition("@")[0]
    login = next((one for one in (person.login, local) if "@" not in one and is_valid_login(one)), "user")
    login = login[: MAX_LOGIN_LENGTH - _NUMBER_LENGTH].strip()
    number, free = 1, login
    while users.find_user_by_login(work.tx, free) is not None:
        number += 1
        free = f"{login}{number}"
    return free
