"""CSS text as tokens (CSS Syntax Module Level 3): where strings, addresses, names and brackets begin and end.

Not here: what of it may stay (design/styles/css/cleaning.py). Nothing that is read here raises: a string without an end
is a token of its own kind.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

_ESCAPE: Final = r"\\(?:[0-9a-fA-F]{1,6}[ \t\n]?|[^\n0-9a-fA-F])"
_NAME: Final = rf"(?:[\w-]|[^\x00-\x7f]|{_ESCAPE})"
_IDENT: Final = rf"(?:--|-?(?:[a-zA-Z_]|[^\x00-\x7f]|{_ESCAPE})){_NAME}*+"
_STRING: Final = r"{0}(?:[^{0}\\\n]|\\(?:\n|[^\n]))*+{0}?"
_TOKEN: Final = re.compile(
    rf"(?P<comment>/\*(?s:.*?)(?:\*/|\Z))"
    rf"|(?P<space>[ \t\n]+)"
    rf"|(?P<string>{_STRING.format(chr(34))}|{_STRING.format(chr(39))})"
    rf"|(?P<number>[+-]?(?:\d*\.)?\d+(?:[eE][+-]?\d+)?(?:%|{_IDENT})?)"
    rf"|(?P<function>{_IDENT}\()"
    rf"|(?P<ident>{_IDENT})"
    rf"|(?P<at>@{_IDENT})"
    rf"|(?P<hash>\#{_NAME}+)"
    rf"|(?P<mark>(?s:.))",
    re.ASCII,
)
# What stands in `url(…)` without quotes, and what ends it.
_BARE_ADDRESS: Final = re.compile(rf"[ \t\n]*((?:[^\"'()\\\x00-\x20\x7f]|{_ESCAPE})*+)[ \t\n]*(?:\)|\Z)")
_BAD_ADDRESS: Final = re.compile(r"(?:[^)\\]|\\(?:\n|[^\n])|\\\Z)*+\)?")
_QUOTE_AHEAD: Final = re.compile(r"[ \t\n]*[\"']")
_ANY_ESCAPE: Final = re.compile(r"\\(?:([0-9a-fA-F]{1,6})[ \t\n]?|(\n)|([^\n]))")
_LINE_ENDS: Final = re.compile(r"\r\n?|\f")
_NO_CHARACTERS: Final = re.compile("[\x00\ud800-\udfff]")
_MUST_ESCAPE: Final = re.compile(r"[\x00-\x1f\x7f\"\\<]")


class CssToken(NamedTuple):
    """A token.

    kind: a group of the pattern, or `address` for a whole `url(…)` without quotes, or `bad`. text: as it was written.
    value: a name in lower case without escapes, the content of a string or an address.
    """

    kind: str
    text: str
    value: str = ""


def tokenize(text: str) -> Iterator[CssToken]:
    """Yield the tokens of a CSS text."""
    text = _NO_CHARACTERS.sub("\ufffd", _LINE_ENDS.sub("\n", text))
    at = 0
    while found := _TOKEN.match(text, at):
        kind, written, at = str(found.lastgroup), found[0], found.end()
        if kind == "string":
            closed = len(written) > 1 and written[-1] == written[0] and not _ends_in_escape(written[1:-1])
            yield CssToken("string", written, unescape(written[1:-1])) if closed else CssToken("bad", written)
        elif kind == "function":
            name = unescape(written[:-1]).lower()
            if name == "url" and not _QUOTE_AHEAD.match(text, at):
                bare = _BARE_ADDRESS.match(text, at)
                end = bare or _BAD_ADDRESS.match(text, at)
                at = end.end() if end else at
                yield CssToken("address", "", unescape(bare[1])) if bare else CssToken("bad", "")
            else:
                yield CssToken("function", written, name)
        elif kind in ("ident", "at"):
            yield CssToken(kind, written, unescape(written).lower())
        else:
            yield CssToken(kind, written)


def unescape(text: str) -> str:
    """Return a name or the content of a string without escapes."""
    return _ANY_ESCAPE.sub(_resolve_escape, text) if "\\" in text else text


def quote(text: str) -> str:
    """Return a text as a string of CSS; no `<` is left in it, so that it may stand in a page."""
    escaped = _MUST_ESCAPE.sub(lambda found: f"\\{ord(found[0]):x} ", text)
    return f'"{escaped}"'


def _resolve_escape(found: re.Match[str]) -> str:
    if found[1] is None:
        return found[3] or ""
    code = int(found[1], 16)
    return "\ufffd" if code == 0 or code > 0x10FFFF or 0xD800 <= code < 0xE000 else chr(code)


def _ends_in_escape(text: str) -> bool:
    return (len(text) - len(text.rstrip("\\"))) % 2 == 1
