"""Sessions: what somebody began by signing in, until it ends or runs out."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

import msgspec

from vetrina.core.user import User


class SessionKind(StrEnum):
    """How a session proves itself."""

    BROWSER = "browser"  # by a cookie, with a nonce where it writes
    TOKEN = "token"  # by tokens that a program keeps


class SessionClient(NamedTuple):
    """Who begins or uses a session. address: the IP address; agent: how the client names itself."""

    address: str
    agent: str


class Session(msgspec.Struct, frozen=True):
    """A session. created, last_used, until: seconds since 1970. scopes: what it may be used for, none for everything.

    last_used and address are of its latest use, and may be a few minutes old.
    """

    id: str
    account: int
    kind: SessionKind
    name: str
    created: int
    last_used: int
    until: int
    address: str
    agent: str
    scopes: tuple[str, ...] = ()


class StartedSession(NamedTuple):
    """A new session. key: what its cookie holds, which is not stored."""

    session: Session
    key: str


class BrowserSession(msgspec.Struct, frozen=True):
    """An active session of a browser. key: its secret, which nonces belong to; id: of the session."""

    user: User
    key: str
    id: str = ""
