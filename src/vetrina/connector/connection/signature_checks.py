"""Requests signed by the service: who signed them, and that they were not changed, delayed or replayed.

Every failure is the same error for the client; the actual reason is stored for the service, which may ask for it
(connector/connection/signature_errors.py). A used pair of time and nonce stays used even if the signature was wrong. A
request without a key of the site writes nothing, and takes as long as one with a wrong signature. Not here: the signed
text (connector/connection/signing.py), bodies (connector/connection/signed_bodies.py), keys
(connector/connection/state.py). Rules: docs/rules/connector_signatures.md, 1, 2, 7, 8 and 10.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, NoReturn
from urllib.parse import urlsplit

from sqlalchemy import bindparam, delete, insert, select

from vetrina.access.sign_in.guess_limiter import SecretKind
from vetrina.access.sign_in.request_sign_in import get_request_guesses
from vetrina.access.users import rules as users
from vetrina.backends.database import Database, Statement, Transaction
from vetrina.backends.tables.connector import connector_nonce as table
from vetrina.connector import stored_values
from vetrina.connector.connection import signature_errors, signed_bodies, signing, state as connection_state
from vetrina.core.site_context import SiteContext
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.core.user import NOBODY, User
from vetrina.kernel.errors import ApiError
from vetrina.kernel.keys import is_equal_secret
from vetrina.kernel.site_paths import get_base_path
from vetrina.rest import query_strings
from vetrina.rest.call import Request

BEFORE: Final = 600  # seconds that a signature may be old
AFTER: Final = 300  # seconds that it may be ahead of time
SITE: Final = "site"  # value of `Request.signed` for a request signed with the site's own token

_NONCE_SECONDS: Final = 3600  # seconds that a used nonce is remembered
_TIMESTAMP = re.compile(r"[0-9]{1,10}")
_NONCE = re.compile(r"[A-Za-z0-9]{1,12}")
_NUMBER = re.compile(r"[0-9]{1,10}")
# More than a host and its port in the header would change the path of the signed URL.
_HOST = re.compile(r"(?:[^\W_]|[-._])+(?::[0-9]{1,5})?|\[[0-9A-Fa-f:.]+\](?::[0-9]{1,5})?")
_INVALID: Final = "invalid"  # stored in place of an account where none is named
# An unknown key takes the same comparison as a known one.
_NO_SECRET: Final = "no such secret"
# Errors of requests whose sender has no secret of the site.
_GUESS_CODES: Final = frozenset({
    "malformed_token", "malformed_user_id", "unknown_user", "no_valid_user_token", "no_valid_blog_token",
    "signature_mismatch",
})  # fmt: skip

_FIND_NONCE = Statement(
    select(table.c.at).where(table.c.timestamp == bindparam("timestamp"), table.c.nonce == bindparam("nonce"))
)
_INSERT_NONCE = Statement(
    insert(table).values(timestamp=bindparam("timestamp"), nonce=bindparam("nonce"), at=bindparam("at"))
)
_DELETE_NONCES = Statement(delete(table).where(table.c.at < bindparam("before")))


class InvalidSignedRequest(ApiError):
    """Only GET without a body and POST can be signed."""

    code = "rest_invalid_request"
    message = "A signed request is a POST, or a GET without a body."


class InvalidServiceSignature(ApiError):
    """The signature does not prove that the service sent this request, now and for the first time."""

    code = "rest_invalid_signature"
    message = "The request is not signed as it should be. Sign it again, with a new nonce and the present time."


@dataclass(frozen=True, slots=True)
class _SignatureCheck:
    """The result of checking a signed request.

    account: whose token signed, None for the site's own. known: whether the site has a token with the named key.
    wrong: the code of the first error, empty for none. who: the account as the request names it.
    """

    account: User | None
    secret: str
    known: bool
    wrong: str
    who: str


def sign_in_service(site: SiteContext, database: Database, request: Request) -> User | None:
    """Return who signed a request: an account, or NOBODY with `request.signed` set for the site's own token.

    None when it is not signed for the connector. While the body is still to be read, `request.verify_body` is set.
    Raises InvalidSignedRequest, InvalidServiceSignature, TooManyGuesses.
    """
    if request.query.get("_for") != signing.SIGNATURE_MARK:
        return None
    # Undecoded: the signature is over names in the client's own dialect.
    sent = query_strings.parse_query(request.target.partition("?")[2])
    if "token" not in sent and "signature" not in sent:
        return None
    if request.method not in ("GET", "POST") or (request.method == "GET" and request.body):
        raise InvalidSignedRequest
    guesses, given = get_request_guesses(site, request), str(sent.get("signature"))
    with database.begin_read() as tx:
        place = guesses.build_keys(SecretKind.SERVICE_SIGNATURE, _get_named_account(sent))
        guesses.require(tx, SecretKind.SERVICE_SIGNATURE, place)
        check = _check_signature(UnitOfWork(site, tx, origin=request.origin), request, sent)
    wrong = check.wrong
    if wrong in _GUESS_CODES:
        guesses.add_wrong_guess(place, given)
        guesses.store(database)
    # Nonces of unknown keys are not stored: anybody could fill the table.
    if check.known and wrong in ("", "signature_mismatch"):
        with database.begin_write() as tx:
            fresh = _is_first_use(tx, int(sent["timestamp"]), sent["nonce"], site.clock.now())
        wrong = wrong if fresh else "invalid_nonce"
    if wrong:
        _refuse_request(site, database, request, sent, wrong, check.who)
    if request.unread:
        request.verify_body = lambda: _prove_body(site, database, request, sent, check)
    if check.account is None:
        request.signed = SITE
        return NOBODY
    return check.account


def _refuse_request(
    site: SiteContext, database: Database, request: Request, sent: dict[str, Any], code: str, who: str
) -> NoReturn:  # fmt: skip
    """Store the error, which the service may ask for, and raise InvalidServiceSignature."""
    with database.begin_read() as tx:
        new = signature_errors.is_new_error(UnitOfWork(site, tx), code, who)
    if new:
        with database.begin_write() as tx:
            signature_errors.record_error(UnitOfWork(site, tx), code, who, request.method, request.target, sent)
    raise InvalidServiceSignature


def _prove_body(
    site: SiteContext, database: Database, request: Request, sent: dict[str, Any], check: _SignatureCheck
) -> None:
    if not signed_bodies.matches_body_hash(request, sent["body-hash"], check.secret):
        _refuse_request(site, database, request, sent, "invalid_body_hash", check.who)


def _get_named_account(sent: Mapping[str, Any]) -> str:
    """Return the account that the token of a request names, as written."""
    named = sent.get("token")
    return named.rpartition(":")[2] if isinstance(named, str) else ""


def _check_signature(work: UnitOfWork, request: Request, sent: dict[str, Any]) -> _SignatureCheck:
    """Check a signed request; every step is run, whatever the result of the one before."""
    named = sent.get("token")
    parts = named.split(":") if isinstance(named, str) else []
    if len(parts) != 3 or not parts[0] or parts[1] != "1":
        return _SignatureCheck(None, _NO_SECRET, False, "malformed_token", _INVALID)
    if _NUMBER.fullmatch(parts[2]) is None:
        return _SignatureCheck(None, _NO_SECRET, False, "malformed_user_id", _INVALID)
    number = int(parts[2])
    account = users.find_user(work.tx, number, work.site.roles) if number else None
    secret, wrong = _find_token_secret(work, parts[0], number)
    if number and account is None:
        secret, wrong = _NO_SECRET, "unknown_user"
    known = not wrong
    values = [sent.get(name) for name in ("timestamp", "nonce", "body-hash", "signature")]
    if not all(isinstance(value, str) for value in values):
        return _SignatureCheck(account, secret, False, wrong or "invalid_signature", str(number))
    timestamp, nonce, hash, given = (str(value) for value in values)
    if not request.unread and not signed_bodies.matches_body_hash(request, hash, secret):
        wrong = wrong or "invalid_body_hash"
    if not _is_timely(work, timestamp) or _NONCE.fullmatch(nonce) is None:
        wrong = wrong or "invalid_signature"
    params = {name: value for name, value in sent.items() if name != "signature"}
    right = False
    for url in _list_possible_addresses(work, request):
        text = signing.build_signature_base(str(named), timestamp, nonce, hash, request.method, url, params)
        right |= is_equal_secret(signing.compute_signature(secret, text), given)
    if not right:
        wrong = wrong or "signature_mismatch"
    return _SignatureCheck(account, secret, known, wrong, str(number))


def _find_token_secret(work: UnitOfWork, key: str, account: int) -> tuple[str, str]:
    """Return the secret of the token with a key, and the error code where there is none."""
    token, wrong = connection_state.find_token(work, account)
    own, _, rest = token.partition(".")
    if not is_equal_secret(own, key) and not wrong:
        wrong = "no_valid_user_token" if account else "no_valid_blog_token"
    return (_NO_SECRET, wrong) if wrong else (rest.partition(".")[0], "")


def _is_timely(work: UnitOfWork, timestamp: str) -> bool:
    if _TIMESTAMP.fullmatch(timestamp) is None:
        return False
    made = int(timestamp) - int(stored_values.get_value(work, "time_diff", 0))
    return work.now - BEFORE <= made <= work.now + AFTER


def forget_nonces(work: UnitOfWork) -> None:
    """Delete every used nonce, when the tokens are deleted."""
    work.tx.run(_DELETE_NONCES, before=1 << 53)


def _is_first_use(tx: Transaction, timestamp: int, nonce: str, now: int) -> bool:
    tx.run(_DELETE_NONCES, before=now - _NONCE_SECONDS)
    if tx.first(_FIND_NONCE, timestamp=timestamp, nonce=nonce) is not None:
        return False
    tx.run(_INSERT_NONCE, timestamp=timestamp, nonce=nonce, at=now)
    return True


def _list_possible_addresses(work: UnitOfWork, request: Request) -> list[str]:
    """Return the URLs that the service may have signed: as the request states it, and the site's own."""
    base = get_base_path(request.origin)
    path = base + request.target.partition("?")[0]
    scheme = urlsplit(request.origin).scheme or "http"
    host = request.headers.get("host", "")
    if work.site.settings.trust_proxy:
        host = request.headers.get("x-forwarded-host", host).split(",")[0].strip()
        port = request.headers.get("x-forwarded-port", "").strip()
        if port.isdecimal():
            host = f"{host.partition(':')[0]}:{port}"
    found = [request.origin.removesuffix(base) + path, *([f"{scheme}://{host}{path}"] if _HOST.fullmatch(host) else ())]
    return [url for url in dict.fromkeys(found) if _has_path(url, path)]


def _has_path(url: str, path: str) -> bool:
    """Say whether a URL has exactly the requested path."""
    try:
        parts = urlsplit(url)
        return parts.path == path and parts.port != 0
    except ValueError:
        return False
