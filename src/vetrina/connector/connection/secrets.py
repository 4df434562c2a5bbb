"""Pairs of secrets by which service and site recognize each other while an account or the site is being connected.

A pair is for one action and one account, expires, and can be tried only once, right or wrong.
Rules: docs/rules/connector_registration.md, 2 and 5.
"""

from __future__ import annotations

from typing import Any, Final

from vetrina.access.sign_in import guess_limiter
from vetrina.access.sign_in.guess_limiter import SecretKind
from vetrina.connector import stored_values
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel.errors import ApiError
from vetrina.kernel.integers import parse_digits
from vetrina.kernel.keys import generate_letters, is_equal_secret

REGISTER, AUTHORIZE = "register", "authorize"

_LETTERS: Final = 32
_NAME: Final = "secret_pairs"


class SecretRefused(ApiError):
    """A secret is missing, malformed, expired, used, or wrong; the code says which."""

    code = "verify_secrets_mismatch"
    codes = (
        "registration_state_invalid", "state_missing", "verify_secret_1_malformed", "verify_secret_1_missing",
        "verify_secrets_expired", "verify_secrets_mismatch", "verify_secrets_missing",
    )  # fmt: skip
    message = "{reason}"

    def __init__(self, code: str, reason: str) -> None:
        super().__init__(reason=reason)
        self.told = code

    def body(self) -> dict[str, Any]:
        return {**super().body(), "code": self.told}


def _load_pairs(work: UnitOfWork) -> dict[str, dict[str, Any]]:
    found = stored_values.get_decrypted_value(work, _NAME, {})
    return found if isinstance(found, dict) else {}


def ensure_secret_pair(work: UnitOfWork, action: str, account: int, seconds: int) -> tuple[str, str]:
    """Return the two secrets for an action of an account; a pair that is still valid is returned again."""
    pairs = {name: pair for name, pair in _load_pairs(work).items() if pair["exp"] > work.now}
    name = f"connector_{action}_{account}"
    if name not in pairs:
        pairs[name] = {
            "secret_1": generate_letters(_LETTERS), "secret_2": generate_letters(_LETTERS), "exp": work.now + seconds,
        }  # fmt: skip
        stored_values.save_encrypted_value(work, _NAME, pairs)
    return pairs[name]["secret_1"], pairs[name]["secret_2"]


def delete_secret_pairs(work: UnitOfWork) -> None:
    """Delete every pair."""
    stored_values.delete_values(work, _NAME)


def verify_secret_pair(work: UnitOfWork, action: str, given: Any, account: Any) -> str | SecretRefused:
    """Return the second secret where the first one matches, else the reason why not.

    A refusal is returned, not raised: any try uses the pair up, and that must be committed. Raises TooManyGuesses.
    """
    if account in (None, "", 0, "0", False) or account == []:
        return SecretRefused("registration_state_invalid", "The state is empty.")
    if given is None or given == "":
        return SecretRefused("verify_secret_1_missing", "The secret is missing.")
    if not isinstance(given, str):
        return SecretRefused("verify_secret_1_malformed", "The secret is no text.")
    number = parse_digits(str(account)) if isinstance(account, (int, str)) and not isinstance(account, bool) else None
    if number is None:
        return SecretRefused("state_missing", "The state is no number.")
    pairs, name = _load_pairs(work), f"connector_{action}_{number}"
    pair = pairs.get(name)
    # After too many guesses the pair is not used up.
    first = pair["secret_1"] if pair else ""
    right = guess_limiter.is_right_guess(
        work, SecretKind.SERVICE_SECRET, action, f"{account}\n{given}", lambda: is_equal_secret(first, given)
    )
    pairs.pop(name, None)
    if pair is None:
        return SecretRefused("verify_secrets_missing", "There are no such secrets; each may be tried once.")
    stored_values.save_encrypted_value(work, _NAME, pairs)
    if pair["exp"] <= work.now:
        return SecretRefused("verify_secrets_expired", "The secrets are too old.")
    if not right:
        return SecretRefused("verify_secrets_mismatch", "The secret is wrong.")
    second: str = pair["secret_2"]
    return second
