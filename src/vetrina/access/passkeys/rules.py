"""Passkeys of an account: registering one, signing in with one, renaming and removing.

A passkey proves two things at once: the device that has it, and the person that the device asked for a finger, a face
or a PIN. So it is a sign-in of its own. The site's own address says who the site is, never the header `Host`. Not here:
what a browser is asked for and sends (access/passkeys/ceremonies.py). Rules: docs/rules/passkeys.md, 1 to 5.
"""

from __future__ import annotations

from collections.abc import Mapping
from ipaddress import ip_address
from typing import Any, Final
from urllib.parse import urlsplit

import msgspec

from vetrina.access.passkeys import ceremonies, store
from vetrina.access.passkeys.challenges import compute_challenge_digest, create_challenge, read_challenge
from vetrina.access.passkeys.model import (
    Passkey,
    PasskeyExists,
    PasskeyNotFound,
    PasskeyRefused,
    PasskeysUnavailable,
    RelyingParty,
    TooManyPasskeys,
)
from vetrina.access.second_factors import rules as second_factors
from vetrina.access.users import rules as users
from vetrina.core.site_context import SiteContext
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.core.user import User
from vetrina.kernel.keys import generate_uuid

PASSKEY_KIND: Final = "passkey"  # in the change log
MAX_NAME_LENGTH: Final = 100  # characters
_MAX_PASSKEYS: Final = 50  # of an account


def find_relying_party(site: SiteContext) -> RelyingParty | None:
    """Return the site as passkeys know it, None where browsers have none: without HTTPS, or at a bare IP address."""
    parts = urlsplit(site.origin)
    host = parts.hostname or ""
    is_local = host == "localhost" or host.endswith(".localhost")
    if not host or _is_ip_address(host) or not (parts.scheme == "https" or is_local):
        return None
    default = 443 if parts.scheme == "https" else 80
    port = "" if parts.port in (None, default) else f":{parts.port}"
    return RelyingParty(host, f"{parts.scheme}://{host}{port}")


def get_relying_party(site: SiteContext) -> RelyingParty:
    """Return the site as passkeys know it. Raises PasskeysUnavailable."""
    found = find_relying_party(site)
    if found is None:
        raise PasskeysUnavailable(address=site.origin)
    return found


def list_passkeys(work: UnitOfWork, user: User) -> list[Passkey]:
    """Return the passkeys of an account, the oldest first."""
    work.forbid_storing()
    return store.list_passkeys(work.tx, user.id)


def get_passkey(work: UnitOfWork, user: User, id: str) -> Passkey:
    """Return a passkey of an account. Raises PasskeyNotFound."""
    found = store.find_passkey(work.tx, user.id, id)
    if found is None:
        raise PasskeyNotFound(id=id)
    return found


def begin_registration(work: UnitOfWork, user: User) -> dict[str, Any]:
    """Return what a browser needs to make a passkey. Raises PasskeysUnavailable, TooManyPasskeys."""
    known = store.list_passkeys(work.tx, user.id)
    if len(known) >= _MAX_PASSKEYS:
        raise TooManyPasskeys(most=_MAX_PASSKEYS)
    work.forbid_storing()
    party = get_relying_party(work.site)
    challenge = create_challenge(work.site, _bind_registration(user))
    return ceremonies.build_registration_options(
        work.site, party, user, str(work.raw_option("title")), challenge, known
    )


def register_passkey(
    work: UnitOfWork, user: User, name: str, credential: Mapping[str, Any]
) -> tuple[Passkey, tuple[str, ...]]:
    """Store a new passkey, and return it with the recovery codes, which are empty where the account has some.

    credential: what the browser made. Raises PasskeyRefused, PasskeyExists, PasskeysUnavailable, TooManyPasskeys.
    """
    challenge = _accept_challenge(work, _bind_registration(user), credential)
    found = ceremonies.verify_registration(get_relying_party(work.site), credential, challenge)
    if len(store.list_passkeys(work.tx, user.id)) >= _MAX_PASSKEYS:
        raise TooManyPasskeys(most=_MAX_PASSKEYS)
    if store.find_by_credential(work.tx, found.credential) is not None:
        raise PasskeyExists
    new = Passkey(
        generate_uuid(), user.id, found.credential, found.public_key, found.sign_count, name, found.transports,
        work.now, None,
    )  # fmt: skip
    store.STORE.insert(work.tx, new)
    _note_passkey(work, user, new, "created")
    return new, second_factors.add_recovery_codes(work, user)


def rename_passkey(work: UnitOfWork, passkey: Passkey, name: str) -> Passkey:
    """Rename a passkey."""
    new = msgspec.structs.replace(passkey, name=name)
    if store.STORE.update(work.tx, passkey, new):
        _note_passkey(work, work.user, new, "changed")
    return new


def remove_passkey(work: UnitOfWork, user: User, passkey: Passkey) -> None:
    """Remove a passkey; with the last factor of its account the recovery codes go, too."""
    store.STORE.delete(work.tx, passkey.id)
    _note_passkey(work, user, passkey, "removed")
    second_factors.remove_useless_recovery_codes(work, user)


def begin_sign_in(work: UnitOfWork, browser: str, user: User | None = None) -> dict[str, Any]:
    """Return what a browser needs to sign in with a passkey. Raises PasskeysUnavailable.

    browser: a secret that only this browser has. user: whose passkeys will do, None for anybody's.
    """
    known = store.list_passkeys(work.tx, user.id) if user is not None else ()
    party = get_relying_party(work.site)
    return ceremonies.build_sign_in_options(party, create_challenge(work.site, _bind_sign_in(browser)), known)


def authenticate_by_passkey(work: UnitOfWork, browser: str, credential: Mapping[str, Any]) -> User:
    """Return the account of a passkey that signed a challenge of this browser. Raises PasskeyRefused.

    The unit of work must write: challenge and counter are used up.
    """
    challenge = _accept_challenge(work, _bind_sign_in(browser), credential)
    given = credential.get("id")
    passkey = store.find_by_credential(work.tx, given) if isinstance(given, str) else None
    if passkey is None:
        raise PasskeyRefused
    count = ceremonies.verify_assertion(get_relying_party(work.site), credential, challenge, passkey)
    if not store.save_use(work.tx, passkey, count, work.now):
        raise PasskeyRefused
    found = users.find_user(work.tx, passkey.account, work.site.roles)
    if found is None:
        raise PasskeyRefused
    return found


def _note_passkey(work: UnitOfWork, user: User, passkey: Passkey, action: str) -> None:
    """Log a change of a passkey. user: its owner. action: created, changed or removed."""
    work.note(PASSKEY_KIND, passkey.id, action)
    work.describe(PASSKEY_KIND, passkey.id, passkey.name, by=user)


def _accept_challenge(work: UnitOfWork, binding: str, credential: Mapping[str, Any]) -> bytes:
    """Return the challenge of a browser's answer, and use it up. Raises PasskeyRefused."""
    challenge = ceremonies.read_given_challenge(credential)
    until = read_challenge(work.site, binding, challenge)
    if until is None:
        raise PasskeyRefused
    if not store.spend_challenge(work.tx, compute_challenge_digest(work.site, challenge), until, work.now):
        raise PasskeyRefused
    return challenge


def _bind_registration(user: User) -> str:
    return f"register\n{user.id}"


def _bind_sign_in(browser: str) -> str:
    return f"sign in\n{browser}"


def _is_ip_address(host: str) -> bool:
    try:
        ip_address(host)
    except ValueError:
        return False
    return True
