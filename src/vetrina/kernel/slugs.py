"""Slugs: the part of a URL that names a record, made from a title or cleaned from client input.

Lower-case ASCII letters, digits, `_`, `-` and percent octets, at most 200 bytes. Rules: docs/rules/slugs.md, 1. Which
slugs are taken or reserved: content/records/slugs.py.
"""

import re
from collections.abc import Callable
from functools import lru_cache
from itertools import chain, count
from typing import Final

from vetrina.kernel.folding import to_ascii
from vetrina.kernel.tags import strip_tags

MAX_SLUG_BYTES: Final = 200  # bytes; a percent octet counts as the three characters that write it
MAX_LOGIN_LETTERS: Final = 50  # characters of a login that its slug is made from

_OCTETS = re.compile(r"(?:%[0-9a-f]{2})+")
_HIGH_OCTETS = re.compile(r"(?:%[89a-f][0-9a-f])+")
_LONE_PERCENT = re.compile(r"%(?![0-9a-f]{2})")
_ENTITY = re.compile(r"&[^\n][^;\n]*;")
_DASH_ENTITY = re.compile(r"&(?:nbsp|#160|ndash|#8211|mdash|#8212);")
_NON_WORD = re.compile(r"[\x00-\x1f!-$&-,:-@\[-^`{-\x7f\ud800-\udfff]+")
_DASHES = re.compile(r"[ -]+")
_PARTIAL_OCTET = re.compile(r"%[0-9a-f]?\Z")
_FOREIGN = re.compile(r"[^\x00-\x7f]+")
_FINISHED_SLUG = re.compile(r"[a-z0-9_]+(?:-[a-z0-9_]+)*")


def _list_characters(*ranges: tuple[int, int]) -> str:
    return "".join(chr(code) for first, last in ranges for code in range(first, last + 1))


# White space and dashes of all widths, the slash and the full stop.
_DASH_CHARACTERS: Final = "./\u00a0\u2028\u2029\u202f\u205f\u3000" + _list_characters(
    (0x2000, 0x200A), (0x2010, 0x2015)
)
# Quotes, ornaments, detached accents and invisible characters: none of them is part of a word.
_DROPPED_CHARACTERS: Final = "\u00ad¡¿«»‹›•©®°…™´ˊ\ufeff\ufffc\ufffd" + _list_characters(
    (0x0080, 0x009F), (0x0300, 0x036F), (0x200B, 0x200F), (0x2018, 0x201F), (0x202A, 0x202E), (0x2060, 0x2064)
)
_CHARACTER_MAP: Final = str.maketrans(
    {**dict.fromkeys(_DASH_CHARACTERS, "-"), **dict.fromkeys(_DROPPED_CHARACTERS, ""), "×": "x"}
)


def slugify(text: str) -> str:
    """Return the slug of `text`; empty when nothing in it may stand in one.

    The cut to 200 bytes comes before characters are dropped, so a long title full of symbols gives a shorter slug.
    Slugs are unchanged. Rules: docs/rules/slugs.md, 1.
    """
    if len(text) > MAX_SLUG_BYTES:
        return _build_slug(text)
    return text if not text or _FINISHED_SLUG.fullmatch(text) else _build_short_slug(text)


def _build_slug(text: str) -> str:
    text = strip_tags(to_ascii(text)).lower()
    if "%" in text:
        text = _HIGH_OCTETS.sub(_decode_octets, _LONE_PERCENT.sub("", text))
    text = _cut_slug(text, MAX_SLUG_BYTES)
    if "&" in text:
        text = _ENTITY.sub("", _DASH_ENTITY.sub("-", text))
    text = _NON_WORD.sub("", text.translate(_CHARACTER_MAP))
    return _encode_foreign(_DASHES.sub("-", text).strip("-"))


# A title is looked at several times while its record is created: what to ask for, what is free, what is shown.
_build_short_slug = lru_cache(maxsize=64)(_build_slug)


def decode_slug(slug: str) -> str:
    """Return `slug` with its percent octets decoded; octets that are not UTF-8 stay."""
    return _OCTETS.sub(_decode_letters, slug) if "%" in slug else slug


def append_number(slug: str, number: int, longest: int = MAX_SLUG_BYTES) -> str:
    """Return `slug` with `-number` appended, shortened so that the whole fits `longest` bytes."""
    suffix = f"-{number}"
    return shorten_slug(slug, longest - len(suffix)) + suffix


def find_free_slug(slug: str, is_taken: Callable[[str], object], longest: int = MAX_SLUG_BYTES) -> str:
    """Return the first of `slug`, `slug-2`, `slug-3` and so on that is not taken."""
    numbered = (append_number(slug, number, longest) for number in count(2))
    return next(one for one in chain((slug,), numbered) if not is_taken(one))


def shorten_slug(slug: str, longest: int) -> str:
    """Return the beginning of `slug` that fits `longest` bytes, without half a character or a dash at its end."""
    if len(slug) <= longest:
        return slug
    return _encode_foreign(_cut_slug(_HIGH_OCTETS.sub(_decode_octets, slug), longest)).rstrip("-")


def slugify_login(login: str) -> str:
    """Return the slug of a login, made from its first 50 characters."""
    return slugify(login[:MAX_LOGIN_LETTERS])


def _decode_octets(match: re.Match[str]) -> str:
    # Invalid UTF-8 is dropped: two halves could otherwise meet and form another character.
    return bytes.fromhex(match[0].replace("%", "")).decode(errors="ignore")


def _decode_letters(match: re.Match[str]) -> str:
    try:
        return bytes.fromhex(match[0].replace("%", "")).decode()
    except UnicodeDecodeError:
        return match[0]


def _encode_foreign(text: str) -> str:
    return _FOREIGN.sub(_encode_octets, text)


def _encode_octets(match: re.Match[str]) -> str:
    return "".join([f"%{byte:02x}" for byte in match[0].encode()])


def _cut_slug(text: str, longest: int) -> str:
    if len(text) <= longest and text.isascii():
        return text
    size = 0
    for index, character in enumerate(text):
        size += 1 if character < "\x80" else 6 if character < "\u0800" else 9 if character < "\U00010000" else 12
        if size > longest:
            return _PARTIAL_OCTET.sub("", text[:index])
    return text
