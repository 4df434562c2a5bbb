"""Requests that the service signs: who signed them, and that nobody changed, delayed or repeated them.

Every failure is one refusal for the client; what it was in truth is kept for the service, which may ask for it
(connector/connection/remote_errors.py). A used pair of time and nonce stays used even if the signature was wrong.
Whoever names no key of the site writes nothing, and costs what a wrong signature costs. Not here: what is signed
(kernel/signing.py), bodies (connector/connection/signed_bodies.py), keys (connector/connection/state.py). Rules: facts
of the connector, 5.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, NoReturn
from urllib.parse import urlsplit

from sqlalchemy import bindparam, delete, insert, select

from vetrina.access.sign_in.guess_limiter import Secret, guesses_of
from vetrina.access.users import rules as users
from vetrina.access.users.model import NOBODY, User
from vetrina.backends.database import Database, Statement, Tx
from vetrina.backends.tables.connector import connector_nonce as table
from vetrina.connector.connection import remote_errors, signed_bodies
from vetrina.connector.connection import state as connection_state
from vetrina.core.unit_of_work import Frame, Work
from vetrina.kernel import signing
from vetrina.kernel.errors import ApiError
from vetrina.kernel.keys import same
from vetrina.rest import query_strings
from vetrina.rest.call import Request

__all__ = ["AFTER", "BEFORE", "SITE", "InvalidRequest", "InvalidSignature", "forget_nonces", "sign_in"]

BEFORE: Final = 600  # seconds that a signature may be old
AFTER: Final = 300  # seconds that it may lie in the future
SITE: Final = "site"  # what `Request.signed` says of a request that the site's own token signs

_KEPT: Final = 3600  # seconds that a used nonce is remembered
_TIMESTAMP = re.compile(r"[0-9]{1,10}")
_NONCE = re.compile(r"[A-Za-z0-9]{1,12}")
_NUMBER = re.compile(r"[0-9]{1,10}")
# More in a header than a host and its port would make another path of the address that is signed.
_HOST = re.compile(r"(?:[^\W_]|[-._])+(?::[0-9]{1,5})?|\[[0-9A-Fa-f:.]+\](?::[0-9]{1,5})?")
_INVALID: Final = "invalid"  # what is noted in an account's place where none is named
# A key that no token has costs the same comparison as one that exists.
_NO_SECRET: Final = "no such secret"
# What is wrong with a request of somebody who has no secret of the site.
_GUESSED: Final = frozenset({
    "malformed_token", "malformed_user_id", "unknown_user", "no_valid_user_token", "no_valid_blog_token",
    "signature_mismatch",
})  # fmt: skip

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


@dataclass(frozen=True, slots=True)
class _Found:
    """What a signed request was found to be.

    account: whose token signs, None for the site's own. key: whether the site has a token with the named key.
    wrong: the code of the first thing that is not as it should be, empty for none.
    """

    account: User | None
    secret: str
    known: bool
    wrong: str
    who: str


def sign_in(frame: Frame, database: Database, request: Request) -> User | None:
    """Return who signed a request: an account, or NOBODY with `request.signed` set for the site's own token.

    None when it is not signed for the connector. Where the body is still to come, `request.proof` is set.
    Raises InvalidRequest, InvalidSignature, TooManyFailures.
    """
    if request.query.get("_for") != signing.MARK:
        return None
    # As it was written: names in the client's own dialect are what was signed.
    sent = query_strings.parse(request.target.partition("?")[2])
    if "token" not in sent and "signature" not in sent:
        return None
    if request.method not in ("GET", "POST") or (request.method == "GET" and request.body):
        raise InvalidRequest
    guesses, given = guesses_of(frame, request), str(sent.get("signature"))
    with database.reading() as tx:
        place = guesses.place(Secret.SERVICE_SIGNATURE, _account_of(sent))
        guesses.require(tx, Secret.SERVICE_SIGNATURE, place)
        found = _examined(Work(frame, tx, origin=request.origin), request, sent)
    wrong = found.wrong
    if wrong in _GUESSED:
        guesses.wrong(place, given)
        guesses.store(database)
    # A stranger's nonces are not kept: they would fill the table.
    if found.known and wrong in ("", "signature_mismatch"):
        with database.writing() as tx:
            fresh = _first_use(tx, int(sent["timestamp"]), sent["nonce"], frame.clock.now())
        wrong = wrong if fresh else "invalid_nonce"
    if wrong:
        _refuse(frame, database, request, sent, wrong, found.who)
    if request.unread:
        request.proof = lambda: _prove_body(frame, database, request, sent, found)
    if found.account is None:
        request.signed = SITE
        return NOBODY
    return found.account


def _refuse(
    frame: Frame, database: Database, request: Request, sent: dict[str, Any], code: str, who: str
) -> NoReturn:  # fmt: skip
    """Keep what was wrong, for the service may ask, and raise InvalidSignature."""
    with database.reading() as tx:
        new = remote_errors.is_new(Work(frame, tx), code, who)
    if new:
        with database.writing() as tx:
            remote_errors.note(Work(frame, tx), code, who, request, sent)
    raise InvalidSignature


def _prove_body(frame: Frame, database: Database, request: Request, sent: dict[str, Any], found: _Found) -> None:
    if not signed_bodies.fits(request, sent["body-hash"], found.secret):
        _refuse(frame, database, request, sent, "invalid_body_hash", found.who)


def _account_of(sent: Mapping[str, Any]) -> str:
    """Return the account that the token of a request names, as it is written."""
    named = sent.get("token")
    return named.rpartition(":")[2] if isinstance(named, str) else ""


def _examined(work: Work, request: Request, sent: dict[str, Any]) -> _Found:
    """Return what a request was found to be; each step is taken whatever the one before it showed."""
    named = sent.get("token")
    parts = named.split(":") if isinstance(named, str) else []
    if len(parts) != 3 or not parts[0] or parts[1] != "1":
        return _Found(None, _NO_SECRET, False, "malformed_token", _INVALID)
    if _NUMBER.fullmatch(parts[2]) is None:
        return _Found(None, _NO_SECRET, False, "malformed_user_id", _INVALID)
    number = int(parts[2])
    account = users.by_id(work.tx, number, users.has_shop(work.frame)) if number else None
    secret, wrong = _secret(work, parts[0], number)
    if number and account is None:
        secret, wrong = _NO_SECRET, "unknown_user"
    known = not wrong
    values = [sent.get(name) for name in ("timestamp", "nonce", "body-hash", "signature")]
    if not all(isinstance(value, str) for value in values):
        return _Found(account, secret, False, wrong or "invalid_signature", str(number))
    timestamp, nonce, hash, given = (str(value) for value in values)
    if not request.unread and not signed_bodies.fits(request, hash, secret):
        wrong = wrong or "invalid_body_hash"
    if not _is_timely(work, timestamp) or _NONCE.fullmatch(nonce) is None:
        wrong = wrong or "invalid_signature"
    params = {name: value for name, value in sent.items() if name != "signature"}
    right = False
    for url in _addresses(work, request):
        text = signing.normalised(str(named), timestamp, nonce, hash, request.method, url, params)
        right |= same(signing.signature(secret, text), given)
    if not right:
        wrong = wrong or "signature_mismatch"
    return _Found(account, secret, known, wrong, str(number))


def _secret(work: Work, key: str, account: int) -> tuple[str, str]:
    """Return the secret of the token that has a key, and why there is none."""
    kept, wrong = connection_state.token_of(work, account)
    own, _, rest = kept.partition(".")
    if not same(own, key) and not wrong:
        wrong = "no_valid_user_token" if account else "no_valid_blog_token"
    return (_NO_SECRET, wrong) if wrong else (rest.partition(".")[0], "")


def _is_timely(work: Work, timestamp: str) -> bool:
    if _TIMESTAMP.fullmatch(timestamp) is None:
        return False
    made = int(timestamp) - int(connection_state.get(work, "time_diff", 0))
    return work.now - BEFORE <= made <= work.now + AFTER


def forget_nonces(work: Work) -> None:
    """Forget every pair that was used, when the tokens they belong to are gone."""
    work.tx.run(_FORGET, before=1 << 53)


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
    found = [request.origin + path, *([f"{scheme}://{host}{path}"] if _HOST.fullmatch(host) else ())]
    return [url for url in dict.fromkeys(found) if _leads_to(url, path)]


def _leads_to(url: str, path: str) -> bool:
    """Say whether an address is one whose path is the one that is acted upon, to the sign."""
    try:
        parts = urlsplit(url)
        return parts.path == path and parts.port != 0
    except ValueError:
        return False
