"""Plain text of rendered markup.

Paragraphs are parted by an empty line, items, rows and lines by a line end, cells by a tab; entities are characters,
scripts and styles nothing. Rules: docs/rules/content_forms.md, 4.
"""

from __future__ import annotations

import re
from html import unescape
from typing import Final

from vetrina.content.text.tag_attributes import lowercase_ascii, read_tag
from vetrina.kernel.tags import strip_scripts

_LISTS: Final = frozenset({"ul", "ol", "dl"})
_PARAGRAPHS: Final = frozenset({
    "address", "article", "aside", "blockquote", "details", "div", "fieldset", "figure", "footer", "form", "h1", "h2",
    "h3", "h4", "h5", "h6", "header", "hr", "main", "nav", "p", "pre", "section", "table",
})  # fmt: skip
_LINES: Final = frozenset({"br", "caption", "dd", "dt", "figcaption", "legend", "li", "option", "summary", "tr"})
_CELLS: Final = frozenset({"td", "th"})
# The gaps between texts, the larger the later.
_GAPS: Final = ("", "\t", "\n", "\n\n")
_CELL, _LINE, _PARAGRAPH = 1, 2, 3
_BLANKS: Final = re.compile(r"[ \t\n\r\f\v]+")
_LINE_ENDS: Final = re.compile(r"\r\n?")
_TAG_START: Final = re.compile(r"</?[a-zA-Z]")


def convert_to_plain_text(html: str) -> str:
    """Return markup as plain text, in linear time."""
    text = _TextWriter()
    html = strip_scripts(html)
    at = 0
    comment_ends = True
    while (start := html.find("<", at)) >= 0:
        text.write(html[at:start])
        if html.startswith("<!--", start) and comment_ends:
            end = html.find("-->", start + 4)
            comment_ends = end >= 0
            at = end + 3 if comment_ends else start
            if comment_ends:
                continue
        tag = read_tag(html, start)
        if tag is None and _TAG_START.match(html, start):
            # A tag without an end takes in all that follows; a further search would take quadratic time.
            at = start
            break
        if tag is None:
            text.write("<")
            at = start + 1
            continue
        text.mark_tag(lowercase_ascii(tag.name), tag.closing)
        at = tag.end
    text.write(html[at:])
    return text.finish()


class _TextWriter:
    """Writes text with the gaps that tags ask for; of several gaps in a row the largest counts."""

    def __init__(self) -> None:
        self._done: list[str] = []
        self._gap = 0
        self._blank = False
        self._preformatted = self._lists = 0

    def write(self, text: str) -> None:
        """Write text between two tags."""
        text = unescape(text)
        if self._preformatted:
            self._put(_LINE_ENDS.sub("\n", text))
            return
        text = _BLANKS.sub(" ", text)
        if text == " ":
            self._blank = True
        elif text:
            self._blank |= text.startswith(" ")
            self._put(text.strip(" "))
            self._blank = text.endswith(" ")

    def mark_tag(self, name: str, closing: bool) -> None:
        """Break the text as a tag asks for."""
        if name == "pre":
            self._preformatted = max(0, self._preformatted + (-1 if closing else 1))
        if name in _LISTS:
            inside = self._lists
            self._lists = max(0, self._lists + (-1 if closing else 1))
            # A list within a list goes on with its lines.
            self._gap = max(self._gap, _LINE if min(inside, self._lists) else _PARAGRAPH)
        elif name in _PARAGRAPHS:
            # Paragraphs of an item do not part it from the next.
            self._gap = max(self._gap, _LINE if self._lists else _PARAGRAPH)
        elif name in _LINES:
            self._gap = max(self._gap, _LINE)
        elif name in _CELLS and not closing:
            self._gap = max(self._gap, _CELL)

    def finish(self) -> str:
        """Return what was written."""
        return "".join(self._done).strip()

    def _put(self, text: str) -> None:
        if not text:
            return
        if self._done:
            self._done.append(_GAPS[self._gap] or (" " if self._blank else ""))
        self._done.append(text)
        self._gap, self._blank = 0, False
