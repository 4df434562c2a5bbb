"""Wrong passwords: counted by who tries and from where, and slowed when they come too often.

Not here: which passwords there are (signin.py, content/secrets.py).
Rules: OVERRIDES, "Wrong credentials are told"; the numbers are the profile's limits.
"""

from __future__ import annotations

from sqlalchemy import and_, bindparam, delete, func, select

from vetrina.backends.database import Database, Statement, Tx
from vetrina.backends.shapes import upsert
from vetrina.backends.tables import change, failure
from vetrina.domain.work import Frame
from vetrina.kernel.errors import ApiError
from vetrina.kernel.ids import digest

__all__ = ["TooManyFailures", "count", "judge", "key", "unhindered"]


class TooManyFailures(ApiError):
    """Wrong credentials came too often from this address for this login."""

    status, code = 429, "too_many_failed_sign_ins"
    message = "Too many wrong passwords for this user name from your address. Try again in {wait} seconds."

    def __init__(self, wait: int) -> None:
        super().__init__(wait=wait)
        self.wait = wait
        self.headers["Retry-After"] = str(wait)


# One statement for what every signed-in request asks: has anything changed, and must this pair wait?
_STATE = Statement(
    select(
        select(func.max(change.c.sequence)).scalar_subquery(),
        select(failure.c.at)
        .where(
            and_(
                failure.c.key == bindparam("key"),
                failure.c.count >= bindparam("most"),
                failure.c.at > bindparam("since"),
            )
        )
        .scalar_subquery(),
    )
)
_FORGET = Statement(delete(failure).where(failure.c.at <= bindparam("until")))
_COUNT = Statement(
    upsert(
        failure,
        keys=("key",),
        values={"key": bindparam("key"), "count": 1, "at": bindparam("at")},
        changes={"count": failure.c.count + 1, "at": bindparam("at")},
    )
)


def key(frame: Frame, remote: str, name: str) -> str:
    """Return what failures are counted under; remote: the caller's address; name: what was to be opened."""
    return digest(frame.settings.secret, f"{remote}\n{name.lower()}")


def unhindered(frame: Frame, tx: Tx, key: str, now: int) -> int:
    """Return where the change log stands. Raises TooManyFailures while this key must wait."""
    limits = frame.profile.limits
    state = tx.first(_STATE, key=key, most=limits.sign_in_failures, since=now - limits.sign_in_wait)
    sequence, failed = state or (None, None)
    if failed is not None:
        raise TooManyFailures(failed + limits.sign_in_wait - now)
    return sequence or 0


def count(frame: Frame, database: Database, key: str, now: int) -> None:
    """Count a failure, in a transaction of its own."""
    with database.writing() as tx:
        tx.run(_FORGET, until=now - frame.profile.limits.sign_in_wait)
        tx.run(_COUNT, key=key, at=now)


def judge(frame: Frame, database: Database, remote: str, what: str, right: bool) -> None:
    """Count a wrong password of something that is no account; even a right one must wait after too many.

    what: a word for what it opens. Raises TooManyFailures.
    """
    now, place = frame.clock.now(), key(frame, remote, f"\n{what}")
    with database.reading() as tx:
        unhindered(frame, tx, place, now)
    if not right:
        count(frame, database, place, now)
