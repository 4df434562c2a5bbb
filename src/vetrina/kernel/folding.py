"""Text without case and accents: the ASCII form for slugs, and the folded form for sorting and searching.

Letters that Unicode does not decompose (ø, đ, ł …) are in the tables below; all others are decomposed by
`unicodedata`. Rules: docs/rules/slugs.md, 1; docs/rules/lists.md, 5 and 11.
"""

import unicodedata
from functools import lru_cache
from typing import Final

from vetrina.kernel.chunked_regex import LONG_TEXT_LENGTH, iterate_pieces

# Lower-case letters without a canonical decomposition, and what they are written as without their stroke or tie.
_LETTERS: Final = {
    "æ": "ae", "œ": "oe", "ø": "o", "đ": "d", "ð": "d", "ħ": "h", "ı": "i", "ĳ": "ij", "ĸ": "k", "ŀ": "l", "ł": "l",
    "ŉ": "n", "ŋ": "n", "ŧ": "t", "þ": "th", "ſ": "s", "ƀ": "b", "ɓ": "b", "ƃ": "b", "ƈ": "c", "ȼ": "c", "ɖ": "d",
    "ɗ": "d", "ƌ": "d", "ȡ": "d", "ǝ": "e", "ɛ": "e", "ɇ": "e", "ə": "e", "ƒ": "f", "ɠ": "g", "ǥ": "g", "ɣ": "g",
    "ƕ": "hv", "ɦ": "h", "ɨ": "i", "ɩ": "i", "ɉ": "j", "ȷ": "j", "ƙ": "k", "ƚ": "l", "ȴ": "l", "ɲ": "n", "ƞ": "n",
    "ȵ": "n", "ɔ": "o", "ɵ": "o", "ƣ": "oi", "ȣ": "ou", "ƥ": "p", "ɋ": "q", "ɍ": "r", "ʀ": "r", "ȿ": "s", "ʃ": "s",
    "ƫ": "t", "ƭ": "t", "ʈ": "t", "ȶ": "t", "ⱦ": "t", "ʉ": "u", "ʊ": "u", "ʋ": "v", "ⱳ": "w", "ƴ": "y", "ɏ": "y",
    "ƶ": "z", "ȥ": "z", "ɀ": "z", "ʒ": "z", "ȸ": "db", "ȹ": "qp", "ᵽ": "p", "ⱥ": "a", "ⱡ": "l", "ɫ": "l", "ꞌ": "",
}  # fmt: skip

_FOLDED: Final = str.maketrans(_LETTERS)

# Characters; PostgreSQL's indexes hold rows of up to 2,704 bytes, and a character has up to four.
_MAX_KEY_LENGTH: Final = 500

_MAX_FOLDED_LENGTH: Final = 5_000  # characters that the key is made from; combining accents among them drop out

# Combining classes that are not accents: letters and vowel signs, kana voicing marks, Indic signs without a vowel.
_NO_ACCENT: Final = frozenset((0, 8, 9))

# What only slugs write differently: currency signs, ordinals, the pinyin a, and the sharp s, which loses one s.
_ASCII: Final = {"ß": "s", "ẞ": "S", "ª": "a", "º": "o", "€": "E", "£": "", "ŉ": "n", "ɑ": "a"}


def fold_text(text: str) -> str:
    """Return `text` as it is compared: without case and accents, ligatures and strokes written out.

    Marks that are letters of their own (Indic vowel signs, kana voicing marks) stay. Folding is idempotent.
    """
    if text.isascii():
        return text.lower()
    if len(text) > LONG_TEXT_LENGTH:
        # Folding megabytes at once would block all other threads; nothing combines across white space.
        return "".join([fold_text(piece) for piece in iterate_pieces(text, " \n")])
    decomposed = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", text).casefold())
    remaining = "".join([character for character in decomposed if unicodedata.combining(character) in _NO_ACCENT])
    return remaining.translate(_FOLDED)


def build_sort_key(text: str) -> str:
    """Return the beginning of the folded `text`: as much as every database can hold in an index."""
    return fold_text(text[:_MAX_FOLDED_LENGTH])[:_MAX_KEY_LENGTH]


def to_ascii(text: str) -> str:
    """Return `text` with the accents of Latin letters removed; all other characters stay as they are, composed."""
    if text.isascii():
        return text
    composed = unicodedata.normalize("NFC", text)
    return "".join([character if character < "\x80" else _strip_accent(character) for character in composed])


@lru_cache(maxsize=4096)
def _strip_accent(character: str) -> str:
    if (replacement := _ASCII.get(character)) is not None:
        return replacement
    lower = character.lower()
    if (replacement := _LETTERS.get(lower)) is not None:
        return replacement if character == lower else replacement.upper()
    decomposed = unicodedata.normalize("NFD", character)
    base, marks = decomposed[0], decomposed[1:]
    if marks and all(map(unicodedata.combining, marks)):
        if base in _ASCII or base.lower() in _LETTERS:
            return _strip_accent(base)
        if base < "\x80" and base.isalpha():
            return base
    return character
