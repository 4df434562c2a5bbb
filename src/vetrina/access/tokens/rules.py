"""Signing in with tokens, going on with a refresh token, signing out.

A session of tokens is a family: each refresh token is exchanged for the next one, once. One that comes a second time
was copied, so its session ends; only within a few seconds it is taken for a second tab, which gets nothing but is not
punished. Rules: docs/rules/tokens.md, 4 and 5; RFC 9700, 4.14 (rotation).
"""

from __future__ import annotations

from typing import Final

from vetrina.access.sessions import rules as sessions
from vetrina.access.sessions.model import Session, SessionClient, SessionKind
from vetrina.access.sign_in import guess_limiter
from vetrina.access.sign_in.guess_limiter import SecretKind
from vetrina.access.tokens import store
from vetrina.access.tokens.access_tokens import create_access_token
from vetrina.access.tokens.model import (
    InvalidRefreshToken,
    IssuedTokens,
    RefreshToken,
    RefreshTokenJustUsed,
)
from vetrina.access.users.rules import find_user
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.core.user import User
from vetrina.kernel.keys import compute_digest, generate_key

_KEY_BYTES: Final = 32
_MARK_LENGTH: Final = 24  # characters of the mark by which the site knows a refresh token as one of its own
_MAX_LENGTH: Final = 200  # characters of a refresh token; ours are shorter
_DAY: Final = 86_400  # seconds


def start_tokens(
    work: UnitOfWork, user: User, client: SessionClient, *, name: str, scopes: tuple[str, ...]
) -> IssuedTokens:
    """Start a session of tokens for an account whose owner has been proved.

    name: of the device, as its owner calls it. scopes: at least one.
    """
    seconds = work.site.profile.accounts.refresh_token_days * _DAY
    session, _ = sessions.start_session(
        work, user, SessionKind.TOKEN, client, seconds=seconds, name=name, scopes=scopes
    )  # fmt: skip
    return _issue_tokens(work, session)


def create_page_token(work: UnitOfWork, user: User, session: str, scopes: tuple[str, ...]) -> IssuedTokens:
    """Return an access token that belongs to the session of a browser and ends with it; nothing refreshes it."""
    text, seconds = create_access_token(work, user.id, session, scopes)
    return IssuedTokens(text, seconds, "", session, scopes, work.now + seconds)


def refresh_tokens(work: UnitOfWork, given: str, client: SessionClient) -> IssuedTokens | None:
    """Exchange a refresh token for the next one; None if it was used before, which ended its session.

    Raises InvalidRefreshToken, RefreshTokenJustUsed, TooManyGuesses.
    """
    token, session = find_refresh_session(work, given)
    accounts = work.site.profile.accounts
    if token.used is not None:
        if work.now - token.used < accounts.refresh_grace_seconds:
            raise RefreshTokenJustUsed
        sessions.end_session(work, session)
        return None
    store.update_used(work.tx, token.digest, work.now)
    until = work.now + accounts.refresh_token_days * _DAY
    return _issue_tokens(work, sessions.extend_session(work, session, until, client))


def find_refresh_session(work: UnitOfWork, given: str) -> tuple[RefreshToken, Session]:
    """Return a refresh token, used or not, and its session. Raises InvalidRefreshToken, TooManyGuesses.

    A text without the site's mark is a guess and counts as one. Others are what the site once gave: programs go on
    sending those of sessions that ended, and nobody beside them may have to wait for it.
    """
    key, _, mark = given[:_MAX_LENGTH].rpartition(".")
    if not guess_limiter.matches_secret(work, SecretKind.REFRESH_TOKEN, None, mark, _compute_mark(work, key)):
        raise InvalidRefreshToken
    token = store.find_refresh_token(work.tx, _compute_token_digest(work, given))
    session = sessions.find_session(work.tx, token.session, work.now) if token is not None else None
    if token is None or session is None or find_user(work.tx, session.account) is None:
        raise InvalidRefreshToken
    return token, session


def delete_old_refresh_tokens(work: UnitOfWork) -> None:
    """Delete the refresh tokens that were used so long ago that they would have run out."""
    store.delete_used_before(work.tx, work.now - work.site.profile.accounts.refresh_token_days * _DAY)


def _issue_tokens(work: UnitOfWork, session: Session) -> IssuedTokens:
    key = generate_key(_KEY_BYTES)
    refresh = f"{key}.{_compute_mark(work, key)}"
    store.insert_refresh_token(work.tx, RefreshToken(_compute_token_digest(work, refresh), session.id, work.now))
    access, seconds = create_access_token(work, session.account, session.id, session.scopes)
    return IssuedTokens(access, seconds, refresh, session.id, session.scopes, session.until)


def _compute_mark(work: UnitOfWork, key: str) -> str:
    return compute_digest(work.site.settings.secret, f"refresh token mark\n{key}")[:_MARK_LENGTH]


def _compute_token_digest(work: UnitOfWork, text: str) -> str:
    return compute_digest(work.site.settings.secret, f"refresh token\n{text}")
