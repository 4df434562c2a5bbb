"""Errors of the four `remote_*` routes: a number as their code, and the word in the message.

Rules: docs/rules/connector.md, 7 (the code stays a number, the status is a client error).
"""

from __future__ import annotations

import html
from typing import Any, Final

from vetrina.kernel.errors import ApiError, Failure

BARE: Final = -10520  # the code of an error without its own number


class HandshakeStepRefused(ApiError):
    """A step that the service requested failed; the message contains the code word."""

    code = "400"
    codes = ("400", "404", str(BARE))
    failures = (Failure.INVALID, Failure.NOT_FOUND)
    message = "Connector: [{word}] {reason}"

    def __init__(self, word: str, reason: str, failure: Failure = Failure.INVALID, code: int | None = None) -> None:
        super().__init__(word=html.escape(word), reason=html.escape(reason))
        self.number = code or failure
        self.failure = failure

    def body(self) -> dict[str, Any]:
        return {**super().body(), "code": self.number}
