"""One-time codes by time: six digits of a secret that site and app share, another one every 30 seconds.

RFC 6238 with the defaults that every app knows: SHA-1, 30 seconds, six digits. A code of the period before or after is
right too, for clocks that differ. Rules: docs/rules/second_factors.md, 1 and 2.
"""

from __future__ import annotations

import io
from typing import Final

from vetrina.access.second_factors import store
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel.keys import is_equal_secret

CODE_DIGITS: Final = 6
_PERIOD_SECONDS: Final = 30
_DRIFT_STEPS: Final = 1  # periods that a clock may be wrong, in either direction
_QR_SCALE: Final = 4  # pixels of a module of the picture


def generate_secret() -> str:
    """Return a random secret of 160 bits in base32."""
    import pyotp

    return pyotp.random_base32()


def build_uri(secret: str, login: str, issuer: str) -> str:
    """Return the secret as an app reads it. issuer: the site's title, which stands beside the code in the app."""
    import pyotp

    return pyotp.TOTP(secret).provisioning_uri(name=login, issuer_name=issuer or None)


def draw_qr_code(text: str) -> str:
    """Return a picture of a text that a camera reads, as SVG."""
    import segno

    out = io.BytesIO()
    segno.make(text, error="m", micro=False).save(out, kind="svg", scale=_QR_SCALE, xmldecl=False, light="#fff")
    return out.getvalue().decode().strip()


def _find_step(secret: str, code: str, now: int) -> int:
    """Return the period whose code this is, 0 for none. now: seconds since 1970. An empty secret has no code."""
    import pyotp

    if not secret:
        return 0

    totp, found = pyotp.TOTP(secret), 0
    current = now // _PERIOD_SECONDS
    # All are compared, so that the time does not reveal which period it was.
    for step in range(current - _DRIFT_STEPS, current + _DRIFT_STEPS + 1):
        if is_equal_secret(totp.at(step * _PERIOD_SECONDS), code):
            found = step
    return found


def spend_code(work: UnitOfWork, account: int, secret: str, code: str) -> bool:
    """Return whether a code is right, and use it up: nobody can use it, or an earlier one, a second time."""
    step = _find_step(secret, code, work.now)
    # The statement decides: of two requests with the same code one finds the period used up.
    return step > 0 and store.spend_step(work.tx, account, step)
