"""What the site's own pages of accounts say: in English here, in other languages in the folder `languages`."""

from __future__ import annotations

from typing import Final

from vetrina.core.phrases import Phrases
from vetrina.rest.call import Request

PHRASES: Final = Phrases("vetrina.pages.own_account")


def translate(request: Request, text: str, /, **values: object) -> str:
    """Return a text in the language of a request, with the values of its {placeholders}."""
    return PHRASES.translate(request.language, text, **values)
