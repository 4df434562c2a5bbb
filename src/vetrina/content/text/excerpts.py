"""Excerpts: the one an author wrote, or one made of the first words of the content.

Not here: the steps that turn content into markup, which are handed in (content/text/rendering.py).
Rules: observed. An excerpt is made of what stands before the first page break and the more mark, without known
shortcodes, of blocks that hold text, without tags, scripts and styles. Words are parted by blanks and line ends.
"""

import re
from collections.abc import Callable
from typing import Final

from vetrina.content.blocks.grammar import Block, has_blocks, parse
from vetrina.content.blocks.rendering import rendered_parts
from vetrina.content.text.shortcodes import removed
from vetrina.kernel.render_budget import Budget
from vetrina.kernel.tags import without_scripts, without_tags

MORE: Final = " [&hellip;]"

_ALL_BUT_THE_LAST: Final = -2  # and -1: observed, the numbers that a splitter takes for no limit
_LONGEST: Final = 200_000  # characters of a content in which its first words are looked for
_BLANKS: Final = " \t\n\r\0\v"
_PAGE_BREAK: Final = "<!--nextpage-->"
_MORE_MARK: Final = re.compile(r"<!--more[^\n<]*?-->")
_MORE_DELIMITER: Final = re.compile(r"<!-- /?wp:more[^\n<]*? -->")
_PAGE_DELIMITER: Final = re.compile(r"<!-- /?wp:nextpage[^\n<]*? -->")
_NOTE_MARK: Final = re.compile(
    r'<sup data-fn="[^"<>]+" class="[^"<>]+">\s*<a href="[^"<>]+" id="[^"<>]+">\d+</a>\s*</sup>'
)
_WORDS: Final = re.compile(r"[^ \t\n\r]+")

_TEXTS: Final = frozenset(
    f"core/{name}"
    for name in ("freeform", "heading", "html", "list", "media-text", "paragraph", "preformatted", "pullquote",
                 "quote", "table", "verse")
)  # fmt: skip
_WRAPPERS: Final = frozenset(("core/columns", "core/column", "core/group"))


def is_written(raw_excerpt: str) -> bool:
    """Return whether an author wrote an excerpt; blanks are none."""
    return bool(raw_excerpt.strip(_BLANKS))


def make_excerpt(raw_content: str, words: int, shown: Callable[[str], str], budget: Budget) -> str:
    """Return an excerpt of at most `words` words, with a mark behind them when there are more.

    shown: turns classic text into markup. budget: for it and for the blocks. For -1 and -2 words the last one is left
    out; fewer leave the mark alone, 0 does when there are any.
    """
    if words < _ALL_BUT_THE_LAST:
        return MORE
    text = removed(budget.take(_beginning(raw_content[:_LONGEST])))
    if has_blocks(text):
        text = _of_blocks(parse(text), budget)
    text = _NOTE_MARK.sub("", text)
    plain = without_tags(without_scripts(shown(text)))
    if words < 0:
        return " ".join(_WORDS.findall(plain.strip(_BLANKS))[:-1]) + MORE
    found: list[str] = []
    for word in _WORDS.finditer(plain.strip(_BLANKS)):
        if len(found) == words:
            return " ".join(found) + MORE
        found.append(word[0])
    return " ".join(found)


def _beginning(raw: str) -> str:
    if _PAGE_BREAK in raw:
        raw = _PAGE_DELIMITER.sub("", raw)
        raw = raw.removeprefix(_PAGE_BREAK).partition(_PAGE_BREAK)[0]
    mark = _MORE_MARK.search(raw) if "<!--more" in raw else None
    if mark is None:
        return raw
    # The end delimiter of the block would be left over once the text behind the mark is gone.
    return _MORE_DELIMITER.sub("", raw[: mark.start()]) if has_blocks(raw) else raw[: mark.start()]


def _of_blocks(parts: list[str | Block], budget: Budget) -> str:
    """Return the markup of the blocks that hold text, of containers those inside."""
    done: list[str] = []
    pending: list[tuple[str | Block, bool]] = [(part, False) for part in reversed(parts)]
    while pending:
        part, wrapped = pending.pop()
        if isinstance(part, str):
            # White space and markup between a container's blocks belong to the container.
            done += () if wrapped else (part,)
        elif part.name in _WRAPPERS or (wrapped and part.name in _TEXTS and any(True for _ in part.inner)):
            pending += ((inner, True) for inner in reversed(list(part.inner)))
            if not any(True for _ in part.inner):
                done.append(rendered_parts([part], budget=budget))
        elif part.name in _TEXTS and all(
            inner.name in _TEXTS and not any(True for _ in inner.inner) for inner in part.inner
        ):
            done.append(rendered_parts([part], budget=budget))
    return "".join(done)
