"""The two ceremonies of a passkey: what the browser is asked for, and the look at what it sends.

Both are W3C's Web Authentication, by the library `webauthn`, imported on first use because few requests need it. Not
here: for which sites there are passkeys, and what follows from them (access/passkeys/rules.py).
Rules: docs/rules/passkeys.md, 2, 3 and 4.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from hashlib import sha256
from typing import TYPE_CHECKING, Any, Final

import msgspec
import orjson

from vetrina.access.passkeys.challenges import CHALLENGE_SECONDS
from vetrina.access.passkeys.model import Passkey, PasskeyRefused, RelyingParty
from vetrina.core.site_context import SiteContext
from vetrina.core.user import User
from vetrina.kernel.keys import compute_digest

if TYPE_CHECKING:
    from webauthn.registration.verify_registration_response import VerifiedRegistration


_MAX_TRANSPORTS: Final = 10
_MAX_CREDENTIAL_BYTES: Final = 1023  # the most that the standard allows


class RegisteredKey(msgspec.Struct, frozen=True):
    """What a registration tells of a new passkey. credential, public_key: base64url."""

    credential: str
    public_key: str
    sign_count: int
    transports: tuple[str, ...]


def build_registration_options(
    site: SiteContext, party: RelyingParty, user: User, title: str, challenge: bytes, known: Iterable[Passkey]
) -> dict[str, Any]:
    """Return what `navigator.credentials.create` is given, as JSON. known: the account's passkeys so far."""
    import webauthn
    from webauthn.helpers.structs import (
        AuthenticatorSelectionCriteria,
        ResidentKeyRequirement,
        UserVerificationRequirement,
    )

    options = webauthn.generate_registration_options(
        rp_id=party.id,
        rp_name=title or party.id,
        user_id=compute_user_handle(site, user.id),
        user_name=user.login,
        user_display_name=user.name,
        challenge=challenge,
        timeout=CHALLENGE_SECONDS * 1000,
        authenticator_selection=AuthenticatorSelectionCriteria(
            resident_key=ResidentKeyRequirement.REQUIRED, user_verification=UserVerificationRequirement.REQUIRED
        ),
        exclude_credentials=_describe_credentials(known),
    )
    return _to_json(webauthn.options_to_json(options))


def build_sign_in_options(party: RelyingParty, challenge: bytes, known: Iterable[Passkey] = ()) -> dict[str, Any]:
    """Return what `navigator.credentials.get` is given, as JSON. known: those that will do; none for any."""
    import webauthn
    from webauthn.helpers.structs import UserVerificationRequirement

    options = webauthn.generate_authentication_options(
        rp_id=party.id,
        challenge=challenge,
        timeout=CHALLENGE_SECONDS * 1000,
        allow_credentials=_describe_credentials(known),
        user_verification=UserVerificationRequirement.REQUIRED,
    )
    return _to_json(webauthn.options_to_json(options))


def read_given_challenge(credential: Mapping[str, Any]) -> bytes:
    """Return the challenge that a browser says it had signed. Raises PasskeyRefused."""
    from webauthn.helpers import base64url_to_bytes, parse_client_data_json

    try:
        return parse_client_data_json(base64url_to_bytes(credential["response"]["clientDataJSON"])).challenge
    except Exception as error:
        # Whatever a stranger wrote there, it is no challenge.
        raise PasskeyRefused from error


def verify_registration(party: RelyingParty, credential: Mapping[str, Any], challenge: bytes) -> RegisteredKey:
    """Return the passkey that a browser made for this challenge. Raises PasskeyRefused."""
    import webauthn
    from webauthn.helpers import bytes_to_base64url

    try:
        found: VerifiedRegistration = webauthn.verify_registration_response(
            credential=dict(credential),
            expected_challenge=challenge,
            expected_rp_id=party.id,
            expected_origin=party.origin,
            require_user_verification=True,
        )
    except Exception as error:
        # The library reads what a stranger wrote, in four formats, and fails in as many ways.
        raise PasskeyRefused from error
    if not 0 < len(found.credential_id) <= _MAX_CREDENTIAL_BYTES:
        raise PasskeyRefused
    transports = credential["response"].get("transports")
    named = [one for one in transports if isinstance(one, str)] if isinstance(transports, list) else []
    return RegisteredKey(
        bytes_to_base64url(found.credential_id), bytes_to_base64url(found.credential_public_key), found.sign_count,
        tuple(one for one in named[:_MAX_TRANSPORTS] if one in _list_transports()),
    )  # fmt: skip


def verify_assertion(party: RelyingParty, credential: Mapping[str, Any], challenge: bytes, passkey: Passkey) -> int:
    """Return the counter of a passkey that signed this challenge. Raises PasskeyRefused."""
    import webauthn
    from webauthn.helpers import base64url_to_bytes

    try:
        return webauthn.verify_authentication_response(
            credential=dict(credential),
            expected_challenge=challenge,
            expected_rp_id=party.id,
            expected_origin=party.origin,
            credential_public_key=base64url_to_bytes(passkey.public_key),
            credential_current_sign_count=passkey.sign_count,
            require_user_verification=True,
        ).new_sign_count
    except Exception as error:
        # As above.
        raise PasskeyRefused from error


def compute_user_handle(site: SiteContext, account: int) -> bytes:
    """Return by what authenticators know an account: nothing that names it to anybody else."""
    return sha256(compute_digest(site.settings.secret, f"passkey account\n{account}").encode()).digest()


def _describe_credentials(known: Iterable[Passkey]) -> list[Any]:
    from webauthn.helpers import base64url_to_bytes
    from webauthn.helpers.structs import AuthenticatorTransport, PublicKeyCredentialDescriptor

    return [
        PublicKeyCredentialDescriptor(
            id=base64url_to_bytes(one.credential),
            transports=[AuthenticatorTransport(name) for name in one.transports] or None,
        )
        for one in known
    ]


def _list_transports() -> frozenset[str]:
    from webauthn.helpers.structs import AuthenticatorTransport

    return frozenset(one.value for one in AuthenticatorTransport)


def _to_json(text: str) -> dict[str, Any]:
    found: dict[str, Any] = orjson.loads(text)
    return found
