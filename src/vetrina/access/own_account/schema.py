"""Arguments that several routes of one's own account have."""

from __future__ import annotations

from typing import Any, Final

from vetrina.access.password_proofs.arguments import MAX_PASSWORD_LENGTH
from vetrina.access.passwords import hashing
from vetrina.kernel.errors import Failure, Fault
from vetrina.rest.fields import Field, String, ValidationContext

MAX_KEY_LENGTH: Final = 200  # characters of a key in a link; ours are shorter


def check_password(value: Any, name: str, context: ValidationContext) -> Fault | None:
    """Return the fault of a password that cannot be chosen."""
    if isinstance(value, str) and len(value) <= MAX_PASSWORD_LENGTH and hashing.is_usable_password(value):
        return None
    return Fault(
        "rest_user_invalid_password", "A password is not empty and has no backslash.", {"status": Failure.INVALID}
    )


def build_key_argument() -> Field:
    """Return the argument that takes the key of a link in a mail."""
    return String("Key from the link in the mail.", required=True, max_length=MAX_KEY_LENGTH, secret=True)
