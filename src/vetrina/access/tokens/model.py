"""Tokens and the keys that sign them, as values; and what is wrong with one."""

from __future__ import annotations

import msgspec

from vetrina.kernel.errors import ApiError, Failure


class InvalidAccessToken(ApiError):
    """An access token of this site that proves nothing: changed, signed by no key of the site, or made for another."""

    failure, code = Failure.UNAUTHENTICATED, "rest_token_invalid"
    message = "The access token is not valid. Sign in again, or send none."

    def __init__(self) -> None:
        super().__init__()
        self.headers["WWW-Authenticate"] = 'Bearer error="invalid_token"'


class AccessTokenExpired(InvalidAccessToken):
    code = "rest_token_expired"
    message = "The access token has run out. Get a new one with the refresh token: POST /access/v1/tokens/refresh."


class TokenSessionEnded(InvalidAccessToken):
    """The session of an access token was signed out, or its account is gone."""

    code = "rest_token_session_ended"
    message = "The session of this access token has ended. Sign in again."


class InvalidRefreshToken(ApiError):
    """A refresh token that the site never gave, or whose session has ended."""

    failure, code = Failure.UNAUTHENTICATED, "rest_refresh_token_invalid"
    message = "The refresh token is not valid, or its session has ended. Sign in again."


class RefreshTokenReused(ApiError):
    """A refresh token came a second time: somebody else has a copy, so its session was ended."""

    failure, code = Failure.UNAUTHENTICATED, "rest_refresh_token_reused"
    message = "The refresh token was used before, so its session was ended: somebody may have a copy. Sign in again."


class RefreshTokenJustUsed(ApiError):
    """A refresh token came twice within a few seconds, as from two tabs of one browser; its session goes on."""

    failure, code = Failure.CONFLICT, "rest_refresh_token_just_used"
    message = "The refresh token was used a moment ago. Use the tokens that were answered then."


class SigningKey(msgspec.Struct, frozen=True):
    """A key that signs access tokens.

    kid: its name. sealed: the private key, encrypted under the site's secret. public: the public one, a JWK as JSON.
    created, retired: seconds since 1970; None while it signs.
    """

    kid: str
    sealed: str
    public: str
    created: int
    retired: int | None = None


class RefreshToken(msgspec.Struct, frozen=True):
    """A refresh token as it is stored. created, used: seconds since 1970; None until it is used."""

    digest: str
    session: str
    created: int
    used: int | None = None


class AccessClaims(msgspec.Struct, frozen=True):
    """What counts of an access token (RFC 9068). iat, exp: seconds since 1970. scope: names, separated by blanks."""

    sub: str
    sid: str
    scope: str
    iat: int
    exp: int


class IssuedTokens(msgspec.Struct, frozen=True):
    """What somebody gets who signed in. access_seconds: until the access token runs out.

    refresh: empty where none is given. until: when the session runs out, seconds since 1970.
    """

    access: str
    access_seconds: int
    refresh: str
    session: str
    scopes: tuple[str, ...]
    until: int
