"""Guesses at secrets: whoever was wrong too often must wait, whatever the secret is and whichever way it came.

Every comparison of a secret that somebody could hit upon goes through here. Wrong guesses are counted twice: by address
and what they would have opened, and by address and kind of secret, so that another target does not help. Past the limit
nothing is compared any more until the wait is over: the right secret is answered as a wrong one, in the same time.
Right guesses never count, and never forgive wrong ones.

- An address is one IPv4 address, or a /64 network of IPv6, which is what one customer of a provider has.
- Nothing is counted over all addresses: whoever has many could then keep the owner out of his own house. What a person
  chose is as safe against many addresses as it is long; what the site makes up is out of reach for all of them.
- A guess is counted in a transaction of its own, after that of its request has ended, however it ended. A request that
  carries many guesses (a batch) is stopped in its midst; the same wrong guess twice in one request counts once.
- As many guesses as are under way at once may pass together before the first of them is counted.

Not counted, for nobody hits upon them and browsers send stale ones by themselves: nonces, and cookies that say what a
password opened before; tests/architecture/test_secrets.py lists every comparison that does not come through here.
Rules: OVERRIDES, "Wrong credentials are told"; the numbers are the profile's limits.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from sqlalchemy import and_, bindparam, case, delete, func, or_, select

from vetrina.backends.database import Database, Statement, Tx
from vetrina.backends.statement_cache import upsert
from vetrina.backends.tables.core import change, failure
from vetrina.kernel.errors import ApiError
from vetrina.kernel.keys import digest, same
from vetrina.kernel.networks import network_of
from vetrina.rest.call import Request

if TYPE_CHECKING:
    from vetrina.core.unit_of_work import Frame, Work

__all__ = [
    "Guesses", "Place", "Secret", "TooManyFailures", "TooManyGuesses", "guesses_of", "is_right", "opened_by", "opens",
    "standing",
]  # fmt: skip

_KIND_FACTOR: Final = 2  # how many times the limit of one secret all secrets of a kind have together


class Secret(StrEnum):
    """The kinds of secrets."""

    ACCOUNT = "account"  # an account's own password and its application passwords, by login
    SESSION = "session"  # the cookie of a session, by account
    CONSUMER_KEY = "consumer key"  # with its secret or its signature, by key
    LOST_PASSWORD = "lost password"  # no guess, but a wish for a link to a new one, by login
    PASSWORD_RESET = "password reset"  # the key of such a link, by account
    RECORD = "record"  # the password of a record, by record
    PREVIEW = "preview"  # the key of an unpublished state, by record
    ORDER = "order"  # the key of an order and its mail address, by order
    DOWNLOAD = "download"  # the address of a file that was bought
    RECEIPT = "receipt"  # the address of a receipt
    COUPON = "coupon"  # a code, which is its own name
    CART_TOKEN = "cart token"
    SHOP_LINK = "shop link"  # the private link of a shop that is not open yet
    CARD = "card"  # the number of one, which only who takes payments knows (shop/checkout/rate_limit.py)
    PAYMENT_REPORT = "payment report"  # the signature of what a payment gateway reports, by gateway
    METRICS = "metrics"  # the token of whoever runs the server
    SERVICE_SIGNATURE = "service signature"  # of a request by the connector's service, by account
    SERVICE_SECRET = "service secret"  # what the connector's service and the site know each other by


class TooManyGuesses(ApiError):
    """Wrong guesses at a secret came too often from this address; even the right one must wait now."""

    status, code = 429, "too_many_wrong_guesses"
    message = "Too many wrong guesses came from your address. Try again in {wait} seconds."

    def __init__(self, wait: int) -> None:
        super().__init__(wait=wait)
        self.wait = wait
        self.headers["Retry-After"] = str(wait)


class TooManyFailures(TooManyGuesses):
    """Wrong credentials came too often from this address; even the right ones must wait now."""

    code = "too_many_failed_sign_ins"
    message = "Too many wrong credentials came from your address. Try again in {wait} seconds."


_OF_CALLERS: Final = frozenset({Secret.ACCOUNT, Secret.SESSION, Secret.CONSUMER_KEY, Secret.SERVICE_SIGNATURE})

Place = tuple[tuple[str, int], ...]  # under which keys guesses at one secret are counted, and how many each takes

# Of two keys by their primary key; the limit of the second is that of all secrets of a kind.
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
# One statement for what every signed-in request asks: has anything changed, and must this caller wait?
_STANDING = Statement(select(select(func.max(change.c.sequence)).scalar_subquery(), _BLOCKED_AT))
_COUNTED = Statement(
    select(failure.c.count, failure.c.at).where(failure.c.key == bindparam("key"), failure.c.at > bindparam("since"))
)
_FORGET = Statement(delete(failure).where(failure.c.at <= bindparam("until")))
# `at` is the first wrong guess of a minute, and the last one once there are too many: the wait is a whole one.
_COUNT = Statement(
    upsert(
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


class Guesses:
    """What one request has guessed so far, the requests that it carries included."""

    __slots__ = ("_counted", "_frame", "_network", "_new", "_wrong")

    def __init__(self, frame: Frame, remote: str) -> None:
        self._frame, self._network = frame, remote
        self._wrong: set[tuple[str, str]] = set()
        self._counted: dict[str, tuple[int, int]] = {}
        self._new: dict[str, tuple[int, int]] = {}

    def place(self, secret: Secret, of: object) -> Place:
        """Return where guesses are counted; of: what the secret opens, None where its kind has one target alone."""
        most, key = max(1, self._frame.profile.limits.sign_in_failures), self._frame.settings.secret
        kind = f"{secret}\n{network_of(self._network)}"
        if of is None:
            return ((digest(key, kind), most),)
        return ((digest(key, f"{kind}\n{of}"), most), (digest(key, kind), most * _KIND_FACTOR))

    def require(self, tx: Tx, secret: Secret, place: Place) -> None:
        """Raise TooManyGuesses while guesses at this place must wait."""
        now, wait = self._frame.clock.now(), self._frame.profile.limits.sign_in_wait
        longest = 0
        for key, most in place:
            count, at = self._of(tx, key, now - wait)
            if count >= most:
                longest = max(longest, at + wait - now)
        if longest > 0:
            raise _refusal(secret, longest)

    def is_known(self, place: Place, given: str) -> bool:
        """Say whether this very guess was found wrong in this request before."""
        return (place[0][0], given) in self._wrong

    def wrong(self, place: Place, given: str) -> None:
        """Note a wrong guess; it counts for whatever the request asks next."""
        if self.is_known(place, given):
            return
        now = self._frame.clock.now()
        self._wrong.add((place[0][0], given))
        for key, most in place:
            count, at = self._counted.get(key, (0, now))
            self._counted[key] = (count + 1, now if count + 1 >= most else at)
            self._new[key] = (self._new.get(key, (0, most))[0] + 1, most)

    def store(self, database: Database) -> None:
        """Count the wrong guesses that are not counted yet, in a transaction of their own. Raises DatabaseBusy."""
        if not self._new:
            return
        now, wait = self._frame.clock.now(), self._frame.profile.limits.sign_in_wait

        def count() -> None:
            with database.writing() as tx:
                tx.run(_FORGET, until=now - wait)
                for key, (more, most) in self._new.items():
                    tx.run(_COUNT, key=key, more=more, most=most, now=now)

        database.settled(count)
        # Not before: a request that has to leave the loop for this comes back with what it guessed.
        self._new = {}

    def _of(self, tx: Tx, key: str, since: int) -> tuple[int, int]:
        found = self._counted.get(key)
        if found is None:
            row = tx.first(_COUNTED, key=key, since=since)
            found = self._counted[key] = (row[0], row[1]) if row else (0, self._frame.clock.now())
        return found


def guesses_of(frame: Frame, request: Request) -> Guesses:
    """Return what a request has guessed so far."""
    found: Guesses | None = request.guesses
    if found is None:
        found = request.guesses = Guesses(frame, request.remote)
    return found


def opens(work: Work, secret: Secret, of: object, given: str, kept: str) -> bool:
    """Say whether what was given is the secret that is kept; a wrong one is counted. Raises TooManyGuesses.

    of: what the secret opens, None where its kind has one target alone.
    """
    return is_right(work, secret, of, given, lambda: same(given, kept))


def is_right(work: Work, secret: Secret, of: object, given: str, right: Callable[[], bool]) -> bool:
    """Say whether a guess is right; a wrong one is counted. Raises TooManyGuesses.

    given: the guess, as text. right: compares it, in constant time; not called while guesses must wait.
    """
    # An answer that a secret opened is made again for each that asks: a kept one would be given while all must wait.
    work.passes()
    guesses = work.guesses
    if guesses is None:
        # Nobody asks from outside.
        return right()
    place = guesses.place(secret, of)
    if guesses.is_known(place, given):
        return False
    guesses.require(work.tx, secret, place)
    if right():
        return True
    guesses.wrong(place, given)
    return False


def opened_by(work: Work, secret: Secret, kept: Mapping[int, str], given: str) -> frozenset[int]:
    """Return which of several secrets a guess is, by what they open. Raises TooManyGuesses where all of them must wait.

    Each that it is not counts for itself, so that nobody hides guesses behind a secret of his own; for all of the kind
    it counts where it is none of them, and once. Those that must wait are not opened.
    """
    work.passes()
    guesses, refused = work.guesses, None
    if guesses is None:
        return frozenset(of for of, own in kept.items() if same(given, own))
    opened: set[int] = set()
    missed: list[Place] = []
    for of, own in kept.items():
        place = guesses.place(secret, of)
        if guesses.is_known(place, given):
            continue
        try:
            guesses.require(work.tx, secret, place)
        except TooManyGuesses as error:
            refused = error
            continue
        if same(given, own):
            opened.add(of)
        else:
            missed.append(place)
    if refused is not None and not opened and not missed:
        raise refused
    for at, place in enumerate(missed):
        guesses.wrong(place if at == 0 and not opened else place[:1], given)
    return frozenset(opened)


def standing(frame: Frame, tx: Tx, secret: Secret, place: Place) -> int:
    """Return where the change log stands. Raises TooManyGuesses while guesses at this place must wait.

    place: of a secret that is not the only target of its kind.
    """
    now, wait = frame.clock.now(), frame.profile.limits.sign_in_wait
    (own, most_own), (all, most_all) = place
    state = tx.first(_STANDING, own=own, all=all, most_own=most_own, most_all=most_all, since=now - wait)
    sequence, blocked = state or (None, None)
    if blocked is not None:
        raise _refusal(secret, blocked + wait - now)
    return sequence or 0


def _refusal(secret: Secret, wait: int) -> TooManyGuesses:
    return TooManyFailures(wait) if secret in _OF_CALLERS else TooManyGuesses(wait)
