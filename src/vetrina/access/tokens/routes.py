"""Routes of tokens: sign in, refresh, sign out, and the public keys.

Signing out everywhere: access/sessions/routes.py. Rules: docs/rules/tokens.md, 1, 2, 4 and 5.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AbstractContextManager
from typing import Any, Final

from vetrina.access.password_proofs import rules as password_proofs
from vetrina.access.second_factors import rules as second_factors
from vetrina.access.second_factors.model import (
    IncorrectCode,
    PasskeyRequired,
    SecondFactorRequired,
    SecondFactorSetupRequired,
)
from vetrina.access.sessions import rules as sessions
from vetrina.access.sign_in.request_sign_in import describe_client
from vetrina.access.tokens import refresh_cookies, rules, schema, signing_keys
from vetrina.access.tokens.model import InvalidRefreshToken, IssuedTokens, RefreshTokenJustUsed, RefreshTokenReused
from vetrina.access.tokens.permissions import NotFromOwnPage, require_own_page
from vetrina.core.call import Call
from vetrina.core.site_context import SiteContext
from vetrina.core.user import User
from vetrina.kernel.errors import ApiError, Failure, MissingParam
from vetrina.kernel.times import format_iso
from vetrina.rest.call import Result, defer
from vetrina.rest.error_statuses import build_error_result
from vetrina.rest.route import READ, REMOVE, WRITE, Route

PATH: Final = "/access/v1/tokens"
KEYS_PATH: Final = "/access/v1/keys"
_NO_STORE: Final = {"Cache-Control": "no-store"}


class NoSessionToEnd(ApiError):
    """The caller is signed in by something that has no session."""

    code = "rest_no_session"
    message = "The request belongs to no session. Send the access token of the session, or its refresh token."


class WrongCredentials(ApiError):
    """The login is unknown, or the password is another one; unsaid which."""

    failure, code = Failure.UNAUTHENTICATED, "rest_wrong_credentials"
    message = "The login or the password is wrong. Check both, or choose a new password if it is lost."


class SignInNeeded(ApiError):
    """Neither a password nor a browser's session."""

    failure, code = Failure.UNAUTHENTICATED, "rest_sign_in_needed"
    message = "Send login and password, or the cookie of a browser's session with its nonce."


# -- signing in


def _prove_password(call: Call) -> AbstractContextManager[Any] | None:
    """Return the comparison of the password, which takes long on purpose and is made before the transaction."""
    login, password = call.args.get("login"), call.args.get("password")
    if not login and not password:
        return None
    if missing := [name for name in ("login", "password") if not call.args.get(name)]:
        raise MissingParam(missing)
    claim = password_proofs.read_sign_in_claim(call.work, str(login), str(password))
    return defer(password_proofs.compare_password, claim)


def _create_tokens(call: Call) -> Result:
    """Sign in: start a session of tokens, or give the page of a browser's session an access token."""
    work, args, proof = call.work, call.args, call.prepared
    if args["cookie"]:
        require_own_page(call.request)
    scopes = tuple(args["scopes"])
    if proof is None:
        return _build_result(call, rules.create_page_token(work, *_require_browser_session(call), scopes))
    if not password_proofs.is_proved(work, proof):
        raise WrongCredentials
    user: User = proof.claim.user
    second_factors.require_second_factor(work, user, args["code"])
    client = describe_client(call.request)
    return _build_result(call, rules.start_tokens(work, user, client, name=args["name"], scopes=scopes))


def _require_browser_session(call: Call) -> tuple[User, str]:
    """Return the caller and the session of the browser. Raises SignInNeeded."""
    user = call.work.user
    # A token gives no further token, and a key no session: either would outlive what it was made from.
    if not user.session or user.scopes:
        raise SignInNeeded
    return user, user.session


# -- going on, and signing out


def _refresh_tokens(call: Call) -> Result:
    """Exchange a refresh token for the next one and a new access token."""
    given, by_cookie = _get_refresh_token(call)
    if not given:
        raise MissingParam(["refresh_token"])
    issued = rules.refresh_tokens(call.work, given, describe_client(call.request))
    if issued is None:
        # It is told in an answer and not raised: the end of the session must be committed.
        return build_error_result(RefreshTokenReused())
    return _build_result(call, issued, cookie=by_cookie)


def _revoke_tokens(call: Call) -> Result:
    """Sign out here: end the session of a refresh token; one that is not valid any longer is no error."""
    given, _ = _get_refresh_token(call)
    if not given:
        raise MissingParam(["refresh_token"])
    try:
        _, session = rules.find_refresh_session(call.work, given)
    except InvalidRefreshToken:
        return _build_signed_out(call, False)
    sessions.end_session(call.work, session)
    return _build_signed_out(call, True)


def _end_own_session(call: Call) -> Result:
    """Sign out here: end the session that this request belongs to."""
    work = call.work
    found = sessions.find_session(work.tx, work.user.session, work.now) if work.user.session else None
    if found is None:
        raise NoSessionToEnd
    sessions.end_session(work, found)
    return _build_signed_out(call, True)


def _list_keys(call: Call) -> Result:
    """List the public keys that verify access tokens, as a JSON Web Key Set."""
    call.work.uses(signing_keys.KEY_KIND)
    keys = signing_keys.list_public_keys(call.work.tx)
    return Result({"keys": keys}, headers={"Cache-Control": signing_keys.KEYS_CACHE_CONTROL})


# -- requests and answers


def _get_refresh_token(call: Call) -> tuple[str, bool]:
    """Return the refresh token of a request, and whether a cookie has it. Raises NotFromOwnPage."""
    if given := call.args.get("refresh_token"):
        return str(given), False
    kept = call.request.cookie(refresh_cookies.get_refresh_cookie_name(call.request.origin))
    if kept:
        require_own_page(call.request)
    return kept, True


def _build_result(call: Call, issued: IssuedTokens, cookie: bool = False) -> Result:
    body: dict[str, Any] = {
        "access_token": issued.access,
        "token_type": "Bearer",
        "expires_in": issued.access_seconds,
        "scope": " ".join(issued.scopes),
        "session": issued.session,
        "session_expires_gmt": format_iso(issued.until),
    }
    headers: dict[str, Any] = dict(_NO_STORE)
    if issued.refresh and (cookie or call.args.get("cookie")):
        seconds = issued.until - call.work.now
        headers["Set-Cookie"] = refresh_cookies.format_refresh_cookie(call.request.origin, issued.refresh, seconds)
    elif issued.refresh:
        body["refresh_token"] = issued.refresh
    return Result(body, headers=headers)


def _build_signed_out(call: Call, deleted: bool) -> Result:
    headers: dict[str, Any] = dict(_NO_STORE)
    if call.request.cookie(refresh_cookies.get_refresh_cookie_name(call.request.origin)):
        headers["Set-Cookie"] = refresh_cookies.format_refresh_cookie(call.request.origin, "", 0)
    return Result({"deleted": deleted}, headers=headers)


def build_routes(site: SiteContext) -> tuple[Route, ...]:
    """Return the routes of tokens."""
    token: Mapping[str, Any] = {"refresh_token": schema.REFRESH_TOKEN}
    by_cookie = (NotFromOwnPage,)
    return (
        Route(
            WRITE, PATH, _create_tokens, schema.SIGN_IN_ARGUMENTS, prepare=_prove_password, answers=schema.TOKENS,
            status=200,
            errors=(
                WrongCredentials, SignInNeeded, SecondFactorRequired, PasskeyRequired, IncorrectCode,
                SecondFactorSetupRequired, *by_cookie,
            ),
        ),
        Route(REMOVE, PATH, _end_own_session, answers=schema.SIGNED_OUT, errors=(NoSessionToEnd,)),
        Route(
            WRITE, f"{PATH}/refresh", _refresh_tokens, token, answers=schema.TOKENS, status=200,
            errors=(InvalidRefreshToken, RefreshTokenReused, RefreshTokenJustUsed, *by_cookie),
        ),
        Route(
            WRITE, f"{PATH}/revoke", _revoke_tokens, token, answers=schema.SIGNED_OUT, status=200, errors=by_cookie,
        ),
        Route(READ, KEYS_PATH, _list_keys, answers=schema.KEY_SET),
    )  # fmt: skip
