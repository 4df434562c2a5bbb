"""What clients send and get when they sign in with tokens. Rules: docs/rules/tokens.md, 2 and 5."""

from __future__ import annotations

from typing import Final

from vetrina.access.tokens.scopes import SCOPES, Scope
from vetrina.rest.fields import Array, Boolean, Field, Integer, Object, String

MAX_NAME_LENGTH: Final = 100  # characters of a device's name
_MAX_TEXT_LENGTH: Final = 4096  # characters; no password or token is longer

JWK_MEMBERS: Final = ("kty", "crv", "x", "y", "kid", "use", "alg")
REFRESH_TOKEN: Final = String(
    "The refresh token, in the body; without it that of the cookie counts.", max_length=_MAX_TEXT_LENGTH, secret=True
)
SIGN_IN_ARGUMENTS: Final[dict[str, Field]] = {
    "login": String(
        "Login or e-mail address; without it the account of the browser's session gets an access token.",
        max_length=_MAX_TEXT_LENGTH,
    ),
    "password": String("The account's own password, in the body.", max_length=_MAX_TEXT_LENGTH, secret=True),
    "code": String(
        "One-time code or recovery code, where the account has a second factor.", default="",
        max_length=_MAX_TEXT_LENGTH, secret=True,
    ),
    "name": String(
        "What the device is called in the list of sessions.", default="", max_length=MAX_NAME_LENGTH
    ),
    "scopes": Array(
        "What the tokens are for; less than the account may do is safer.", String(enum=SCOPES), min_items=1,
        collapse=True, default=[Scope.WRITE.value],
    ),
    "cookie": Boolean(
        "Whether the refresh token is set as a cookie that no script can read, in place of being answered.",
        default=False,
    ),
}  # fmt: skip
TOKENS: Final = Object(
    "Tokens of a session.",
    properties={
        "access_token": String("Sent with each request: `Authorization: Bearer …`."),
        "token_type": String("Always `Bearer`.", enum=("Bearer",)),
        "expires_in": Integer("Seconds until the access token runs out."),
        "refresh_token": String("Exchanged for the next tokens, once; absent where a cookie has it or none is given."),
        "scope": String("What the tokens are for, separated by blanks."),
        "session": String("UUID of the session.", format="uuid"),
        "session_expires_gmt": String("When the session runs out without a refresh, in GMT.", format="date-time"),
    },
)
SIGNED_OUT: Final = Object("What signing out did.", properties={"deleted": Boolean("Whether a session was ended.")})
KEY_SET: Final = Object(
    "A JSON Web Key Set.",
    properties={
        "keys": Array(
            "The keys that verify access tokens, newest first.",
            Object("A public key as a JWK.", properties={name: String() for name in JWK_MEMBERS}),
        )
    },
)
