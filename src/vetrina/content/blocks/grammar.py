"""Block grammar: parses content to a tree of blocks, and serializes it to the very same text.

Not here: rendering (content/blocks/rendering.py). Rules: docs/rules/markup.md, 7. A block begins with `<!-- wp:name
{attributes} -->` and ends with `<!-- /wp:name -->`, or is void: `<!-- wp:name {attributes} /-->`. A name without a
namespace belongs to `core`. Attributes are one JSON object; invalid ones count as none. An end delimiter ends the
innermost open block, whatever its name; without an open block it is text; unclosed blocks end with the text.
"""

import json
import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any, Final

from vetrina.kernel.integers import MAX_SAFE_INTEGER
from vetrina.kernel.json_text import has_more_values

MAX_ATTRIBUTE_VALUES: Final = 20_000  # in the attributes of a block; beyond that they count as invalid
_MAX_KEPT_LENGTH: Final = 16_000  # characters of a text whose blocks a process keeps
_KEPT: Final = 100  # such texts
_MARK: Final = "<!-- wp:"
_START: Final = re.compile(
    r"<!--[ \t\n\r\f\v]+(/)?wp:((?:[a-z][a-z0-9_-]*/)?[a-z][a-z0-9_-]*)[ \t\n\r\f\v]+(?=\{|/?-->)"
)
_ATTRIBUTES_END: Final = re.compile(r"\}[ \t\n\r\f\v]+(/)?-->")


@dataclass
class Block:
    """A block with everything between its delimiters."""

    name: str  # with its namespace
    opening: str  # the delimiters as in the text
    attributes_text: str = ""
    closing: str = ""  # empty for void and unclosed blocks
    void: bool = False
    parts: list["str | Block"] = field(default_factory=list)

    @cached_property
    def attributes(self) -> dict[str, Any]:
        """Return the decoded attributes; none when the JSON is invalid."""
        if not self.attributes_text or has_more_values(
            self.attributes_text.encode("utf-8", "replace"), MAX_ATTRIBUTE_VALUES
        ):
            return {}
        try:
            value = json.loads(
                self.attributes_text,
                parse_int=_parse_bounded_number,
                parse_float=_parse_bounded_number,
                parse_constant=lambda word: None,
            )
        except (ValueError, RecursionError):
            return {}
        return value if isinstance(value, dict) else {}

    @property
    def inner(self) -> Iterator["Block"]:
        """Yield the direct inner blocks."""
        return (part for part in self.parts if isinstance(part, Block))

    @property
    def short_name(self) -> str:
        """Return the name as in delimiters, without the namespace `core`."""
        return self.name.removeprefix("core/")


def _parse_bounded_number(text: str) -> int | float:
    """Return a number that JSON can represent exactly: untrusted values get into statements and dates."""
    number: int | float = float(text) if "." in text or "e" in text.lower() else int(text)
    return max(-MAX_SAFE_INTEGER, min(MAX_SAFE_INTEGER, number))


def has_blocks(raw: str) -> bool:
    """Return whether `raw` is block content, that is, contains a block delimiter."""
    return _MARK in raw


def list_block_names(raw: str) -> set[str]:
    """Return the names of all blocks of `raw`, with their namespaces."""
    found = {start[2] for start in _START.finditer(raw)} if _MARK in raw else set()
    return {name if "/" in name else f"core/{name}" for name in found}


def parse_blocks(raw: str) -> list[str | Block]:
    """Return the blocks of `raw` and the text between them, in linear time for any text."""
    top: list[str | Block] = []
    open_blocks: list[Block] = []
    parts = top
    at = 0
    for start, end, block in _iterate_delimiters(raw):
        if block is None and not open_blocks:
            continue
        if start > at:
            parts.append(raw[at:start])
        at = end
        if block is None:
            open_blocks.pop().closing = raw[start:end]
            parts = open_blocks[-1].parts if open_blocks else top
            continue
        parts.append(block)
        if not block.void:
            open_blocks.append(block)
            parts = block.parts
    if at < len(raw):
        parts.append(raw[at:])
    return top


def parse_kept_blocks(raw: str) -> list[str | Block]:
    """Return the blocks of a text that is shown again and again, as of a template; nobody may change them."""
    return _parse_and_keep(raw) if len(raw) <= _MAX_KEPT_LENGTH else parse_blocks(raw)


def serialize_blocks(parts: list[str | Block], close: bool = False) -> str:
    """Return the text that `parts` were parsed from.

    close: whether unclosed blocks get an end delimiter.
    """
    done: list[str] = []
    pending: list[str | Block] = list(reversed(parts))
    while pending:
        part = pending.pop()
        if isinstance(part, str):
            done.append(part)
            continue
        done.append(part.opening)
        closing = part.closing or (f"<!-- /wp:{part.short_name} -->" if close and not part.void else "")
        pending.append(closing)
        pending.extend(reversed(part.parts))
    return "".join(done)


def close_blocks(raw: str) -> str:
    """Return `raw` with an end delimiter for each unclosed block, as from `serialize_blocks`."""
    opened: list[str] = []
    for _, _, block in _iterate_delimiters(raw):
        if block is None:
            if opened:
                opened.pop()
        elif not block.void:
            opened.append(block.short_name)
    return raw + "".join(f"<!-- /wp:{name} -->" for name in reversed(opened))


_parse_and_keep = lru_cache(maxsize=_KEPT)(parse_blocks)


def _iterate_delimiters(raw: str) -> Iterator[tuple[int, int, Block | None]]:
    """Yield start and end of each delimiter, with the block that it opens, None for an end delimiter."""
    ends: list[re.Match[str]] | None = None
    at = 0
    while start := _START.search(raw, at):
        at = start.end()
        attributes = ""
        if raw[at] == "{":
            if ends is None:
                ends = list(_ATTRIBUTES_END.finditer(raw))
            number = bisect_left(ends, at, key=re.Match.start)
            if number == len(ends):
                continue
            ending = ends[number]
            attributes = raw[at : ending.start() + 1]
            void, at = bool(ending[1]), ending.end()
        else:
            void = raw[at] == "/"
            at += 4 if void else 3
        if start[1] and not void:
            yield start.start(), at, None
            continue
        name = start[2] if "/" in start[2] else f"core/{start[2]}"
        yield start.start(), at, Block(name, raw[start.start() : at], attributes, void=void)
