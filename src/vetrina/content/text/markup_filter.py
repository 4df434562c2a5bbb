"""The filter of markup: parses it and writes it again without what is not allowed.

What is allowed keeps its bytes: order of attributes, quotes, blanks in text, letter case of names. What cannot be a tag
becomes text (`<` is written `&lt;`), so that what is left can never join to a new tag. Attribute values in the output
never hold `<` or `>`. Not here: the tables (content/text/allowed_markup.py), the functions per kind of text
(content/text/sanitizing.py). Rules: docs/rules/markup.md, 2 to 5, read as strictly as the strictest browser does.
"""

import re
from collections.abc import Callable, Mapping
from typing import Final

from vetrina.content.text.allowed_markup import ENTITIES, URL_ATTRIBUTES, VALUELESS_ATTRIBUTES
from vetrina.content.text.inline_styles import sanitize_style
from vetrina.content.text.url_protocols import strip_unsafe_protocols
from vetrina.kernel.chunked_regex import replace_matches

AllowedElements = Mapping[str, frozenset[str]]

_CONTROLS = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff]+")
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff]")
_AMPERSAND = re.compile(r"&(?:([A-Za-z]{2,8}[0-9]{0,2});|#([0-9]+);|#([xX])([0-9A-Fa-f]+);)?")
_BRACKET = re.compile(r"[<>]")
_NAME = re.compile(r"/?([a-zA-Z][a-zA-Z0-9-]*)(?![^ \t\r\n/])")
_DASH = re.compile("-")
_DASHES = re.compile(r"--+")

_ATTRIBUTE = re.compile(
    r"[ \t\r\n/]*(?P<name>[_a-zA-Z][-_a-zA-Z0-9:.]*)"
    r"(?:[ \t\r\n]*=[ \t\r\n]*(?P<value>\"[^\"]*\"|'[^']*'|[^ \t\r\n\"'`<>]+))?"
)
_INVALID_ATTRIBUTE = re.compile(r"[ \t\r\n]*(?:\"[^\"]*\"?|'[^']*'?|[^ \t\r\n\"'])")
_OWN_DATA = re.compile(r"data-[a-z0-9_-]+")
_UNSAFE_FILE_PATH = re.compile(r"[?#&%\\]|/\.")
_BLANKS: Final = " \t\r\n"


def remove_controls(text: str) -> str:
    """Return `text` without control characters (tab and line ends stay) and lone surrogates."""
    return text if text.isprintable() else replace_matches(_CONTROLS, "", text, _CONTROL)


def normalize_entities(text: str) -> str:
    """Return `text` with `&amp;` for every `&` that begins no known entity; numeric ones have three digits or more."""
    return _AMPERSAND.sub(_normalize_entity, text) if "&" in text else text


def _normalize_entity(match: re.Match[str]) -> str:
    name, decimal, x, digits = match.groups()
    if name:
        return match[0] if name in ENTITIES else f"&amp;{name};"
    if decimal:
        digits = decimal.lstrip("0")
        return f"&#{digits:0>3};" if len(digits) <= 7 and _is_character(int(digits or "0")) else f"&amp;#{decimal};"
    if x:
        bare = digits.lstrip("0")
        return f"&#{x}{bare};" if len(bare) <= 6 and _is_character(int(bare or "0", 16)) else f"&amp;#{x}{digits};"
    return "&amp;"


def _is_character(code: int) -> bool:
    if code < 0x20:
        return code in (0x9, 0xA, 0xD)
    return code <= 0xD7FF or 0xE000 <= code <= 0xFFFD or 0x10000 <= code <= 0x10FFFF


class MarkupFilter:
    """A filter for allowed elements with their attributes, and for comments.

    elements: attributes by element name; everywhere: attributes that each of them may have; delimiter: called with the
    text and the index of a `<!--`, returns its replacement and the index to go on at when a block delimiter begins
    there.
    """

    def __init__(
        self,
        elements: AllowedElements,
        everywhere: frozenset[str] = frozenset(),
        delimiter: Callable[[str, int], tuple[str, int] | None] | None = None,
    ) -> None:
        self._attributes = {name: own | everywhere for name, own in elements.items()}
        self._data = bool(everywhere)
        self._delimiter = delimiter

    def __call__(self, html: str, media_root: str = "") -> str:
        """Return `html` with allowed markup only.

        media_root: URL of the folder whose PDF files an `object` may show; empty for none.
        """
        text = normalize_entities(remove_controls(html))
        if "<" not in text and ">" not in text:
            return text
        return self._filter_text(text, media_root, comments=True)

    def _filter_text(self, text: str, media_root: str, *, comments: bool) -> str:
        kept: list[str] = []
        at = 0
        # Once no end of a comment is ahead, no further search for one: the time would be quadratic.
        ends = comments
        while bracket := _BRACKET.search(text, at):
            start = bracket.start()
            kept.append(text[at:start])
            if bracket[0] == ">":
                kept.append("&gt;")
                at = start + 1
                continue
            if ends and text.startswith("<!--", start):
                if self._delimiter and (found := self._delimiter(text, start)):
                    kept.append(found[0])
                    at = found[1]
                    continue
                end = text.find("-->", start + 4)
                if end >= 0:
                    kept.append(self._filter_comment(text[start + 4 : end], media_root))
                    at = end + 3
                    continue
                ends = False
            ending = _BRACKET.search(text, start + 1)
            after = text[start + 1 : start + 2]
            if ending is None or ending[0] == "<" or text.startswith("<!--", start) or not _can_open_tag(after):
                stop = len(text) if ending is None else ending.start()
                kept.append("&lt;" + text[start + 1 : stop].replace('"', "&quot;").replace("'", "&#039;"))
                at = stop
            else:
                kept.append(self._filter_tag(text[start + 1 : ending.start()], media_root))
                at = ending.end()
        kept.append(text[at:])
        return "".join(kept)

    def _filter_comment(self, inner: str, media_root: str) -> str:
        # Some browsers end a comment at `--!>`, and all of them at a `>` right at its start.
        inner = self._filter_text(inner, media_root, comments=False)
        inner = replace_matches(_DASHES, "-", inner, _DASH).removesuffix("-")
        comment = f"<!--{inner}-->" if inner else ""
        # Only now may it be a delimiter: what was removed can have been all that prevented it.
        found = self._delimiter(comment, 0) if self._delimiter and inner else None
        return found[0] if found else comment

    def _filter_tag(self, inside: str, media_root: str) -> str:
        name = _NAME.match(inside)
        if name is None:
            return ""
        element = name[1].lower()
        allowed = self._attributes.get(element)
        if allowed is None:
            return ""
        if inside[0] == "/":
            return f"</{name[1]}>"
        rest = inside[name.end() :].rstrip(_BLANKS)
        closed = ""
        if rest.endswith("/"):
            rest, closed = rest[:-1].rstrip(_BLANKS), " /"
        kept = self._filter_attributes(element, rest, allowed) if rest and allowed else {}
        if element == "object" and not _is_own_pdf(kept, media_root):
            # The end tag stays in the text; a self-closing tag leaves nothing.
            return "" if closed else f"<{name[1]}>"
        return f"<{name[1]}{''.join(kept.values())}{closed}>"

    def _filter_attributes(self, element: str, rest: str, allowed: frozenset[str]) -> dict[str, str]:
        kept: dict[str, str] = {}
        at = 0
        while at < len(rest):
            match = _ATTRIBUTE.match(rest, at)
            if match is None:
                junk = _INVALID_ATTRIBUTE.match(rest, at)
                at = junk.end() if junk else len(rest)
                continue
            at = match.end()
            name = match["name"].lower()
            # The first of several counts, as in browsers, even if it is not allowed itself.
            if name not in kept:
                good = name in allowed or (self._data and _OWN_DATA.fullmatch(name))
                kept[name] = _filter_attribute(element, match["name"], match["value"]) if good else ""
        return kept


def _is_own_pdf(attributes: Mapping[str, str], media_root: str) -> bool:
    address, kind = attributes.get("data", "")[7:-1], attributes.get("type", "")[7:-1]
    return (
        bool(media_root)
        and kind == "application/pdf"
        and address.startswith(media_root.rstrip("/") + "/")
        and address.endswith(".pdf")
        and not _UNSAFE_FILE_PATH.search(address)
    )


def _can_open_tag(character: str) -> bool:
    return character in "/!?" or (character.isascii() and character.isalpha())


def _filter_attribute(element: str, name: str, value: str | None) -> str:
    lower = name.lower()
    if value is None:
        return f" {name}"
    if (element, lower) in VALUELESS_ATTRIBUTES:
        return ""
    quote = value[0] if value[0] in "\"'" else '"'
    text = value[1:-1] if value[0] == quote else value
    if lower == "style":
        text = sanitize_style(text)
        if not text:
            return ""
    elif lower in URL_ATTRIBUTES:
        text = strip_unsafe_protocols(text)
    return f" {name}={quote}{text}{quote}"
