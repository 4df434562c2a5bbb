"""Excerpts: written by the author, or made from the first words of the content.

Not here: rendering (content/text/rendering.py). Rules: docs/rules/markup.md, 14 and 15. An excerpt is made from what
precedes the first page break and the more mark, without known shortcodes, from blocks that hold text, without tags,
scripts and styles. Words are separated by blanks and line ends.
"""

import re
from collections.abc import Callable
from itertools import islice
from typing import Final

from vetrina.content.blocks.grammar import Block, has_blocks, parse_blocks
from vetrina.content.blocks.rendering import is_hidden, render_block_parts
from vetrina.content.text.shortcodes import remove_shortcodes
from vetrina.kernel.render_budget import RenderBudget
from vetrina.kernel.tags import strip_scripts, strip_tags

EXCERPT_MORE: Final = " [&hellip;]"

_ALL_BUT_THE_LAST: Final = -2  # and -1: the numbers that the reference's splitter takes for "no limit" (observed)
_MAX_CONTENT_LENGTH: Final = 200_000  # characters of a content that the excerpt is made from
_BLANKS: Final = " \t\n\r\0\v"
_PAGE_BREAK: Final = "<!--nextpage-->"
_MORE_MARK: Final = re.compile(r"<!--more[^\n<]*?-->")
_MORE_DELIMITER: Final = re.compile(r"<!-- /?wp:more[^\n<]*? -->")
_PAGE_DELIMITER: Final = re.compile(r"<!-- /?wp:nextpage[^\n<]*? -->")
_NOTE_MARK: Final = re.compile(
    r'<sup data-fn="[^"<>]+" class="[^"<>]+">\s*<a href="[^"<>]+" id="[^"<>]+">\d+</a>\s*</sup>'
)
_WORD_ENDS: Final = " \t\n\r"
_WORDS: Final = re.compile(r"[^ \t\n\r]+")

_PLAIN_PARAGRAPH: Final = re.compile(r'\s*<p(?: class="[\w -]*")?>[^<>\[\]]*</p>\s*')
_LINE_PARAGRAPH: Final = re.compile(r'[ \t\n\r]*<p(?: class="[\w -]*")?>([^<>\[\]\x00-\x1f\x7f]*)</p>[ \t\n\r]*')
# What may change how text before it is shown, or asks for the whole of it: shortcodes and elements but common ones.
_UNCUT: Final = re.compile(
    r"\[|<(?!/?(?:p|a|b|i|strong|em|br|h[1-6]|ul|ol|li|figure|figcaption|img|span|blockquote|cite|div)[\s/>]|!-- /?wp:)"
)
_SURPLUS: Final = 20  # words beyond those of an excerpt that are rendered, so that its end is never that of the text

_TEXTS: Final = frozenset(
    f"core/{name}"
    for name in ("freeform", "heading", "html", "list", "media-text", "paragraph", "preformatted", "pullquote",
                 "quote", "table", "verse")
)  # fmt: skip
_WRAPPERS: Final = frozenset(("core/columns", "core/column", "core/group"))


def is_written_excerpt(raw_excerpt: str) -> bool:
    """Return whether the author wrote an excerpt; blanks do not count."""
    return bool(raw_excerpt.strip(_BLANKS))


def build_excerpt(
    raw_content: str, words: int, shown: Callable[[str], str], typeset: Callable[[str], str], budget: RenderBudget
) -> str:
    """Return an excerpt of at most `words` words, with a more mark when there are further ones.

    shown: renders classic text; typeset: a line of it without markup and addresses. budget: for what is rendered. With
    -1 and -2 words the last word is left out; below that only the mark remains, as with 0 if there are any words.
    """
    if words < _ALL_BUT_THE_LAST:
        return EXCERPT_MORE
    text = remove_shortcodes(budget.take_text(_cut_beginning(raw_content[:_MAX_CONTENT_LENGTH])))
    lines: list[str] | None = None
    if has_blocks(text):
        parts = parse_blocks(text)
        if words >= 0 and not _UNCUT.search(text):
            parts, lines = _select_needed_parts(parts, words)
        if lines is None:
            text = _render_text_blocks(parts, budget)
    if lines is None:
        plain = strip_tags(strip_scripts(shown(_NOTE_MARK.sub("", text))))
    else:
        plain = "\n".join([typeset(line) for line in lines if budget.take_block()])
    if words < 0:
        return " ".join(_WORDS.findall(plain.strip(_BLANKS))[:-1]) + EXCERPT_MORE
    found = [word[0] for word in islice(_WORDS.finditer(plain.strip(_BLANKS)), min(words, len(plain)) + 1)]
    return " ".join(found[:words]) + EXCERPT_MORE if len(found) > words else " ".join(found)


def _cut_beginning(raw: str) -> str:
    if _PAGE_BREAK in raw:
        raw = _PAGE_DELIMITER.sub("", raw)
        raw = raw.removeprefix(_PAGE_BREAK).partition(_PAGE_BREAK)[0]
    mark = _MORE_MARK.search(raw) if "<!--more" in raw else None
    if mark is None:
        return raw
    # Cutting at the mark would leave the end delimiter of its block.
    return _MORE_DELIMITER.sub("", raw[: mark.start()]) if has_blocks(raw) else raw[: mark.start()]


def _select_needed_parts(parts: list[str | Block], words: int) -> tuple[list[str | Block], list[str] | None]:
    """Return the first parts where these are plain paragraphs with more than `words` words, else all of them.

    A paragraph of text alone is shown alike, whatever follows it; the rest took a third of the time of a save. Also
    return the texts of those that are shown where each is a line of text without addresses, else None.
    """
    count = 0
    lines: list[str] | None = []
    for at, part in enumerate(parts):
        if isinstance(part, str):
            if part.strip(_BLANKS):
                return parts, None
            if part.strip(_WORD_ENDS):
                lines = None
            continue
        if is_hidden(part):
            continue
        inside = part.parts[0] if len(part.parts) == 1 else None
        if part.name != "core/paragraph" or not isinstance(inside, str):
            return parts, None
        line = _LINE_PARAGRAPH.fullmatch(inside)
        if line is None and not _PLAIN_PARAGRAPH.fullmatch(inside):
            return parts, None
        if line is None or "://" in inside:
            lines = None
        elif lines is not None:
            lines.append(line[1])
        count += len(_WORDS.findall(inside))
        if count > words + _SURPLUS:
            return parts[: at + 1], lines
    return parts, lines


def _render_text_blocks(parts: list[str | Block], budget: RenderBudget) -> str:
    """Return the markup of the blocks that hold text; for containers, of those inside."""
    done: list[str] = []
    pending: list[tuple[str | Block, bool]] = [(part, False) for part in reversed(parts)]
    while pending:
        part, wrapped = pending.pop()
        if isinstance(part, str):
            # White space and markup between the blocks of a container belong to the container.
            done += () if wrapped else (part,)
        elif part.name in _WRAPPERS or (wrapped and part.name in _TEXTS and any(True for _ in part.inner)):
            pending += ((inner, True) for inner in reversed(list(part.inner)))
            if not any(True for _ in part.inner):
                done.append(render_block_parts([part], budget=budget))
        elif part.name in _TEXTS and all(
            inner.name in _TEXTS and not any(True for _ in inner.inner) for inner in part.inner
        ):
            done.append(render_block_parts([part], budget=budget))
    return "".join(done)
