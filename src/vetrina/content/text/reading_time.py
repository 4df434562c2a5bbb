"""How long a text takes to read. Rules: docs/rules/content_forms.md, 5."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

WORDS_A_MINUTE: Final = 189
CHARACTERS_A_MINUTE: Final = 500  # of scripts that part no words

# Han, Hiragana, Katakana, Bopomofo, and the scripts of South-East Asia that part no words either.
_UNPARTED: Final = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3040-\u30ff\u3100-\u312f\u31f0-\u31ff\u3400-\u4dbf"
    "\u4e00-\u9fff\uf900-\ufaff\uff66-\uff9f\U00020000-\U0003fffd]"
)
_LETTER: Final = re.compile(r"\w")


class ReadingTime(NamedTuple):
    """How long a text takes to read. minutes: at least one where there are words."""

    minutes: int
    words: int


def compute_reading_time(plain: str) -> ReadingTime:
    """Return how long a plain text takes to read; a character of a script that parts no words counts as a word."""
    characters = len(_UNPARTED.findall(plain))
    parted = (_UNPARTED.sub(" ", plain) if characters else plain).split()
    words = sum(1 for one in parted if _LETTER.search(one) is not None)
    minutes = characters / CHARACTERS_A_MINUTE + words / WORDS_A_MINUTE
    return ReadingTime(max(1, round(minutes)) if characters or words else 0, characters + words)
