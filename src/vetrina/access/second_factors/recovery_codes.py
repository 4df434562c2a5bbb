"""Recovery codes: random ones for a day without the phone, each good for one sign-in.

Only their keyed digests are stored. Rules: docs/rules/second_factors.md, 4.
"""

from __future__ import annotations

import secrets
from typing import Final

from vetrina.core.site_context import SiteContext
from vetrina.kernel.keys import compute_digest

CODE_COUNT: Final = 10
_ALPHABET: Final = "abcdefghjkmnpqrstuvwxyz23456789"  # no letter or digit that looks like another
_GROUPS, _SIZE = 4, 4  # 79 bits


def generate_recovery_codes() -> tuple[str, ...]:
    """Return new random codes, as people write them down."""
    return tuple(
        "-".join("".join(secrets.choice(_ALPHABET) for _ in range(_SIZE)) for _ in range(_GROUPS))
        for _ in range(CODE_COUNT)
    )


def normalize_code(text: str) -> str:
    """Return a code without the blanks and dashes that people put in, in lower case."""
    return "".join(text.split()).replace("-", "").lower()


def compute_code_digest(site: SiteContext, account: int, code: str) -> str:
    """Return the stored digest of a recovery code of an account."""
    return compute_digest(site.settings.secret, f"recovery code\n{account}\n{normalize_code(code)}")
