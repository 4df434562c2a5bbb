"""Challenges that a passkey signs: each proves by itself that this site made it, for whom and until when.

Nothing is stored when one is made, so that strangers who open the sign-in page write nothing; one that was answered is
remembered until it is too old (access/passkeys/store.py). Rules: docs/rules/passkeys.md, 2.
"""

from __future__ import annotations

import secrets
from typing import Final

from vetrina.core.site_context import SiteContext
from vetrina.kernel.keys import compute_digest, is_equal_secret

CHALLENGE_SECONDS: Final = 600  # how long a challenge may be answered
_TIME_BYTES, _RANDOM_BYTES, _PROOF_BYTES = 8, 16, 32


def create_challenge(site: SiteContext, binding: str) -> bytes:
    """Return a challenge. binding: for what it is, and what only the right browser or account has."""
    begin = (site.clock.now() + CHALLENGE_SECONDS).to_bytes(_TIME_BYTES, "big") + secrets.token_bytes(_RANDOM_BYTES)
    return begin + _compute_proof(site, binding, begin)


def read_challenge(site: SiteContext, binding: str, challenge: bytes) -> int | None:
    """Return until when a challenge is good, None for one that is not ours, for something else, or too old."""
    begin, proof = challenge[: _TIME_BYTES + _RANDOM_BYTES], challenge[_TIME_BYTES + _RANDOM_BYTES :]
    until = int.from_bytes(begin[:_TIME_BYTES], "big")
    is_ours = len(proof) == _PROOF_BYTES and is_equal_secret(proof.hex(), _compute_proof(site, binding, begin).hex())
    return until if is_ours and until > site.clock.now() else None


def compute_challenge_digest(site: SiteContext, challenge: bytes) -> str:
    """Return under what an answered challenge is remembered."""
    return compute_digest(site.settings.secret, f"answered challenge\n{challenge.hex()}")


def _compute_proof(site: SiteContext, binding: str, begin: bytes) -> bytes:
    return bytes.fromhex(compute_digest(site.settings.secret, f"challenge\n{binding}\n{begin.hex()}"))
