"""Signing in: what of a request names its caller, or a session of a browser.

Only here and in the sign-in of other modules are requests themselves read; the rules get what is in them
(access/sign_in/credentials.py, access/sessions/rules.py). Rules: docs/rules/authentication.md, 1 and 2.
"""

from __future__ import annotations

from vetrina.access.second_factors import rules as second_factors
from vetrina.access.sessions import browser_sessions, cookies as session_cookies
from vetrina.access.sessions.model import BrowserSession, SessionClient
from vetrina.access.sign_in import credentials as sign_in_credentials
from vetrina.access.sign_in.guess_limiter import GuessCounter
from vetrina.access.tokens import token_sign_in
from vetrina.backends.database import Database
from vetrina.core.change_source import ChangeSource, SourceKind, shorten_agent
from vetrina.core.site_context import SiteContext
from vetrina.core.user import NOBODY, User
from vetrina.rest.call import Request


def authenticate_request(site: SiteContext, database: Database, request: Request) -> User:
    """Return the account of the request's credentials, NOBODY without credentials.

    A session counts only together with its nonce. Of bearer tokens those count that this site gave; others name nobody.
    Both reach only the set-up where the account lacks a required second factor (docs/rules/second_factors.md, 6).

    Raises UnknownLogin, IncorrectPassword, TooManyGuesses, InvalidSessionNonce, InvalidAccessToken,
    SecondFactorSetupRequired.
    """
    scheme, _, credentials = request.headers.get("authorization", "").strip().partition(" ")
    guesses = get_request_guesses(site, request)
    if scheme.lower() == "basic":
        turn = database.open_turn if request.shares_turn else None
        caller, request.is_known_in_turn = sign_in_credentials.authenticate_by_app_password(
            site, database, guesses, credentials, request.remote, turn
        )
        return caller
    if scheme.lower() == "bearer":
        user = token_sign_in.authenticate_by_token(site, database, credentials.strip(), request.remote)
        if user is not None:
            return second_factors.require_set_up_factor(site, database, request.path, user)
    nonce = request.headers.get("x-cms-nonce", request.query.get("_cmsnonce"))
    if nonce is None:
        return NOBODY
    user = sign_in_credentials.authenticate_by_session(
        site, database, guesses, _get_session_cookie(request), nonce, describe_client(request)
    )
    return second_factors.require_set_up_factor(site, database, request.path, user)


def find_request_session(site: SiteContext, database: Database, request: Request) -> BrowserSession | None:
    """Return the session proved by a request's cookie, None for none. Raises TooManyGuesses."""
    guesses, client = get_request_guesses(site, request), describe_client(request)
    return browser_sessions.find_browser_session(site, database, _get_session_cookie(request), guesses, client)


def describe_client(request: Request) -> SessionClient:
    """Return who sends a request, as its session remembers it."""
    return SessionClient(request.remote, request.headers.get("user-agent", ""))


def describe_source(request: Request, caller: User) -> ChangeSource:
    """Return where what a request changes comes from."""
    if request.signed:
        kind, credential = SourceKind.SERVICE, ""
    elif request.key:
        kind, credential = SourceKind.CONSUMER_KEY, request.key.rpartition(" ")[2]
    elif caller.app_password:
        kind, credential = SourceKind.APP_PASSWORD, caller.app_password
    elif caller.scopes:
        kind, credential = SourceKind.TOKEN, caller.session
    else:
        kind, credential = SourceKind.SESSION if caller else SourceKind.NOBODY, caller.session
    return ChangeSource(kind, credential, request.remote, shorten_agent(request.headers.get("user-agent", "")))


def get_request_guesses(site: SiteContext, request: Request) -> GuessCounter:
    """Return the guesses of a request so far."""
    found: GuessCounter | None = request.guesses
    if found is None:
        found = request.guesses = GuessCounter(site, *describe_client(request))
    return found


def _get_session_cookie(request: Request) -> str:
    return request.cookie(session_cookies.format_cookie_name(request.origin, session_cookies.SESSION_COOKIE))
