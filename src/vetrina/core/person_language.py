"""The language of a person: that of their screens, and of the texts that the server itself adds to an answer.

Not here: translations (core/phrases.py), the language of the content (rest/call.py). Rules:
docs/rules/global_parameters.md, 10.
"""

from __future__ import annotations

from collections.abc import Container
from typing import Final

from vetrina.core.call import Call
from vetrina.core.phrases import ENGLISH, TEXT_LANGUAGES
from vetrina.core.user import User
from vetrina.rest.call import Request
from vetrina.settings import Profile

_PARAMETER, _CALLER = "_locale", "user"
_MAX_ACCEPTED: Final = 20  # languages of a browser that are looked at


def find_accepted_language(request: Request, languages: Container[str]) -> str:
    """Return the first of the reader's languages that is among some; browsers send them in order of preference."""
    for part in request.headers.get("accept-language", "").split(",")[:_MAX_ACCEPTED]:
        code = part.partition(";")[0].strip().lower()
        if found := next((one for one in (code, code.partition("-")[0]) if one in languages), None):
            return found
    return ""


def choose_person_language(request: Request, user: User, profile: Profile) -> str:
    """Return the language of a person: the account's, else the first that the browser wants and there is."""
    if user.locale:
        return user.locale.replace("_", "-").partition("-")[0].lower()
    known = {*TEXT_LANGUAGES, *profile.languages}
    return find_accepted_language(request, known) or profile.default_language


def choose_text_language(call: Call) -> str:
    """Return the language of the server's own texts in an answer: English, with `_locale=user` that of the caller."""
    if call.request.query.get(_PARAMETER) != _CALLER:
        return ENGLISH
    language = choose_person_language(call.request, call.work.user, call.work.site.profile)
    return language if language in TEXT_LANGUAGES else ENGLISH
