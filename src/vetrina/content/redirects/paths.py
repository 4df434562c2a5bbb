"""What redirects lead from and to: paths of the site, normalised, and URLs of others.

A source is a path without the directory of its language, in lower case and without a slash at its end: addresses of the
site differ in neither. One that ends with `/*` stands for everything below it. Rules: docs/rules/redirects.md, 1 and 2.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from typing import Final, NamedTuple
from urllib.parse import quote, unquote, urlsplit

MAX_LENGTH: Final = 1_000  # characters of a source or a target
_SAFE: Final = "/%?&=#:@!$'()*+,;~[]-._"
_REFUSED: Final = re.compile(r"[\x00-\x20\x7f<>\"\\^`{|}]")


class RedirectSource(NamedTuple):
    """What a redirect leads from. language: empty for every one. prefix: whether it stands for all that is below it."""

    language: str
    path: str
    prefix: bool


class InvalidPath(ValueError):
    """A text is no source or target; the message says why."""


def split_site_path(path: str, languages: Sequence[str]) -> tuple[str, str]:
    """Return the language that a path of the site names, empty for none, and the rest of it, normalised."""
    segments = [segment for segment in unicodedata.normalize("NFC", unquote(path)).split("/") if segment]
    language = segments.pop(0) if segments and segments[0] in languages else ""
    return language, "/" + "/".join(segments).lower()


def parse_source(text: str, language: str, languages: Sequence[str], site: str) -> RedirectSource:
    """Return what a written source means; site: the site's address, which may stand before it. Raises InvalidPath."""
    text = text.strip()
    if site and (text == site or text.startswith(f"{site}/")):
        text = text[len(site) :] or "/"
    if len(text) > MAX_LENGTH:
        raise InvalidPath(f"A source has {MAX_LENGTH} characters at most.")
    if not text.startswith("/") or text.startswith("//"):
        raise InvalidPath("A source is a path of this site, such as /old/page or /old/*.")
    if "?" in text or "#" in text:
        raise InvalidPath("A source has neither a query nor a fragment: only its path is looked up.")
    prefix = text.endswith("/*")
    named, path = split_site_path(text[:-1] if prefix else text, languages)
    if "*" in path:
        raise InvalidPath("`*` may only stand at the end of a source, after a slash.")
    if _has_control(path):
        raise InvalidPath("A source has no control characters.")
    if named and language and named != language:
        raise InvalidPath(f"The source is an address of the language {named!r}, and `language` says {language!r}.")
    if path == "/" and not prefix:
        raise InvalidPath("The home page is always there, so that nothing can lead away from it.")
    return RedirectSource(named or language, path, prefix)


def parse_target(text: str, prefix: bool) -> str:
    """Return a target as it is stored: a path of this site or an http(s) URL. Raises InvalidPath.

    prefix: whether the source stands for all that is below it; the target may then end with `/*` too.
    """
    text = text.strip()
    if len(text) > MAX_LENGTH:
        raise InvalidPath(f"A target has {MAX_LENGTH} characters at most.")
    if _REFUSED.search(text):
        raise InvalidPath("A target has no blanks, quotation marks, backslashes or brackets; write %20 and so on.")
    if "*" in text and not (prefix and text.endswith("/*") and text.count("*") == 1):
        raise InvalidPath("`*` may only stand at the end of the target of a source that ends with /*.")
    if text.startswith("/") and not text.startswith("//"):
        return text
    try:
        parts = urlsplit(text)
        sound = parts.scheme in ("http", "https") and bool(parts.hostname) and (parts.port is None or parts.port >= 0)
    except ValueError:
        sound = False
    if not sound or "@" in parts.netloc:
        raise InvalidPath("A target is a path of this site, such as /new, or a whole http(s) URL.")
    return text


def format_source(source: RedirectSource) -> str:
    """Return a source as people write it, without its language."""
    return f"{source.path.rstrip('/')}/*" if source.prefix else source.path


def list_candidates(path: str) -> list[RedirectSource]:
    """Return the sources that a normalised path may match, the nearest first, without language."""
    segments = path.split("/")[1:]
    above = ["/" + "/".join(segments[:length]) for length in range(len(segments) - 1, 0, -1)] + ["/"]
    return [RedirectSource("", path, False), *(RedirectSource("", one, True) for one in above[:_MAX_DEPTH])]


def is_outside(target: str) -> bool:
    """Return whether a target is a whole URL, not a path of the site."""
    return not target.startswith("/")


def encode_target(target: str) -> str:
    """Return a target in ASCII, for a header."""
    return quote(target, safe=_SAFE)


def _has_control(text: str) -> bool:
    return any(unicodedata.category(character) == "Cc" for character in text)


_MAX_DEPTH: Final = 40  # segments of a path whose prefixes are looked up
