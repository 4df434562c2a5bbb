"""Names of uploaded files: the sanitized name, and the folder that the file goes to.

Accepted extensions: media/uploads/filetypes.py. Whether a name is free: the file store, when a file is put. Rules:
docs/rules/media.md, 3.
"""

from __future__ import annotations

import re
from typing import Final

from vetrina.kernel.folding import to_ascii
from vetrina.media.uploads.filetypes import TYPE_OF_EXTENSION

UPLOADS_FOLDER: Final = "uploads/"  # prefix in the store of the paths in records
_MAX_NAME_BYTES: Final = 180  # bytes of a name without its extension; sizes and numbers are appended to it

_BLANKS: Final = re.compile(r"(?:%20|[+\s\u00a0])+")
_UNWANTED: Final = re.compile(
    r"[\x00-\x1f\x7f-\x9f?\[\]/\\=<>:;,'\"&$#*()|~`!{}%+\u2018\u2019\u201c\u201d«»\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]"
)
_DASHES: Final = re.compile(r"-{2,}")
# A server that executes files by any extension in their name must find only the last.
_EXTENSION_LIKE: Final = re.compile(r"[A-Za-z]{2,5}\d?")
_PARAMETER: Final = re.compile(r";\s*([\w!#$%&'*+.^`|~-]+)\s*=\s*(?:\"((?:[^\"\\]|\\.)*)\"|([^;]*))")
_ESCAPED: Final = re.compile(r"\\(.)")


def parse_disposition_name(header: str) -> str | None:
    """Return the file name in a Content-Disposition header, None if it has none.

    header: as received, decoded as Latin-1. Source: RFC 6266; a name may be unquoted and contain spaces.
    """
    kind = header.partition(";")[0].strip()
    if not kind or "=" in kind:
        return None
    found: dict[str, str] = {}
    for name, quoted, plain in _PARAMETER.findall(header):
        found.setdefault(name.lower(), (_ESCAPED.sub(r"\1", quoted) if quoted else plain).strip())
    extended = _decode_extended_value(found.get("filename*", ""))
    name = extended or _decode_latin1(found.get("filename", ""))
    return name or None


def split_file_name(name: str) -> tuple[str, str]:
    """Return a sent name without folders, and its extension in lower case without the dot, empty for none."""
    last = name.replace("\\", "/").rsplit("/", 1)[-1]
    stem, dot, ending = last.rpartition(".")
    return (stem, ending.strip().lower()) if dot else (last, "")


def clean_file_stem(stem: str) -> str:
    """Return the sanitized stem of a sent name without folders and extension."""
    name = _BLANKS.sub("-", to_ascii(stem))
    name = _DASHES.sub("-", _UNWANTED.sub("", name)).strip(".-_")
    first, *others = name.split(".")
    for part in others:
        guarded = "_" if _EXTENSION_LIKE.fullmatch(part) and part.lower() not in TYPE_OF_EXTENSION else ""
        first += f".{part}{guarded}"
    name = (
        first.encode()[:_MAX_NAME_BYTES].decode(errors="ignore").rstrip(".-_ ")
        if len(first.encode()) > _MAX_NAME_BYTES
        else first
    )
    return name or "unnamed-file"


def number_file_stem(stem: str, number: int) -> str:
    """Return the name of a file when others are taken; number: how many were tried before."""
    return f"{stem}-{number}" if number else stem


def build_date_folder(local_date: str) -> str:
    """Return the folder of a file; local_date: of the upload, as `2026-11-…`."""
    return f"{local_date[:4]}/{local_date[5:7]}/"


def _decode_latin1(text: str) -> str:
    try:
        return text.encode("latin-1").decode()
    except UnicodeError:
        return text


def _decode_extended_value(value: str) -> str:
    """Return the name in an RFC 5987 value (charset, language and octets)."""
    from urllib.parse import unquote

    charset, _, rest = value.partition("'")
    _, _, octets = rest.partition("'")
    try:
        return unquote(octets, encoding=charset or "utf-8", errors="strict")
    except (UnicodeDecodeError, LookupError):
        return ""
