"""Rate limits: how many requests an address or a key may send in a minute, reported in standard headers.

Each name may send as many requests as its limit at once, and that many a minute in the long run (the allowance refills
steadily). The workers of a server count together, exactly, in a table of one mebibyte (65,536 names; where more are
active at once, those closest to a full allowance are forgotten and may send more). Every machine counts for itself.
Rules: draft-ietf-httpapi-ratelimit-headers-06 (RateLimit-Limit, -Remaining, -Reset), RFC 6585 (429), RFC 9110
(Retry-After).
"""

from __future__ import annotations

import fcntl
import math
import os
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from hashlib import blake2b
from pathlib import Path
from typing import Final, NamedTuple

from vetrina.http.responses import Headers
from vetrina.http.shared_memory import map_shared_memory
from vetrina.kernel.errors import ApiError, Failure
from vetrina.kernel.networks import get_network

PERIOD_SECONDS: Final = 60.0  # seconds that a limit applies to
_SETS, _WAYS = 16_384, 4  # cells of the table: a name may be in any of the four of its set


class RateLimitExceeded(ApiError):
    """An address or a key has sent more requests than it may."""

    failure, code = Failure.TOO_MANY, "rest_too_many_requests"
    message = "More than {limit} requests a minute came from {whom}. Send the next in {wait} seconds."

    def __init__(self, limit: int, whom: str, wait: int) -> None:
        super().__init__(limit=limit, whom=whom, wait=wait)
        self.headers["Retry-After"] = str(wait)


class RateLimitStatus(NamedTuple):
    """The state of a name after a request. remaining: requests that it may send at once. reset, wait: seconds.

    reset: until its allowance is full again. wait: until a refused request may be sent again, 0 where it was allowed.
    """

    limit: int
    remaining: int
    reset: int
    wait: int

    @property
    def headers(self) -> Headers:
        """Return the response headers."""
        return [
            (b"ratelimit-limit", b"%d" % self.limit),
            (b"ratelimit-remaining", b"%d" % self.remaining),
            (b"ratelimit-reset", b"%d" % self.reset),
            (b"access-control-expose-headers", b"RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, Retry-After"),
        ]


class RateLimiter:
    """The limits of a site.

    per_address, per_key: requests a minute, 0 for no limit. secret: keeps clients from choosing cells of the table.
    folder: of the server's run, whose workers count together; None: this process counts alone. now: seconds of a
    monotonic clock that all processes of the machine share.
    """

    def __init__(
        self, per_address: int, per_key: int, secret: str, folder: Path | None = None,
        now: Callable[[], float] = time.monotonic,
    ) -> None:  # fmt: skip
        self._per_address, self._per_key, self._now = per_address, per_key, now
        self._secret = blake2b(secret.encode(), digest_size=32).digest()
        memory, self._file = map_shared_memory(folder / "rates" if folder else None, _SETS * _WAYS * 16)
        # The name and the time of a cell are next to each other.
        self._names, self._full_at = memory.cast("Q"), memory.cast("d")
        self._lock = threading.Lock()

    def count_address(self, address: str, requests: int = 1) -> RateLimitStatus | None:
        """Count requests of an address; None where it has no limit, or no address is known."""
        if not self._per_address or not address:
            return None
        return self._count_requests(f"address {get_network(address)}", self._per_address, requests)

    def count_key(self, key: str, requests: int = 1) -> RateLimitStatus | None:
        """Count requests of a key or an account, None where it has no limit."""
        return self._count_requests(f"key {key}", self._per_key, requests) if self._per_key and key else None

    def _count_requests(self, name: str, limit: int, requests: int) -> RateLimitStatus:
        """Count requests where they are allowed (the generic cell rate algorithm), and return the state of the name."""
        number = int.from_bytes(blake2b(name.encode(), digest_size=8, key=self._secret).digest(), "little") or 1
        each, now = PERIOD_SECONDS / limit, self._now()
        # A batch larger than any allowance takes all of it.
        cost = min(requests, limit) * each
        with self._lock_group(number % _SETS) as first:
            place = self._find_cell(first, number)
            before = max(self._full_at[place + 1], now) if self._names[place] == number else now
            after = before + cost
            allowed = after - now <= PERIOD_SECONDS + 1e-6
            if allowed:
                self._names[place], self._full_at[place + 1] = number, after
        full = after if allowed else before
        wait = 0 if allowed else max(1, math.ceil(after - now - PERIOD_SECONDS))
        remaining = int((PERIOD_SECONDS - (full - now)) / each + 1e-6)
        return RateLimitStatus(limit, max(0, remaining), math.ceil(full - now), wait)

    @contextmanager
    def _lock_group(self, group: int) -> Iterator[int]:
        """Lock a set against other threads and processes, and yield its first cell."""
        with self._lock:
            if self._file >= 0:
                fcntl.lockf(self._file, fcntl.LOCK_EX, 1, group)
            try:
                yield group * _WAYS * 2
            finally:
                if self._file >= 0:
                    fcntl.lockf(self._file, fcntl.LOCK_UN, 1, group)

    def _find_cell(self, first: int, number: int) -> int:
        """Return the cell of a name in its set: its own, or the one of the name that is full again soonest."""
        soonest, place = math.inf, first
        for at in range(first, first + _WAYS * 2, 2):
            if self._names[at] == number:
                return at
            if self._full_at[at + 1] < soonest:
                soonest, place = self._full_at[at + 1], at
        return place

    def close(self) -> None:
        """Close the table."""
        if self._file >= 0:
            os.close(self._file)
            self._file = -1
