"""Pairs of secrets by which the service and the site know each other while an account or the site is being connected.

A pair is for one action and one account, lives for a while and may be tried once, right or wrong.
Rules: facts of the connector, 6.
"""

from __future__ import annotations

from typing import Any, Final

from vetrina.access.sign_in import guess_limiter
from vetrina.access.sign_in.guess_limiter import Secret
from vetrina.connector.connection import state as connection_state
from vetrina.core.unit_of_work import Work
from vetrina.kernel.errors import ApiError
from vetrina.kernel.integers import whole
from vetrina.kernel.keys import random_letters, same

__all__ = ["AUTHORIZE", "REGISTER", "SecretRefused", "drop_all", "made", "verified"]

REGISTER, AUTHORIZE = "register", "authorize"

_LETTERS: Final = 32
_NAME: Final = "secret_pairs"


class SecretRefused(ApiError):
    """A secret is missing, malformed, too old, used, or wrong; the code says which."""

    code = "verify_secrets_mismatch"
    message = "{reason}"

    def __init__(self, code: str, reason: str) -> None:
        super().__init__(reason=reason)
        self.told = code

    def body(self) -> dict[str, Any]:
        return {**super().body(), "code": self.told}


def _kept(work: Work) -> dict[str, dict[str, Any]]:
    found = connection_state.opened_value(work, _NAME, {})
    return found if isinstance(found, dict) else {}


def made(work: Work, action: str, account: int, seconds: int) -> tuple[str, str]:
    """Return the two secrets for an action of an account; those that are still good are given again."""
    kept = {name: pair for name, pair in _kept(work).items() if pair["exp"] > work.now}
    name = f"connector_{action}_{account}"
    if name not in kept:
        kept[name] = {
            "secret_1": random_letters(_LETTERS), "secret_2": random_letters(_LETTERS), "exp": work.now + seconds,
        }  # fmt: skip
        connection_state.put_sealed(work, _NAME, kept)
    return kept[name]["secret_1"], kept[name]["secret_2"]


def drop_all(work: Work) -> None:
    """Forget every pair."""
    connection_state.drop(work, _NAME)


def verified(work: Work, action: str, given: Any, account: Any) -> str | SecretRefused:
    """Return the second secret to whoever knows the first, else why not.

    A refusal is returned, not raised: the pair is used up by any try, and that must be kept. Raises TooManyGuesses.
    """
    if account in (None, "", 0, "0", False) or account == []:
        return SecretRefused("registration_state_invalid", "The state is empty.")
    if given is None or given == "":
        return SecretRefused("verify_secret_1_missing", "The secret is missing.")
    if not isinstance(given, str):
        return SecretRefused("verify_secret_1_malformed", "The secret is no text.")
    number = whole(str(account)) if isinstance(account, (int, str)) and not isinstance(account, bool) else None
    if number is None:
        return SecretRefused("state_missing", "The state is no number.")
    kept, name = _kept(work), f"connector_{action}_{number}"
    pair = kept.get(name)
    # Of one that was guessed too often nothing is used up.
    first = pair["secret_1"] if pair else ""
    right = guess_limiter.is_right(
        work, Secret.SERVICE_SECRET, action, f"{account}\n{given}", lambda: same(first, given)
    )
    kept.pop(name, None)
    if pair is None:
        return SecretRefused("verify_secrets_missing", "There are no such secrets; each may be tried once.")
    connection_state.put_sealed(work, _NAME, kept)
    if pair["exp"] <= work.now:
        return SecretRefused("verify_secrets_expired", "The secrets are too old.")
    if not right:
        return SecretRefused("verify_secrets_mismatch", "The secret is wrong.")
    second: str = pair["secret_2"]
    return second
