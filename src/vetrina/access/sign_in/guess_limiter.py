"""Rate limits on guesses at secrets: after too many wrong guesses a client must wait, whatever the secret.

Every comparison of a secret that could be guessed goes through here. Wrong guesses are counted twice: by IP address and
target, and by IP address and kind of secret, so that switching the target does not help. Beyond the limit nothing is
compared until the wait is over: the right secret gets the same refusal as a wrong one, in the same time. Right guesses
never count, and never reset the count.

- An IP address is one IPv4 address, or a /64 network of IPv6, which is what one customer of a provider has.
- Nothing is counted over all addresses: an attacker with many could then lock the owner out. A chosen password is as
  safe against many addresses as it is long; generated secrets are out of reach for all of them. The exception are the
  six digits of a one-time code, which are too few for that: whoever guesses at them has the right password already.
- A guess is counted in a transaction of its own, after that of its request has ended, however it ended. A request that
  carries many guesses (a batch) is stopped midway; the same wrong guess twice in one request counts once.
- Concurrent guesses may pass together before the first of them is counted.

Not counted, because they cannot be guessed and browsers send stale ones by themselves: nonces, and cookies that prove
an earlier password; tests/architecture/test_secrets.py lists every comparison that does not go through here. Rules:
docs/rules/authentication.md, 2 and 3; the limits are the profile's.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from sqlalchemy import and_, bindparam, case, delete, func, or_, select

from vetrina.access.audit import recording
from vetrina.backends.database import Database, Statement, Transaction
from vetrina.backends.statement_cache import build_upsert
from vetrina.backends.tables.accounts import failure
from vetrina.backends.tables.change_log import change
from vetrina.backends.transaction_retries import run_with_retries
from vetrina.core.change_source import ChangeSource, SourceKind
from vetrina.core.user import NOBODY, User
from vetrina.kernel.errors import ApiError, Failure
from vetrina.kernel.keys import compute_digest, is_equal_secret
from vetrina.kernel.networks import get_network
from vetrina.kernel.read_consistency import PrimaryNeeded

if TYPE_CHECKING:
    from vetrina.core.site_context import SiteContext
    from vetrina.core.unit_of_work import UnitOfWork


_DAY: Final = 86_400  # seconds
_DAY_FACTOR: Final = 10  # limit of a day for a short secret, as a multiple of the limit for a minute
_KIND_FACTOR: Final = 2  # limit for all secrets of a kind together, as a multiple of the limit for one
_SHORT_DIVISOR: Final = 4  # of the limit for one, where guesses of all addresses are counted together


class SecretKind(StrEnum):
    """The kinds of secrets, and the target by which guesses are counted."""

    ACCOUNT = "account"  # an account's own password and its application passwords, by login
    SECOND_FACTOR = "second factor"  # a one-time code or a recovery code, by account
    SESSION = "session"  # the cookie of a session, by account
    REFRESH_TOKEN = "refresh token"  # the mark by which the site knows a refresh token as its own
    CONSUMER_KEY = "consumer key"  # a shop's API key, with its secret or its signature, by key
    LOST_PASSWORD = "lost password"  # no guess, but a request for a reset link, by login
    REGISTRATION = "registration"  # no guess, but an account that somebody makes, by e-mail address
    REGISTRATION_KEY = "registration key"  # the key of a link that confirms a registration
    EMAIL_CHANGE = "email change"  # the key of a link that agrees to a change of an address
    EMAIL_CHANGE_START = "email change start"  # no guess, but a change of an address that is asked for, by account
    ACCOUNT_NOTICE = "account notice"  # no guess, but a mail about an account, by its kind and address
    PERSONAL_DATA = "personal data"  # no guess, but a request about a person's data, by e-mail address
    PERSONAL_DATA_KEY = "personal data key"  # the key of such a request or of its file, by request
    PASSWORD_RESET = "password reset"  # the key of a reset link, by account
    RECORD = "record"  # the password of a record, by record
    PREVIEW = "preview"  # the key of an unpublished version, by record
    PREVIEW_LINK = "preview link"  # the token of a link that shows a draft, by record
    ORDER = "order"  # the key of an order and its e-mail address, by order
    DOWNLOAD = "download"  # the URL of a purchased file
    RECEIPT = "receipt"  # the URL of a receipt
    COUPON = "coupon"  # a coupon code, which is its own name
    CART_TOKEN = "cart token"
    SHOP_LINK = "shop link"  # the private link of a shop that is not open yet
    CARD = "card"  # a card number, verified by the payment provider only (shop/checkout/rate_limit.py)
    COMMENT = "comment"  # no guess, but a comment of a reader without an account, by nothing
    PAYMENT_REPORT = "payment report"  # the signature of a payment gateway's report, by gateway
    METRICS = "metrics"  # the token of the server's operator
    SERVICE_SIGNATURE = "service signature"  # of a request by the connector's service, by account
    PROVIDER_CODE = "provider code"  # the code with which somebody comes back from a provider, by provider
    SERVICE_SECRET = "service secret"  # the shared secret of the connector's service and the site


class TooManyGuesses(ApiError):
    """Too many wrong guesses at a secret came from this IP address; even the right one must wait now."""

    failure, code = Failure.TOO_MANY, "too_many_wrong_guesses"
    message = "Too many wrong guesses came from your address. Try again in {wait} seconds."

    def __init__(self, wait: int) -> None:
        super().__init__(wait=wait)
        self.wait = wait
        self.headers["Retry-After"] = str(wait)


class TooManyFailedSignIns(TooManyGuesses):
    """Too many wrong credentials came from this IP address; even the right ones must wait now."""

    code = "too_many_failed_sign_ins"
    message = "Too many wrong credentials came from your address. Try again in {wait} seconds."


_CALLER_SECRETS: Final = frozenset(
    {SecretKind.ACCOUNT, SecretKind.SESSION, SecretKind.CONSUMER_KEY, SecretKind.SERVICE_SIGNATURE}
)

# Counted by target alone, whatever addresses they come from: guesses at short secrets behind another one, and mails
# that somebody who is signed in lets the site send.
_COUNTED_EVERYWHERE: Final = frozenset(
    {SecretKind.SECOND_FACTOR, SecretKind.EMAIL_CHANGE_START, SecretKind.ACCOUNT_NOTICE}
)

GuessKeys = tuple[tuple[str, int], ...]  # the counters for guesses at one secret, and the limit of each

# For two counters by primary key; the limit of the second is that of all secrets of a kind.
_BLOCKED_AT = (
    select(func.max(failure.c.at))
    .where(
        failure.c.key.in_((bindparam("own"), bindparam("all"))),
        failure.c.at > bindparam("since"),
        or_(
            and_(failure.c.key == bindparam("own"), failure.c.count >= bindparam("most_own")),
            and_(failure.c.key == bindparam("all"), failure.c.count >= bindparam("most_all")),
        ),
    )
    .scalar_subquery()
)
# One statement for what every signed-in request needs: has anything changed, and must this client wait?
_SELECT_STATE = Statement(select(select(func.max(change.c.sequence)).scalar_subquery(), _BLOCKED_AT))
_SELECT_COUNT = Statement(
    select(failure.c.count, failure.c.at).where(failure.c.key == bindparam("key"), failure.c.at > bindparam("since"))
)
_DELETE_EXPIRED = Statement(delete(failure).where(failure.c.at <= bindparam("until")))
# `at` is the first wrong guess of a minute, and the last one once the limit is reached: the wait is a full one.
_UPSERT_COUNT = Statement(
    build_upsert(
        failure,
        keys=("key",),
        values={"key": bindparam("key"), "count": bindparam("more"), "at": bindparam("now")},
        changes={
            "count": failure.c.count + bindparam("more"),
            "at": case(
                (failure.c.count + bindparam("more") >= bindparam("most"), bindparam("now")), else_=failure.c.at
            ),
        },
    )
)


class GuessCounter:
    """The guesses of one request so far, including the requests inside it (a batch).

    remote: the client's address, empty for what comes from this server itself. agent: what the client calls itself.
    """

    __slots__ = ("_accounts", "_counted", "_kept_until", "_new", "_site", "_wrong", "agent", "remote")

    def __init__(self, site: SiteContext, remote: str, agent: str = "") -> None:
        self._site, self.remote, self.agent = site, remote, agent
        self._wrong: set[tuple[str, str]] = set()
        self._counted: dict[str, tuple[int, int]] = {}
        self._new: dict[str, tuple[int, int]] = {}
        self._accounts: dict[str, User] = {}
        self._kept_until: dict[str, int] = {}

    def build_keys(self, secret: SecretKind, target: object) -> GuessKeys:
        """Return the counters of guesses; target: the target of the secret, None if its kind has a single one."""
        most, key = max(1, self._site.profile.limits.sign_in_failures), self._site.settings.secret
        if secret in _COUNTED_EVERYWHERE:
            return self._build_keys_everywhere(f"{secret}\n{target}", max(1, most // _SHORT_DIVISOR))
        kind = f"{secret}\n{get_network(self.remote)}"
        if target is None:
            return ((compute_digest(key, kind), most),)
        return ((compute_digest(key, f"{kind}\n{target}"), most), (compute_digest(key, kind), most * _KIND_FACTOR))

    def _build_keys_everywhere(self, target: str, most: int) -> GuessKeys:
        """Return the counters of a short secret: of a minute, and of a day, so that patience does not help."""
        key, day = self._site.settings.secret, self._site.clock.now() // _DAY
        daily = compute_digest(key, f"{target}\nday {day}")
        self._kept_until[daily] = (day + 1) * _DAY
        return ((compute_digest(key, target), most), (daily, most * _DAY_FACTOR))

    def require(self, tx: Transaction, secret: SecretKind, keys: GuessKeys) -> None:
        """Raise TooManyGuesses if one of these counters has reached its limit.

        Raises PrimaryNeeded on a replica, which may not know yet of guesses, or that a secret was withdrawn.
        """
        if tx.is_replica:
            raise PrimaryNeeded
        now, wait = self._site.clock.now(), self._site.profile.limits.sign_in_wait
        longest = 0
        for key, most in keys:
            count, at = self._get_count(tx, key, now - wait)
            if count >= most:
                longest = max(longest, at + wait - now)
        if longest > 0:
            raise _build_refusal(secret, longest)

    def is_known(self, keys: GuessKeys, given: str) -> bool:
        """Return whether this same guess was wrong before in this request."""
        return (keys[0][0], given) in self._wrong

    def add_wrong_guess(self, keys: GuessKeys, given: str, account: User | None = None) -> None:
        """Record a wrong guess; it counts for the rest of the request. account: whose secret it was meant for."""
        if self.is_known(keys, given):
            return
        now = self._site.clock.now()
        if account:
            self._accounts[keys[0][0]] = account
        self._wrong.add((keys[0][0], given))
        for key, most in keys:
            count, at = self._counted.get(key, (0, now))
            latest = self._kept_until.get(key, now)
            self._counted[key] = (count + 1, latest if count + 1 >= most else at)
            self._new[key] = (self._new.get(key, (0, most))[0] + 1, most)

    def store(self, database: Database) -> None:
        """Store the wrong guesses not stored yet, in a transaction of their own. Raises DatabaseBusy."""
        if not self._new:
            return
        now, wait = self._site.clock.now(), self._site.profile.limits.sign_in_wait

        def count() -> None:
            with database.begin_write() as tx:
                tx.run(_DELETE_EXPIRED, until=now - wait)
                for key, (more, most) in self._new.items():
                    tx.run(_UPSERT_COUNT, key=key, more=more, most=most, now=self._kept_until.get(key, now))
                    if key in self._accounts and recording.is_kept(self._site):
                        self._record_limit(tx, key, more, most)

        run_with_retries(count)
        # Cleared last: a request that is moved to a thread for this comes back with its guesses.
        self._new = {}

    def _record_limit(self, tx: Transaction, key: str, more: int, most: int) -> None:
        """Tell the audit trail of an account that guesses at it have reached their limit, once."""
        now = self._site.clock.now()
        row = tx.first(_SELECT_COUNT, key=key, since=now - self._site.profile.limits.sign_in_wait)
        count = int(row[0]) if row else 0
        if count - more < most <= count:
            account, source = self._accounts[key], ChangeSource(SourceKind.NOBODY, "", self.remote)
            recording.record_event(tx, now, NOBODY, source, "user", account.id, "blocked", account.login)

    def _get_count(self, tx: Transaction, key: str, since: int) -> tuple[int, int]:
        found = self._counted.get(key)
        if found is None:
            row = tx.first(_SELECT_COUNT, key=key, since=since)
            found = self._counted[key] = (row[0], row[1]) if row else (0, self._site.clock.now())
        return found


def matches_secret(work: UnitOfWork, secret: SecretKind, target: object, given: str, stored: str) -> bool:
    """Return whether the given secret is the stored one; a wrong one is counted. Raises TooManyGuesses.

    target: the target of the secret, None if its kind has a single one.
    """
    return is_right_guess(work, secret, target, given, lambda: is_equal_secret(given, stored))


def is_right_guess(
    work: UnitOfWork, secret: SecretKind, target: object, given: str, right: Callable[[], bool], account: User = NOBODY
) -> bool:
    """Return whether a guess is right; a wrong one is counted. Raises TooManyGuesses.

    given: the guess, as text. right: compares it, in constant time; not called while the client must wait. account:
    whose secret it was meant for, where its owner is to read of too many.
    """
    # A response opened by a secret must not be cached: the cache would serve it even while clients must wait.
    work.mark_time_dependent()
    guesses = work.guesses
    if guesses is None:
        # Not an external request.
        return right()
    keys = guesses.build_keys(secret, target)
    if guesses.is_known(keys, given):
        return False
    guesses.require(work.tx, secret, keys)
    if right():
        return True
    guesses.add_wrong_guess(keys, given, account)
    return False


def find_opened_targets(work: UnitOfWork, secret: SecretKind, secrets: Mapping[int, str], given: str) -> frozenset[int]:
    """Return the targets that a guess opens, of several secrets. Raises TooManyGuesses if all of them must wait.

    It counts as wrong for each target that it does not open, so that no attacker hides guesses behind a secret of their
    own; for the kind it counts once, and only if it opens none. Targets that must wait are not opened.
    """
    work.mark_time_dependent()
    guesses, refused = work.guesses, None
    if guesses is None:
        return frozenset(target for target, stored in secrets.items() if is_equal_secret(given, stored))
    opened: set[int] = set()
    missed: list[GuessKeys] = []
    for target, stored in secrets.items():
        keys = guesses.build_keys(secret, target)
        if guesses.is_known(keys, given):
            continue
        try:
            guesses.require(work.tx, secret, keys)
        except TooManyGuesses as error:
            refused = error
            continue
        if is_equal_secret(given, stored):
            opened.add(target)
        else:
            missed.append(keys)
    if refused is not None and not opened and not missed:
        raise refused
    for at, keys in enumerate(missed):
        guesses.add_wrong_guess(keys if at == 0 and not opened else keys[:1], given)
    return frozenset(opened)


def require_guess_allowed(site: SiteContext, tx: Transaction, secret: SecretKind, keys: GuessKeys) -> int:
    """Return the position in the change log. Raises TooManyGuesses if these counters have reached their limit.

    keys: of a secret that is not the only target of its kind.
    """
    now, wait = site.clock.now(), site.profile.limits.sign_in_wait
    (own, most_own), (all, most_all) = keys
    state = tx.first(_SELECT_STATE, own=own, all=all, most_own=most_own, most_all=most_all, since=now - wait)
    sequence, blocked = state or (None, None)
    if blocked is not None:
        raise _build_refusal(secret, blocked + wait - now)
    return sequence or 0


def _build_refusal(secret: SecretKind, wait: int) -> TooManyGuesses:
    return TooManyFailedSignIns(wait) if secret in _CALLER_SECRETS else TooManyGuesses(wait)
