"""A text as a row of tags with stretches of text between them, and the tidying of paragraphs in such a row.

Not here: where paragraphs and line breaks begin (content/text/paragraphs.py).
Rules: observed on rendered contents and excerpts, where each is a step of its own that looks at a text once from left
to right. Their order is part of what comes out for unbalanced markup.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

_SHORT: Final = 100  # characters of a tag that is likely to come again
WHITE: Final = " \t\n\r\f\v"

BLOCK_NAMES: Final = (
    "table|thead|tfoot|caption|col|colgroup|tbody|tr|td|th|div|dl|dd|dt|ul|ol|li|pre|form|map|area|blockquote|address"
    "|style|p|h[1-6]|hr|fieldset|legend|section|article|aside|hgroup|header|footer|nav|figure|figcaption|details|menu"
    "|summary"
)
# Tidying goes by the beginning of the name only, so `<param>` and `<track>` count as `<p>` and `<tr>`.
BLOCK: Final = re.compile(rf"</?(?:{BLOCK_NAMES})")
UNBROKEN: Final = re.compile(r"</?(?:p|li|div|dl|dd|dt|th|pre|td|ul|ol)")
_QUOTATION: Final = re.compile(r"<blockquote([^>]*)>", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Tag:
    """A tag or comment as it stands in the text."""

    raw: str
    block: bool  # it begins as a block-level tag
    ends: bool  # it ends as one, on one line, so what follows it is seen


PARAGRAPH: Final = Tag("<p>", block=True, ends=True)
PARAGRAPH_END: Final = Tag("</p>", block=True, ends=True)
BR: Final = Tag("<br />", block=False, ends=False)


@lru_cache(maxsize=4096)
def _short_tag(raw: str) -> Tag:
    return _tag(raw)


def tag_of(raw: str) -> Tag:
    """Return a tag or comment with what tidying asks about it."""
    return _short_tag(raw) if len(raw) <= _SHORT else _tag(raw)


def _tag(raw: str) -> Tag:
    block = BLOCK.search(raw, raw.rfind("\n") + 1)
    return Tag(raw, BLOCK.match(raw) is not None, block is not None and raw.find(">", block.start()) == len(raw) - 1)


@dataclass(slots=True)
class Row:
    """Tags, and the texts before, between and behind them: always one more.

    more: what was added to the last text since `end`; adding each piece at once would copy the text each time.
    """

    texts: list[str] = field(default_factory=lambda: [""])
    tags: list[Tag] = field(default_factory=list)
    more: list[str] = field(default_factory=list)

    def text(self, text: str) -> None:
        """Add to the last text."""
        self.more.append(text)

    def tag(self, tag: Tag, behind: str = "") -> None:
        """Add a tag and the text behind it."""
        if self.more:
            self.end()
        self.tags.append(tag)
        self.texts.append(behind)

    def end(self) -> Row:
        """Put together what was added to the last text, and return the row."""
        if self.more:
            self.texts[-1] += "".join(self.more)
            self.more.clear()
        return self

    def blank(self, at: int) -> bool:
        """Whether nothing but white space stands before tag number `at`."""
        return not self.texts[at].strip(WHITE)

    def raw(self, at: int) -> str:
        """Tag number `at` as text; empty behind the last."""
        return self.tags[at].raw if at < len(self.tags) else ""


Step = Callable[[Row, int, Row], int]
"""Given a row, a tag's number and the row written so far, writes what stands for that tag and those behind it, the text
behind them included, and returns how many it took; 0 keeps the tag."""


def rewritten(row: Row, step: Step) -> Row:
    """Return `row` as `step` rewrites it from left to right."""
    done = Row([row.texts[0]])
    tags, texts, number, at = row.tags, row.texts, len(row.tags), 0
    while at < number:
        taken = step(row, at, done)
        if taken:
            at += taken
            continue
        if done.more:
            done.end()
        done.tags.append(tags[at])
        at += 1
        done.texts.append(texts[at])
    return done.end()


def drop_empty(row: Row, at: int, done: Row) -> int:
    """A paragraph of nothing but white space goes."""
    if row.raw(at) == "<p>" and row.raw(at + 1) == "</p>" and row.blank(at + 1):
        done.text(row.texts[at + 2])
        return 2
    return 0


def end_before(row: Row, at: int, done: Row) -> int:
    """Plain text in a paragraph ends it before a container's end tag."""
    if row.raw(at) == "<p>" and row.texts[at + 1] and row.raw(at + 1) in ("</div>", "</address>", "</form>"):
        done.tag(PARAGRAPH, row.texts[at + 1])
        done.tag(PARAGRAPH_END)
        return 1
    return 0


def unwrap_tag(row: Row, at: int, done: Row) -> int:
    """A paragraph that holds one block-level tag is that tag."""
    if row.raw(at) != "<p>" or row.raw(at + 2) != "</p>" or not row.blank(at + 1) or not row.blank(at + 2):
        return 0
    only = row.tags[at + 1]
    if not only.block or not only.ends:
        return 0
    done.tag(only, row.texts[at + 3])
    return 3


def unwrap_item(row: Row, at: int, done: Row) -> int:
    """A list item that begins a paragraph and ends on its line loses the paragraph."""
    if row.raw(at) != "<p>" or row.texts[at + 1] or not row.raw(at + 1).startswith("<li"):
        return 0
    end = at + 2
    while end < len(row.tags) and row.raw(end) != "</p>":
        if "\n" in row.texts[end]:
            return 0
        end += 1
    if end >= len(row.tags) or "\n" in row.texts[end]:
        return 0
    for number in range(at + 1, end):
        done.tag(row.tags[number], row.texts[number + 1])
    done.text(row.texts[end + 1])
    return end + 1 - at


def enter_quotation(row: Row, at: int, done: Row) -> int:
    """A paragraph that begins before a quotation begins in it."""
    if row.raw(at) not in ("<p>", "<P>") or row.texts[at + 1]:
        return 0
    quotation = _QUOTATION.fullmatch(row.raw(at + 1))
    if not quotation:
        return 0
    done.tag(tag_of(f"<blockquote{quotation[1]}>"))
    done.tag(PARAGRAPH, row.texts[at + 2])
    return 2


def leave_quotation(row: Row, at: int, done: Row) -> int:
    """A paragraph that ends behind a quotation ends in it."""
    if row.raw(at) != "</blockquote>" or row.raw(at + 1) != "</p>" or row.texts[at + 1]:
        return 0
    done.tag(PARAGRAPH_END)
    done.tag(row.tags[at], row.texts[at + 2])
    return 2


def drop_start(row: Row, at: int, done: Row) -> int:
    """A paragraph does not begin right before a block-level tag."""
    if row.raw(at) == "<p>" and at + 1 < len(row.tags) and row.tags[at + 1].block and row.blank(at + 1):
        done.tag(row.tags[at + 1], row.texts[at + 2])
        return 2
    return 0


def drop_end(row: Row, at: int, done: Row) -> int:
    """A paragraph does not end right behind a block-level tag."""
    if row.tags[at].ends and row.raw(at + 1) == "</p>" and row.blank(at + 1):
        done.tag(row.tags[at], row.texts[at + 2])
        return 2
    return 0


def drop_break_behind(row: Row, at: int, done: Row) -> int:
    """No `<br />` stands behind a block-level tag."""
    if row.tags[at].ends and row.raw(at + 1) == "<br />" and row.blank(at + 1):
        done.tag(row.tags[at], row.texts[at + 2])
        return 2
    return 0


def drop_break_before(row: Row, at: int, done: Row) -> int:
    """No `<br />` stands before a paragraph, list, container, cell or preformatted element, or its end."""
    if row.raw(at) == "<br />" and UNBROKEN.match(row.raw(at + 1)) and row.blank(at + 1):
        done.text(row.texts[at + 1])
        return 1
    return 0
