"""How often somebody may try to pay: at most three times in a minute, while the shop wants that.

Who tries one stolen card after the other is slowed so. A try is counted as wrong guesses at secrets are, also when it
is refused (access/sign_in/guess_limiter.py): by account, or by the address that it comes from.
Rules: the setting `shop_feature_rate_limit_checkout_enabled`.
"""

from __future__ import annotations

from typing import Final

from vetrina.access.sign_in import guess_limiter
from vetrina.access.sign_in.guess_limiter import TooManyGuesses
from vetrina.core.unit_of_work import Work
from vetrina.kernel.errors import ApiError
from vetrina.kernel.keys import digest, random_letters
from vetrina.kernel.networks import network_of
from vetrina.rest.call import Request
from vetrina.shop.settings import rules as settings

__all__ = ["TooManyTries", "count"]

_MOST: Final = 3  # tries in the time that wrong guesses at secrets count, which is a minute at first
_MARK: Final = 12  # letters by which tries are told apart


class TooManyTries(ApiError):
    """Somebody tried to pay too often."""

    status, code = 429, "rate_limit_exceeded"
    message = "You tried to pay too often. Try again in {wait} seconds."

    def __init__(self, wait: int) -> None:
        super().__init__(wait=wait)
        self.headers |= {
            "Retry-After": str(wait), "RateLimit-Limit": str(_MOST), "RateLimit-Remaining": "0",
        }  # fmt: skip


def count(work: Work, request: Request) -> None:
    """Count a try to pay. Raises TooManyTries."""
    if not settings.is_on(work, "shop_feature_rate_limit_checkout_enabled"):
        return
    who = f"account {work.user.id}" if work.user.id else network_of(request.remote)
    place = ((digest(work.frame.settings.secret, f"checkout\n{who}"), _MOST),)
    tries = guess_limiter.guesses_of(work.frame, request)
    try:
        tries.require(work.tx, guess_limiter.Secret.CARD, place)
    except TooManyGuesses as refused:
        raise TooManyTries(refused.wait) from None
    # Every try counts, those that one request carries too; one that has to begin again is the same.
    tries.wrong(place, random_letters(_MARK) if request.inner else "")
