"""Names of uploaded files: what is left of the name that was sent, and where the file goes.

Not here: which endings are taken (media/uploads/filetypes.py), which names are free (the store says so when a file is
put). Rules: facts of the interface, "Upload".
"""

from __future__ import annotations

import re
from typing import Final

from vetrina.kernel.folding import to_ascii
from vetrina.media.uploads.filetypes import TYPES

__all__ = ["FOLDER", "cleaned", "disposed", "folder", "numbered", "stem_and_ending"]

FOLDER: Final = "uploads/"  # in front of the paths that records show, the name in the store
_LONGEST: Final = 180  # bytes of a name without its ending; sizes and numbers are put behind it

_BLANKS: Final = re.compile(r"(?:%20|[+\s\u00a0])+")
_UNWANTED: Final = re.compile(
    r"[\x00-\x1f\x7f-\x9f?\[\]/\\=<>:;,'\"&$#*()|~`!{}%+\u2018\u2019\u201c\u201d«»\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]"
)
_DASHES: Final = re.compile(r"-{2,}")
# A server that runs files by any ending of their name must find none but the last.
_LIKE_ENDING: Final = re.compile(r"[A-Za-z]{2,5}\d?")
_PARAMETER: Final = re.compile(r";\s*([\w!#$%&'*+.^`|~-]+)\s*=\s*(?:\"((?:[^\"\\]|\\.)*)\"|([^;]*))")
_ESCAPED: Final = re.compile(r"\\(.)")


def disposed(header: str) -> str | None:
    """Return the name that a Content-Disposition gives to the file, None when it gives none.

    header: as it came, its bytes read as Latin-1. Source: RFC 6266; a name may be unquoted and hold blanks.
    """
    kind = header.partition(";")[0].strip()
    if not kind or "=" in kind:
        return None
    found: dict[str, str] = {}
    for name, quoted, plain in _PARAMETER.findall(header):
        found.setdefault(name.lower(), (_ESCAPED.sub(r"\1", quoted) if quoted else plain).strip())
    extended = _extended(found.get("filename*", ""))
    name = extended or _decoded(found.get("filename", ""))
    return name or None


def stem_and_ending(name: str) -> tuple[str, str]:
    """Return a sent name without folders, and its ending in lower case without the dot, empty for none."""
    last = name.replace("\\", "/").rsplit("/", 1)[-1]
    stem, dot, ending = last.rpartition(".")
    return (stem, ending.strip().lower()) if dot else (last, "")


def cleaned(stem: str) -> str:
    """Return what a file may be called, without its ending, for a sent name without folders and ending."""
    name = _BLANKS.sub("-", to_ascii(stem))
    name = _DASHES.sub("-", _UNWANTED.sub("", name)).strip(".-_")
    first, *others = name.split(".")
    for part in others:
        guarded = "_" if _LIKE_ENDING.fullmatch(part) and part.lower() not in TYPES else ""
        first += f".{part}{guarded}"
    name = first.encode()[:_LONGEST].decode(errors="ignore").rstrip(".-_ ") if len(first.encode()) > _LONGEST else first
    return name or "unnamed-file"


def numbered(stem: str, number: int) -> str:
    """Return the name for the file that comes when others have it; number: how many were tried before."""
    return f"{stem}-{number}" if number else stem


def folder(local_date: str) -> str:
    """Return the folder of a file; local_date: when it came, as `2026-11-…`."""
    return f"{local_date[:4]}/{local_date[5:7]}/"


def _decoded(text: str) -> str:
    try:
        return text.encode("latin-1").decode()
    except UnicodeError:
        return text


def _extended(value: str) -> str:
    """Return the name that RFC 5987 writes as charset, language and octets."""
    from urllib.parse import unquote

    charset, _, rest = value.partition("'")
    _, _, octets = rest.partition("'")
    try:
        return unquote(octets, encoding=charset or "utf-8", errors="strict")
    except (UnicodeDecodeError, LookupError):
        return ""
