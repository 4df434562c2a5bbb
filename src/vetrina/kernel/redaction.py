"""What a text of the server may tell over the interface: no credential, no address of a person, no path of the machine.

For the errors of background jobs, which quote what failed. Log lines stay whole: they are read on the machine itself.
"""

from __future__ import annotations

import re
from typing import Final

MASK: Final = "***"

_MAIL: Final = re.compile(r"[\w.+%'-]+@[\w-]+(?:\.[\w-]+)*")
_USER_INFO: Final = re.compile(r"(?<=://)[^/\s@]+@")
_QUERY: Final = re.compile(r"\?[^\s\"'<>)]*=[^\s\"'<>)]*")
# A name that sounds like a secret, and what follows it; masking one too many does no harm.
_NAMED_SECRET: Final = re.compile(
    r"((?:secret|passw(?:ord|d)?|pwd|token|signature|nonce|api[_-]?key|authorization|cookie|credentials?)\w*"
    r"[\"']?\s*(?:[:=]\s*|\s)[\"']?(?:bearer\s+|basic\s+)?)([^\s\"',;)}]+)",
    re.IGNORECASE,
)
# Letters and digits in one word of this length are a key, and no word of a language.
_KEY: Final = re.compile(r"\b(?=[\w-]*\d)(?=[\w-]*[A-Za-z])[A-Za-z0-9_-]{24,}\b")
_PATH: Final = re.compile(r"(?<![\w:/.])/(?:[\w.@+-]+/)+([\w.@+-]*)")


def redact_text(text: str) -> str:
    """Return a text without what is nobody's business: of a path its last part stays, of an address nothing."""
    text = _USER_INFO.sub(f"{MASK}@", text)
    text = _QUERY.sub(f"?{MASK}", text)
    text = _NAMED_SECRET.sub(rf"\1{MASK}", text)
    text = _MAIL.sub(lambda found: found[0] if found[0].startswith(MASK) else MASK, text)
    text = _KEY.sub(MASK, text)
    return _PATH.sub(r"…/\1", text)
