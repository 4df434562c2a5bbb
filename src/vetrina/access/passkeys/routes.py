"""Routes of the caller's passkeys: list, what a browser needs to make one, the new one, rename, remove."""

from __future__ import annotations

from typing import Any, Final

from vetrina.access.own_account.permissions import require_account
from vetrina.access.passkeys import rules
from vetrina.access.passkeys.model import (
    Passkey,
    PasskeyExists,
    PasskeyNotFound,
    PasskeyRefused,
    PasskeysUnavailable,
    TooManyPasskeys,
)
from vetrina.access.password_proofs.arguments import (
    PASSWORD,
    PROOF_ERRORS,
    prepare_password_proof,
    require_password,
)
from vetrina.access.second_factors.routes import RECOVERY_CODES
from vetrina.access.users.routes import AuthenticationRequired
from vetrina.core.call import Call
from vetrina.core.site_context import SiteContext
from vetrina.kernel.times import format_iso
from vetrina.rest.call import Result
from vetrina.rest.fields import Array, Boolean, Field, Integer, Object, String
from vetrina.rest.route import READ, REMOVE, WRITE, Route

PATH: Final = "/access/v1/passkeys"
_ITEM: Final = f"{PATH}/{{id:[\\w\\-]+}}"

_MEMBERS: Final[dict[str, Field]] = {
    "id": String("UUID of the passkey.", format="uuid"),
    "name": String("Name that its owner gave it."),
    "created_gmt": String("When it was made, in GMT.", format="date-time"),
    "last_used_gmt": String("When it was last used, in GMT; null for never.", format="date-time", nullable=True),
}
_PASSKEY: Final = Object("A passkey.", properties=_MEMBERS)
_NEW: Final = Object("A new passkey.", properties={**_MEMBERS, "recovery_codes": RECOVERY_CODES})
_DELETED: Final = Object(properties={"deleted": Boolean(), "previous": _PASSKEY})
_TYPE: Final = String("Always `public-key`.")
_OPTIONS: Final = Object(
    "The argument of `navigator.credentials.create`, as `publicKey` in JSON (Web Authentication, 5.4).",
    properties={
        "rp": Object("The site.", properties={"name": String(), "id": String("Its host.")}),
        "user": Object("The account.", properties={"id": String(), "name": String(), "displayName": String()}),
        "challenge": String("What the authenticator signs, in base64url."),
        "pubKeyCredParams": Array(
            "Kinds of keys that the site takes.", Object(properties={"type": _TYPE, "alg": Integer("Number of COSE.")})
        ),
        "timeout": Integer("Milliseconds that it counts."),
        "excludeCredentials": Array(
            "Passkeys that the account has.",
            Object(properties={"id": String(), "type": _TYPE, "transports": Array(items=String(), optional=True)}),
        ),
        "authenticatorSelection": Object(
            "What authenticators are asked for.",
            properties={
                "residentKey": String(),
                "requireResidentKey": Boolean(optional=True),
                "userVerification": String(),
            },
        ),
        "attestation": String(),
    },
)
_ID: Final[dict[str, Field]] = {"id": String("UUID of the passkey.", early=True, null="keep")}
_NAME: Final[dict[str, Field]] = {
    "name": String(
        "Name by which its owner tells it from others.", required=True, min_length=1, pattern=r".*\S.*",
        max_length=rules.MAX_NAME_LENGTH,
    )
}  # fmt: skip
_CREDENTIAL: Final[dict[str, Field]] = {
    "credential": Object(
        "What `navigator.credentials.create` gave, as its `toJSON()` writes it.", required=True,
    )
}  # fmt: skip


def _show(passkey: Passkey) -> dict[str, Any]:
    return {
        "id": passkey.id,
        "name": passkey.name,
        "created_gmt": format_iso(passkey.created),
        "last_used_gmt": None if passkey.last_used is None else format_iso(passkey.last_used),
    }


def _list_passkeys(call: Call) -> Result:
    """List the caller's passkeys, the oldest first."""
    return Result([_show(one) for one in rules.list_passkeys(call.work, call.work.user)])


def _build_options(call: Call) -> Result:
    """Return what a browser needs to make a passkey for the caller, good for ten minutes."""
    require_password(call)
    return Result(rules.begin_registration(call.work, call.work.user))


def _register_passkey(call: Call) -> Result:
    """Register a passkey that a browser made; answers recovery codes, where there were none before."""
    passkey, codes = rules.register_passkey(
        call.work, call.work.user, call.args["name"].strip(), call.args["credential"]
    )
    return Result({**_show(passkey), "recovery_codes": list(codes)}, 201)


def _rename_passkey(call: Call) -> Result:
    """Rename a passkey."""
    found = rules.get_passkey(call.work, call.work.user, call.args["id"])
    return Result(_show(rules.rename_passkey(call.work, found, call.args["name"].strip())))


def _remove_passkey(call: Call) -> Result:
    """Remove a passkey; nobody signs in with it any more."""
    require_password(call)
    found = rules.get_passkey(call.work, call.work.user, call.args["id"])
    rules.remove_passkey(call.work, call.work.user, found)
    return Result({"deleted": True, "previous": _show(found)})


def build_routes(site: SiteContext) -> tuple[Route, ...]:
    """Return the routes of passkeys."""
    return (
        Route(
            READ, PATH, _list_passkeys, {}, require_account, errors=(AuthenticationRequired,),
            answers=Array(items=_PASSKEY),
        ),
        Route(
            WRITE, PATH, _register_passkey, {**_NAME, **_CREDENTIAL}, require_account, status=201,
            errors=(AuthenticationRequired, PasskeyRefused, PasskeyExists, PasskeysUnavailable, TooManyPasskeys),
            answers=_NEW,
        ),
        Route(
            WRITE, f"{PATH}/options", _build_options, PASSWORD, require_account, prepare=prepare_password_proof,
            errors=(AuthenticationRequired, *PROOF_ERRORS, PasskeysUnavailable, TooManyPasskeys), answers=_OPTIONS,
        ),
        Route(
            ("PATCH",), _ITEM, _rename_passkey, {**_ID, **_NAME}, require_account,
            errors=(AuthenticationRequired, PasskeyNotFound), answers=_PASSKEY,
        ),
        Route(
            REMOVE, _ITEM, _remove_passkey, {**_ID, **PASSWORD}, require_account, prepare=prepare_password_proof,
            errors=(AuthenticationRequired, *PROOF_ERRORS, PasskeyNotFound), answers=_DELETED,
        ),
    )  # fmt: skip
