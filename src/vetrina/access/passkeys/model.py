"""The values of passkeys, and their errors. Rules: docs/rules/passkeys.md."""

from __future__ import annotations

import msgspec

from vetrina.kernel.errors import ApiError, Failure


class PasskeysUnavailable(ApiError):
    """Browsers have no passkeys for the address of this site."""

    failure, code = Failure.CONFLICT, "rest_passkeys_unavailable"
    message = "Browsers know no passkeys for {address}. The site's `url` needs HTTPS and the name of a host."


class PasskeyRefused(ApiError):
    """What a browser sent of a passkey does not prove it."""

    failure, code = Failure.FORBIDDEN, "rest_passkey_refused"
    message = "The passkey was not accepted. Ask for new options and try again."


class PasskeyExists(ApiError):
    """An account has this passkey already."""

    failure, code = Failure.CONFLICT, "rest_passkey_exists"
    message = "This passkey is registered already."


class PasskeyNotFound(ApiError):
    """The account has no such passkey."""

    failure, code = Failure.NOT_FOUND, "rest_passkey_not_found"
    message = "You have no passkey {id!r}."


class TooManyPasskeys(ApiError):
    """The account has as many passkeys as it may have."""

    failure, code = Failure.CONFLICT, "rest_too_many_passkeys"
    message = "An account has {most} passkeys at most. Remove one first."


class Passkey(msgspec.Struct, frozen=True):
    """One passkey. The fields are the columns of its table; times are seconds since 1970.

    credential, public_key: base64url. sign_count: of its last use. transports: how the browser reaches it.
    """

    id: str
    account: int
    credential: str
    public_key: str
    sign_count: int
    name: str
    transports: tuple[str, ...]
    created: int
    last_used: int | None


class RelyingParty(msgspec.Struct, frozen=True):
    """The site as passkeys know it. id: its host. origin: the one that ceremonies must come from."""

    id: str
    origin: str
