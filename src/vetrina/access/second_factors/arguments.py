"""The code that routes of second factors ask for. Rules: docs/rules/second_factors.md, 5."""

from __future__ import annotations

from typing import Final

from vetrina.rest.fields import Field, String

_MAX_CODE_LENGTH: Final = 100  # characters

CODE: Final[dict[str, Field]] = {
    "code": String(
        "The one-time code that the app shows now, or a recovery code.", required=True, max_length=_MAX_CODE_LENGTH,
        secret=True,
    )
}  # fmt: skip
