"""Letters without case and accents: the ASCII form for slugs, and the folded form for sorting and searching.

Not here: what a slug may hold (kernel/slugs.py), the index that keeps folded text (backends/search_index.py).
Rules: lists sort and search without case and accents, slugs have accents as ASCII (observed). Letters that Unicode does
not take apart (ø, đ, ł …) stand in the tables below; all others are taken apart by `unicodedata`.
"""

import unicodedata
from functools import lru_cache
from typing import Final

from vetrina.kernel.chunked_regex import LONG, pieces

# Lower-case letters that have no canonical decomposition, and what they are written as without their stroke or tie.
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

# Letters; PostgreSQL's indexes hold rows of up to 2,704 bytes, and a letter has up to four.
_LONGEST_KEY: Final = 500

_LOOKED_AT: Final = 5_000  # letters of which the key is made; accents among them are none of it

# Combining classes of what is no accent: letters and vowel signs, voicing marks of kana, Indic signs of no vowel.
_NO_ACCENT: Final = frozenset((0, 8, 9))

# What only a slug writes otherwise: signs of money, ordinals, the a of pinyin, and the sharp s, which loses one s.
_ASCII: Final = {"ß": "s", "ẞ": "S", "ª": "a", "º": "o", "€": "E", "£": "", "ŉ": "n", "ɑ": "a"}


def fold(text: str) -> str:
    """Return `text` as it is compared: letter case and accents gone, ligatures and strokes written out.

    Marks that are letters of their own (Indic vowel signs, the voicing of kana) stay. Folding twice changes nothing.
    """
    if text.isascii():
        return text.lower()
    if len(text) > LONG:
        # Whoever folds a text of megabytes at once lets nobody else in; nothing joins what blanks part.
        return "".join([fold(piece) for piece in pieces(text, " \n")])
    apart = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", text).casefold())
    kept = "".join([sign for sign in apart if unicodedata.combining(sign) in _NO_ACCENT])
    return kept.translate(_FOLDED)


def sort_key(text: str) -> str:
    """Return the beginning of `text` as it is compared: as much as every database can hold in an index."""
    return fold(text[:_LOOKED_AT])[:_LONGEST_KEY]


def to_ascii(text: str) -> str:
    """Return `text` with the accents of Latin letters gone; all other signs stay as they are, composed."""
    if text.isascii():
        return text
    composed = unicodedata.normalize("NFC", text)
    return "".join([sign if sign < "\x80" else _plain_letter(sign) for sign in composed])


@lru_cache(maxsize=4096)
def _plain_letter(sign: str) -> str:
    if (written := _ASCII.get(sign)) is not None:
        return written
    lower = sign.lower()
    if (written := _LETTERS.get(lower)) is not None:
        return written if sign == lower else written.upper()
    apart = unicodedata.normalize("NFD", sign)
    base, marks = apart[0], apart[1:]
    if marks and all(map(unicodedata.combining, marks)):
        if base in _ASCII or base.lower() in _LETTERS:
            return _plain_letter(base)
        if base < "\x80" and base.isalpha():
            return base
    return sign
