"""Requests that the service signs: who signed them, and that nobody changed, delayed or repeated them.

Every failure is one refusal for the client; what it was in truth is kept for the service, which may ask for it
(errors.py). A used pair of time and nonce stays used even if the signature was wrong.
Not here: what is signed (kernel/signing.py). Rules: facts of the connector, 5.
"""

from __future__ import annotations

import re
from typing import Any, Final
from urllib.parse import urlsplit

from sqlalchemy import bindparam, delete, insert, select

from vetrina.backends.database import Database, Statement, Tx
from vetrina.backends.tables_connector import connector_nonce as table
from vetrina.declare import query
from vetrina.declare.call import Request
from vetrina.domain.access import users
from vetrina.domain.access.user import NOBODY, User
from vetrina.domain.work import Frame, Work
from vetrina.kernel import signing
from vetrina.kernel.errors import ApiError
from vetrina.kernel.ids import same

from . import remote_errors, state

__all__ = ["AFTER", "BEFORE", "SITE", "InvalidRequest", "InvalidSignature", "sign_in"]

BEFORE: Final = 600  # seconds that a signature may be old
AFTER: Final = 300  # seconds that it may lie in the future
SITE: Final = "site"  # what `Request.signed` says of a request that the site's own token signs

_KEPT: Final = 3600  # seconds that a used nonce is remembered
_TIMESTAMP = re.compile(r"[0-9]{1,10}")
_NONCE = re.compile(r"[A-Za-z0-9]{1,12}")
# A key that no token has costs the same comparison as one that exists.
_NO_SECRET: Final = "no such secret"

_SEEN = Statement(
    select(table.c.at).where(table.c.timestamp == bindparam("timestamp"), table.c.nonce == bindparam("nonce"))
)
_SEE = Statement(insert(table).values(timestamp=bindparam("timestamp"), nonce=bindparam("nonce"), at=bindparam("at")))
_FORGET = Statement(delete(table).where(table.c.at < bindparam("before")))


class InvalidRequest(ApiError):
    """Only GET without a body and POST can be signed."""

    code = "rest_invalid_request"
    message = "A signed request is a POST, or a GET without a body."


class InvalidSignature(ApiError):
    """The signature does not prove that the service sent this request, now and for the first time."""

    code = "rest_invalid_signature"
    message = "The request is not signed as it should be. Sign it anew, with a new nonce and the present time."


class _Wrong(Exception):
    """What was wrong, for the notes."""

    def __init__(self, code: str, user: object = "invalid") -> None:
        super().__init__(code)
        self.code, self.user = code, str(user)


def sign_in(frame: Frame, database: Database, request: Request) -> User | None:
    """Return who signed a request: an account, or NOBODY with `request.signed` set for the site's own token.

    None when it is not signed for the connector. Raises InvalidRequest, InvalidSignature.
    """
    sent = query.parse(request.target.partition("?")[2])
    if sent.get("_for") != signing.MARK or ("token" not in sent and "signature" not in sent):
        return None
    if request.method not in ("GET", "POST") or (request.method == "GET" and request.body):
        raise InvalidRequest
    wrong: _Wrong | None = None
    with database.writing() as tx:
        work = Work(frame, tx, origin=request.origin)
        try:
            account = _proved(work, request, sent)
        except _Wrong as found:
            # Kept, not undone: the nonce is used up, and the service may ask what went wrong.
            wrong = found
            remote_errors.note(work, found.code, found.user, request, sent)
    if wrong is not None:
        raise InvalidSignature
    if account is None:
        request.signed = SITE
        return NOBODY
    return account


def _proved(work: Work, request: Request, sent: dict[str, Any]) -> User | None:
    """Return the account whose token signed, None for the site's own. Raises _Wrong."""
    token, account, secret = _token(work, sent)
    who: object = account.id if account is not None else 0
    timestamp, nonce, hash, given = (sent.get(name) for name in ("timestamp", "nonce", "body-hash", "signature"))
    if not (isinstance(timestamp, str) and isinstance(nonce, str) and isinstance(hash, str) and isinstance(given, str)):
        raise _Wrong("invalid_signature", who)
    if not same(hash, signing.body_hash(request.body)):
        raise _Wrong("invalid_body_hash", who)
    if _TIMESTAMP.fullmatch(timestamp) is None or _NONCE.fullmatch(nonce) is None:
        raise _Wrong("invalid_signature", who)
    made = int(timestamp) - int(state.get(work, "time_diff", 0))
    if not work.now - BEFORE <= made <= work.now + AFTER:
        raise _Wrong("invalid_signature", who)
    # A stranger's nonces are not kept: they would fill the table.
    if secret != _NO_SECRET and not _first_use(work.tx, int(timestamp), nonce, work.now):
        raise _Wrong("invalid_nonce", who)
    params = {name: value for name, value in sent.items() if name != "signature"}
    right = False
    for url in _addresses(work, request):
        text = signing.normalised(token, timestamp, nonce, hash, request.method, url, params)
        right |= same(signing.signature(secret, text), given)
    if not right:
        raise _Wrong("signature_mismatch" if secret != _NO_SECRET else "unknown_token", who)
    return account


def _token(work: Work, sent: dict[str, Any]) -> tuple[str, User | None, str]:
    """Return the token as it was named, the account that it belongs to, and its secret. Raises _Wrong."""
    named = sent.get("token")
    parts = named.split(":") if isinstance(named, str) else []
    if len(parts) != 3 or not parts[0] or parts[1] != "1":
        raise _Wrong("malformed_token")
    if re.fullmatch(r"[0-9]{1,10}", parts[2]) is None:
        raise _Wrong("malformed_user_id")
    number = int(parts[2])
    account: User | None = None
    if number:
        account = users.by_id(work.tx, number, users.has_shop(work.frame))
        if account is None:
            raise _Wrong("unknown_user", number)
    kept = state.user_token(work, number) if number else state.site_token(work)
    key, _, rest = kept.partition(".")
    secret = rest.partition(".")[0]
    known = same(key, parts[0]) and bool(secret)
    return str(named), account, secret if known else _NO_SECRET


def _first_use(tx: Tx, timestamp: int, nonce: str, now: int) -> bool:
    tx.run(_FORGET, before=now - _KEPT)
    if tx.first(_SEEN, timestamp=timestamp, nonce=nonce) is not None:
        return False
    tx.run(_SEE, timestamp=timestamp, nonce=nonce, at=now)
    return True


def _addresses(work: Work, request: Request) -> list[str]:
    """Return the addresses under which the service may have called: the one it wrote, and the site's own."""
    path = request.target.partition("?")[0]
    scheme = urlsplit(request.origin).scheme or "http"
    host = request.headers.get("host", "")
    if work.frame.settings.trust_proxy:
        host = request.headers.get("x-forwarded-host", host).split(",")[0].strip()
        port = request.headers.get("x-forwarded-port", "").strip()
        if port.isdecimal():
            host = f"{host.partition(':')[0]}:{port}"
    found = [request.origin + path]
    try:
        written = f"{scheme}://{host}{path}"
        if host and urlsplit(written).port != 0:
            found.append(written)
    except ValueError:
        pass
    return list(dict.fromkeys(found))
