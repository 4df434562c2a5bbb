"""Rate limit of payment attempts: three a minute, while the shop enables it.

It slows down card testing. Attempts are counted like wrong guesses at secrets, refused ones included
(access/sign_in/guess_limiter.py), by account or by IP address. Setting: `shop_feature_rate_limit_checkout_enabled`.
"""

from __future__ import annotations

from typing import Final

from vetrina.access.sign_in import guess_limiter
from vetrina.access.sign_in.guess_limiter import TooManyGuesses
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel.errors import ApiError, Failure
from vetrina.kernel.keys import compute_digest, generate_letters
from vetrina.kernel.networks import get_network
from vetrina.shop.settings import rules as settings

_MAX_ATTEMPTS: Final = 3  # attempts in the window of the guess limiter, which is a minute at first
_MARK: Final = 12  # characters of the random mark that tells attempts apart


class TooManyCheckoutAttempts(ApiError):
    """The caller made too many payment attempts."""

    failure, code = Failure.TOO_MANY, "rate_limit_exceeded"
    message = "You tried to pay too often. Try again in {wait} seconds."

    def __init__(self, wait: int) -> None:
        super().__init__(wait=wait)
        self.headers |= {
            "Retry-After": str(wait), "RateLimit-Limit": str(_MAX_ATTEMPTS), "RateLimit-Remaining": "0",
        }  # fmt: skip


def count_checkout_attempt(work: UnitOfWork, remote: str, *, inner: bool) -> None:
    """Count a payment attempt of a client, by its address. Raises TooManyCheckoutAttempts.

    inner: whether it is one of several in a batch.
    """
    tries = work.guesses
    if tries is None or not settings.is_setting_on(work, "shop_feature_rate_limit_checkout_enabled"):
        return
    who = f"account {work.user.id}" if work.user.id else get_network(remote)
    place = ((compute_digest(work.site.settings.secret, f"checkout\n{who}"), _MAX_ATTEMPTS),)
    try:
        tries.require(work.tx, guess_limiter.SecretKind.CARD, place)
    except TooManyGuesses as refused:
        raise TooManyCheckoutAttempts(refused.wait) from None
    # Every attempt counts, those inside a batch too; a request that is retried counts once.
    tries.add_wrong_guess(place, generate_letters(_MARK) if inner else "")
