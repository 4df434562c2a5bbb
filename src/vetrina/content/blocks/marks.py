"""Which part of a rendering comes from which block: comments around each block that vanish when it is taken apart.

A content is rendered as a whole, and passes over the text of several blocks decide together (typography, the output
filter, hints for images). So blocks are not rendered one by one: the whole is, with a pair of comments around what each
block gives. Where a comment did not survive, because a delimiter stands in an attribute or blocks cut through tags,
nothing is taken apart. Rules: docs/rules/content_forms.md, 2.
"""

from __future__ import annotations

import re
import secrets
from dataclasses import dataclass, field

from vetrina.content.blocks.grammar import Block, parse_blocks

MAX_TREE_DEPTH = 40  # levels of blocks in a tree; JSON that is nested deeper cannot be written


@dataclass(slots=True)
class RenderedBlock:
    """A block with its part of a rendering. block: None for markup between blocks."""

    block: Block | None
    html: str
    inner: list[RenderedBlock] = field(default_factory=list)


class BlockMarks:
    """The comments around the blocks of one content, for one rendering of it."""

    def __init__(self) -> None:
        # Nobody can write these comments: their name is random for every rendering.
        name = secrets.token_hex(8)
        self._begin, self._end = f"<!--{name}b{{}}-->", f"<!--{name}e{{}}-->"
        self._sought = re.compile(rf"<!--{name}([be])(\d+)-->", re.ASCII)
        self._numbers: dict[int, int] = {}
        self._blocks: list[Block] = []
        self._parts: list[str | Block] = []

    def parse(self, raw: str) -> list[str | Block]:
        """Return the parsed blocks of the content, whose renderings are to be told apart."""
        self._parts = parse_blocks(raw)
        pending = [(part, 1) for part in self._parts if isinstance(part, Block)]
        while pending:
            block, depth = pending.pop()
            self._numbers[id(block)] = len(self._blocks)
            self._blocks.append(block)
            if depth < MAX_TREE_DEPTH:
                pending += ((inner, depth + 1) for inner in block.inner)
        return self._parts

    def wrap(self, block: Block, html: str) -> str:
        """Return the rendering of a block between its comments; that of a block of another content as it is."""
        number = self._numbers.get(id(block))
        return html if number is None else f"{self._begin.format(number)}{html}{self._end.format(number)}"

    def strip(self, html: str) -> str:
        """Return a rendering without the comments."""
        return self._sought.sub("", html)

    def take_apart(self, html: str) -> list[RenderedBlock] | None:
        """Return the blocks of a rendering, and the markup between the outermost ones that is not white space.

        None where the comments are not in pairs. A block that is shown several times has its first rendering, one that
        is not shown an empty one.
        """
        found: dict[int, str] = {}
        outermost: list[Block | str] = []
        opened: list[tuple[int, int]] = []
        at = 0
        for mark in self._sought.finditer(html):
            number = int(mark[2])
            if number >= len(self._blocks):
                return None
            if not opened and html[at : mark.start()].strip():
                outermost.append(html[at : mark.start()])
            if mark[1] == "b":
                if not opened:
                    outermost.append(self._blocks[number])
                opened.append((number, mark.end()))
                continue
            if not opened or opened[-1][0] != number:
                return None
            start = opened.pop()[1]
            found.setdefault(number, html[start : mark.start()])
            at = mark.end()
        if opened:
            return None
        if html[at:].strip():
            outermost.append(html[at:])
        return [
            RenderedBlock(None, part) if isinstance(part, str) else self._build_tree(part, found) for part in outermost
        ]

    def _build_tree(self, block: Block, found: dict[int, str]) -> RenderedBlock:
        html = self.strip(found.get(self._numbers[id(block)], ""))
        inner = [self._build_tree(one, found) for one in block.inner if id(one) in self._numbers]
        return RenderedBlock(block, html, inner)
