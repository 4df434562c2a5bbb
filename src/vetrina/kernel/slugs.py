"""Slugs: the part of an address that names a record, made of a title or cleaned from what a client sent.

Not here: which slugs are taken or reserved (domain/content), names of files (domain/media).
Rules: observed on odd slugs and titles: lower-case ASCII letters, digits, `_`, `-` and percent octets, 200 bytes at
most.
"""

import re
from typing import Final

from vetrina.kernel.folding import to_ascii
from vetrina.kernel.tags import without_tags

LONGEST: Final = 200  # bytes, octets counted as the three signs that write them
LONGEST_OF_USER: Final = 50  # letters of a login that its slug is made of

_OCTETS = re.compile(r"(?:%[0-9a-f]{2})+")
_HIGH_OCTETS = re.compile(r"(?:%[89a-f][0-9a-f])+")
_LONE_PERCENT = re.compile(r"%(?![0-9a-f]{2})")
_ENTITY = re.compile(r"&[^\n][^;\n]*;")
_DASH_ENTITY = re.compile(r"&(?:nbsp|#160|ndash|#8211|mdash|#8212);")
_NO_WORD = re.compile(r"[\x00-\x1f!-$&-,:-@\[-^`{-\x7f\ud800-\udfff]+")
_DASHES = re.compile(r"[ -]+")
_PART_OF_OCTET = re.compile(r"%[0-9a-f]?\Z")
_FOREIGN = re.compile(r"[^\x00-\x7f]+")
_READY = re.compile(r"[a-z0-9_]+(?:-[a-z0-9_]+)*")


def _signs(*ranges: tuple[int, int]) -> str:
    return "".join(chr(code) for first, last in ranges for code in range(first, last + 1))


# Blanks and dashes of all widths, and the stroke and full stop.
_AS_DASH: Final = "./\u00a0\u2028\u2029\u202f\u205f\u3000" + _signs((0x2000, 0x200A), (0x2010, 0x2015))
# Quotes, ornaments, accents that belong to no letter, and invisible signs: none of them carries a word.
_DROPPED: Final = "\u00ad¡¿«»‹›•©®°…™´ˊ\ufeff\ufffc\ufffd" + _signs(
    (0x0080, 0x009F), (0x0300, 0x036F), (0x200B, 0x200F), (0x2018, 0x201F), (0x202A, 0x202E), (0x2060, 0x2064)
)
_SIGNS: Final = str.maketrans({**dict.fromkeys(_AS_DASH, "-"), **dict.fromkeys(_DROPPED, ""), "×": "x"})


def slugify(text: str) -> str:
    """Return the slug that `text` gives; empty when nothing of it may stand in one.

    The cut to 200 bytes comes before signs fall away, so a long title full of signs gives a shorter slug. Making a
    slug of a slug changes nothing.
    Source: the recordings of odd slugs.
    """
    if len(text) <= LONGEST and _READY.fullmatch(text):
        return text
    text = without_tags(to_ascii(text)).lower()
    if "%" in text:
        text = _HIGH_OCTETS.sub(_decoded, _LONE_PERCENT.sub("", text))
    text = _cut(text, LONGEST)
    if "&" in text:
        text = _ENTITY.sub("", _DASH_ENTITY.sub("-", text))
    text = _NO_WORD.sub("", text.translate(_SIGNS))
    return _encoded(_DASHES.sub("-", text).strip("-"))


def readable(slug: str) -> str:
    """Return `slug` with its percent octets as letters; octets that are no UTF-8 stay octets."""
    return _OCTETS.sub(_letters, slug) if "%" in slug else slug


def numbered(slug: str, number: int) -> str:
    """Return `slug` with `-number` behind it, its end cut off where the whole would pass 200 bytes."""
    suffix = f"-{number}"
    return shortened(slug, LONGEST - len(suffix)) + suffix


def shortened(slug: str, longest: int) -> str:
    """Return the beginning of `slug` that fits `longest` bytes, without half a letter or a dash at its end."""
    if len(slug) <= longest:
        return slug
    return _encoded(_cut(_HIGH_OCTETS.sub(_decoded, slug), longest)).rstrip("-")


def of_user(login: str) -> str:
    """Return the slug that a login gives: made of its first 50 letters."""
    return slugify(login[:LONGEST_OF_USER])


def _decoded(match: re.Match[str]) -> str:
    # What is no UTF-8 is dropped: two halves could otherwise meet and become another letter.
    return bytes.fromhex(match[0].replace("%", "")).decode(errors="ignore")


def _letters(match: re.Match[str]) -> str:
    try:
        return bytes.fromhex(match[0].replace("%", "")).decode()
    except UnicodeDecodeError:
        return match[0]


def _encoded(text: str) -> str:
    return _FOREIGN.sub(_octets, text)


def _octets(match: re.Match[str]) -> str:
    return "".join([f"%{byte:02x}" for byte in match[0].encode()])


def _cut(text: str, longest: int) -> str:
    if len(text) <= longest and text.isascii():
        return text
    size = 0
    for index, sign in enumerate(text):
        size += 1 if sign < "\x80" else 6 if sign < "\u0800" else 9 if sign < "\U00010000" else 12
        if size > longest:
            return _PART_OF_OCTET.sub("", text[:index])
    return text
