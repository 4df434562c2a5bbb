"""Plain text of rendered markup, and how long it takes to read.

Paragraphs are parted by an empty line, items, rows and lines by a line end, cells by a tab; entities are characters,
scripts and styles nothing. Rules: docs/rules/content_forms.md, 4 and 5.
"""

from __future__ import annotations

import re
from html import unescape
from typing import Final, NamedTuple

from vetrina.content.text.tag_attributes import lowercase_ascii, read_tag
from vetrina.kernel.tags import strip_scripts

WORDS_A_MINUTE: Final = 189
CHARACTERS_A_MINUTE: Final = 500  # of scripts that part no words

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
# Han, Hiragana, Katakana, Bopomofo, and the scripts of South-East Asia that part no words either.
_UNPARTED: Final = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3040-\u30ff\u3100-\u312f\u31f0-\u31ff\u3400-\u4dbf"
    "\u4e00-\u9fff\uf900-\ufaff\uff66-\uff9f\U00020000-\U0003fffd]"
)
_LETTER: Final = re.compile(r"\w")
_TAG_START: Final = re.compile(r"</?[a-zA-Z]")


class ReadingTime(NamedTuple):
    """How long a text takes to read. minutes: at least one where there are words."""

    minutes: int
    words: int


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


def compute_reading_time(plain: str) -> ReadingTime:
    """Return how long a plain text takes to read; a character of a script that parts no words counts as a word."""
    characters = len(_UNPARTED.findall(plain))
    parted = (_UNPARTED.sub(" ", plain) if characters else plain).split()
    words = sum(1 for one in parted if _LETTER.search(one) is not None)
    minutes = characters / CHARACTERS_A_MINUTE + words / WORDS_A_MINUTE
    return ReadingTime(max(1, round(minutes)) if characters or words else 0, characters + words)


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
