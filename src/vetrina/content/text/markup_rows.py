"""A text as a row of tags with texts between them, and the clean-up of paragraphs in such a row.

Not here: where paragraphs and line breaks begin (content/text/paragraphs.py). Rules: docs/rules/markup.md, 8. Each
clean-up is a step of its own that reads the text once from left to right; for unbalanced markup the result depends on
their order, which is that of the reference.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

_SHORT: Final = 100  # characters of a tag that is likely to occur again
WHITESPACE: Final = " \t\n\r\f\v"

BLOCK_NAMES: Final = (
    "table|thead|tfoot|caption|col|colgroup|tbody|tr|td|th|div|dl|dd|dt|ul|ol|li|pre|form|map|area|blockquote|address"
    "|style|p|h[1-6]|hr|fieldset|legend|section|article|aside|hgroup|header|footer|nav|figure|figcaption|details|menu"
    "|summary"
)
# The clean-up matches only the start of the name, so `<param>` and `<track>` count as `<p>` and `<tr>`.
BLOCK_TAG: Final = re.compile(rf"</?(?:{BLOCK_NAMES})")
UNBROKEN_TAG: Final = re.compile(r"</?(?:p|li|div|dl|dd|dt|th|pre|td|ul|ol)")
_QUOTATION: Final = re.compile(r"<blockquote([^>]*)>", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class MarkupTag:
    """A tag or comment of the text."""

    raw: str
    block: bool  # its start matches a block-level tag
    ends: bool  # its end does, on one line, so that what follows it is looked at


PARAGRAPH: Final = MarkupTag("<p>", block=True, ends=True)
PARAGRAPH_END: Final = MarkupTag("</p>", block=True, ends=True)
BR: Final = MarkupTag("<br />", block=False, ends=False)


@lru_cache(maxsize=4096)
def _parse_short_tag(raw: str) -> MarkupTag:
    return _parse_tag(raw)


def parse_tag(raw: str) -> MarkupTag:
    """Return a tag or comment with the properties that the clean-up looks at."""
    return _parse_short_tag(raw) if len(raw) <= _SHORT else _parse_tag(raw)


def _parse_tag(raw: str) -> MarkupTag:
    block = BLOCK_TAG.search(raw, raw.rfind("\n") + 1)
    return MarkupTag(
        raw, BLOCK_TAG.match(raw) is not None, block is not None and raw.find(">", block.start()) == len(raw) - 1
    )


@dataclass(slots=True)
class MarkupRow:
    """Tags, and the texts before, between and after them: always one more.

    more: pieces added to the last text since the last call of `end`; adding each at once would copy the text each time.
    """

    texts: list[str] = field(default_factory=lambda: [""])
    tags: list[MarkupTag] = field(default_factory=list)
    more: list[str] = field(default_factory=list)

    def add_text(self, text: str) -> None:
        """Add to the last text."""
        self.more.append(text)

    def add_tag(self, tag: MarkupTag, behind: str = "") -> None:
        """Add a tag and the text after it."""
        if self.more:
            self.end()
        self.tags.append(tag)
        self.texts.append(behind)

    def end(self) -> MarkupRow:
        """Join what was added to the last text, and return the row."""
        if self.more:
            self.texts[-1] += "".join(self.more)
            self.more.clear()
        return self

    def is_blank(self, at: int) -> bool:
        """Return whether there is only white space before tag `at`."""
        return not self.texts[at].strip(WHITESPACE)

    def raw(self, at: int) -> str:
        """Return tag `at` as text; empty past the last."""
        return self.tags[at].raw if at < len(self.tags) else ""


RowStep = Callable[[MarkupRow, int, MarkupRow], int]
"""Gets a row, the index of a tag and the row written so far; writes the replacement of that tag and of those after it,
including the text that follows, and returns how many it replaced; 0 keeps the tag.
"""


def rewrite_row(row: MarkupRow, step: RowStep) -> MarkupRow:
    """Return `row` as `step` rewrites it from left to right."""
    done = MarkupRow([row.texts[0]])
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


def drop_empty_paragraph(row: MarkupRow, at: int, done: MarkupRow) -> int:
    """Drop a paragraph with nothing but white space."""
    if row.raw(at) == "<p>" and row.raw(at + 1) == "</p>" and row.is_blank(at + 1):
        done.add_text(row.texts[at + 2])
        return 2
    return 0


def end_paragraph_before(row: MarkupRow, at: int, done: MarkupRow) -> int:
    """End a paragraph of plain text before the end tag of a container."""
    if row.raw(at) == "<p>" and row.texts[at + 1] and row.raw(at + 1) in ("</div>", "</address>", "</form>"):
        done.add_tag(PARAGRAPH, row.texts[at + 1])
        done.add_tag(PARAGRAPH_END)
        return 1
    return 0


def unwrap_tag(row: MarkupRow, at: int, done: MarkupRow) -> int:
    """Unwrap a paragraph that holds a single block-level tag."""
    if row.raw(at) != "<p>" or row.raw(at + 2) != "</p>" or not row.is_blank(at + 1) or not row.is_blank(at + 2):
        return 0
    only = row.tags[at + 1]
    if not only.block or not only.ends:
        return 0
    done.add_tag(only, row.texts[at + 3])
    return 3


def unwrap_item(row: MarkupRow, at: int, done: MarkupRow) -> int:
    """Unwrap a list item that begins a paragraph and ends on its line."""
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
        done.add_tag(row.tags[number], row.texts[number + 1])
    done.add_text(row.texts[end + 1])
    return end + 1 - at


def enter_quotation(row: MarkupRow, at: int, done: MarkupRow) -> int:
    """Move the start of a paragraph from before a quotation into it."""
    if row.raw(at) not in ("<p>", "<P>") or row.texts[at + 1]:
        return 0
    quotation = _QUOTATION.fullmatch(row.raw(at + 1))
    if not quotation:
        return 0
    done.add_tag(parse_tag(f"<blockquote{quotation[1]}>"))
    done.add_tag(PARAGRAPH, row.texts[at + 2])
    return 2


def leave_quotation(row: MarkupRow, at: int, done: MarkupRow) -> int:
    """Move the end of a paragraph from after a quotation into it."""
    if row.raw(at) != "</blockquote>" or row.raw(at + 1) != "</p>" or row.texts[at + 1]:
        return 0
    done.add_tag(PARAGRAPH_END)
    done.add_tag(row.tags[at], row.texts[at + 2])
    return 2


def drop_paragraph_start(row: MarkupRow, at: int, done: MarkupRow) -> int:
    """Drop the start of a paragraph right before a block-level tag."""
    if row.raw(at) == "<p>" and at + 1 < len(row.tags) and row.tags[at + 1].block and row.is_blank(at + 1):
        done.add_tag(row.tags[at + 1], row.texts[at + 2])
        return 2
    return 0


def drop_paragraph_end(row: MarkupRow, at: int, done: MarkupRow) -> int:
    """Drop the end of a paragraph right after a block-level tag."""
    if row.tags[at].ends and row.raw(at + 1) == "</p>" and row.is_blank(at + 1):
        done.add_tag(row.tags[at], row.texts[at + 2])
        return 2
    return 0


def drop_break_behind(row: MarkupRow, at: int, done: MarkupRow) -> int:
    """Drop a `<br />` after a block-level tag."""
    if row.tags[at].ends and row.raw(at + 1) == "<br />" and row.is_blank(at + 1):
        done.add_tag(row.tags[at], row.texts[at + 2])
        return 2
    return 0


def drop_break_before(row: MarkupRow, at: int, done: MarkupRow) -> int:
    """Drop a `<br />` before a paragraph, list, container, cell or preformatted element, or its end."""
    if row.raw(at) == "<br />" and UNBROKEN_TAG.match(row.raw(at + 1)) and row.is_blank(at + 1):
        done.add_text(row.texts[at + 1])
        return 1
    return 0
