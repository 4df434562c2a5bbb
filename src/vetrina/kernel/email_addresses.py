"""What a mail address looks like here: one address, in ASCII, at a domain with a dot.

Nothing else is taken: a look-alike letter (the sign of Kelvin) becomes a Latin one when it is made small, and so the
address of somebody else; a list or a name beside the address would send mails past what counts them by address.
"""

from __future__ import annotations

import re
from typing import Final

_MAX_LENGTH: Final = 254  # characters: RFC 5321, 4.5.3.1.3, without the brackets
_LABEL: Final = r"[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?"
_EMAIL: Final = re.compile(rf"[A-Za-z0-9!#$%&'*+/=?^_`{{|}}~.-]+@(?:{_LABEL}\.)+{_LABEL}")


def is_email_address(text: str) -> bool:
    """Return whether a text is a mail address."""
    return len(text) <= _MAX_LENGTH and _EMAIL.fullmatch(text) is not None
