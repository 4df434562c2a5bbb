"""Nonces: a request that holds one comes from a page of this site.

Browsers send a session's cookie along with forged requests of other sites, too. Rules: docs/rules/authentication.md, 4.
"""

from __future__ import annotations

from typing import Final

from vetrina.core.site_context import SiteContext
from vetrina.kernel.keys import compute_digest, is_equal_secret

INTERFACE_ACTION: Final = "interface"  # action of the nonces in requests to the interface
_TICK_SECONDS: Final = 12 * 3600  # seconds; a nonce is valid in the half day that created it and in the next
_LENGTH: Final = 20  # characters


def create_nonce(site: SiteContext, key: str, action: str = INTERFACE_ACTION) -> str:
    """Return a nonce; key: of the session, or another secret that only the browser has; action: what it allows."""
    return _compute_nonce(site, key, action, site.clock.now() // _TICK_SECONDS)


def is_valid_nonce(site: SiteContext, key: str, given: object, action: str = INTERFACE_ACTION) -> bool:
    """Return whether a nonce is valid for this action and not older than a day."""
    tick = site.clock.now() // _TICK_SECONDS
    return isinstance(given, str) and any(
        is_equal_secret(given, _compute_nonce(site, key, action, at)) for at in (tick, tick - 1)
    )


def _compute_nonce(site: SiteContext, key: str, action: str, tick: int) -> str:
    return compute_digest(site.settings.secret, f"nonce\n{action}\n{key}\n{tick}")[:_LENGTH]
