"""The style rules that the blocks of one page need, gathered while its contents are rendered.

A page renderer begins with `gather_page_styles`, renders, and puts `PageStyles.css` into the head of its page, with
`build_content_policy(styles=…)` for its policy. Contents are looked at as they are stored, since what was rendered when
they were saved is not rendered again. Which rules: content/blocks/container_rules.py.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from vetrina.content.blocks.container_rules import build_child_rules, build_container_rules
from vetrina.content.blocks.grammar import Block, parse_blocks
from vetrina.core.unit_of_work import UnitOfWork

_LOOKUP: Final = "page_styles"
_MAX_DEPTH: Final = 128  # nested blocks, as many as are rendered
_KEPT: Final = 500  # contents whose rules a process keeps
_MAX_KEPT_LENGTH: Final = 32_000  # characters of such a content
_MAX_RULES: Final = 500  # of one page
# A content without one of these needs no rules of its own.
_NEEDS_RULES: Final = re.compile(r'"layout"|"blockGap"|wp:columns\b')


class PageStyles:
    """The rules of one page by their class, in the order in which its blocks were met."""

    def __init__(self) -> None:
        self._rules: dict[str, str] = {}

    @property
    def css(self) -> str:
        """Return the rules as the text of a style element; empty for a page that needs none."""
        return "".join(self._rules.values())

    def add(self, name: str, css: str) -> None:
        """Add the rules of a class; those of a class that is there already are the same."""
        if css and len(self._rules) < _MAX_RULES:
            self._rules.setdefault(name, css)


def gather_page_styles(work: UnitOfWork) -> PageStyles:
    """Return the rules of the page that this unit of work renders; they grow with each content."""
    found: PageStyles = work.lookups.setdefault(_LOOKUP, PageStyles())
    return found


def note_content_styles(work: UnitOfWork, raw: str) -> None:
    """Add the rules of a content, as stored, to those of the page that is being rendered, if one is."""
    styles: PageStyles | None = work.lookups.get(_LOOKUP)
    if styles is None or not _NEEDS_RULES.search(raw) or not work.budget.pay_copied(len(raw)):
        return
    rules = _list_kept_rules(raw) if len(raw) <= _MAX_KEPT_LENGTH else _list_rules(raw)
    for name, css in rules:
        styles.add(name, css)


def _list_rules(raw: str) -> tuple[tuple[str, str], ...]:
    """Return the classes of a content's blocks that have rules of their own, with these."""
    out: dict[str, str] = {}
    page = Block("", "", parts=parse_blocks(raw))
    pending = [(block, page, 1) for block in reversed(list(page.inner))]
    while pending and len(out) < _MAX_RULES:
        block, parent, depth = pending.pop()
        found = [build_container_rules(block.name, block.attributes)]
        if '"layout"' in block.attributes_text:
            found.append(build_child_rules(block.attributes, parent.attributes))
        out.update((name, css) for name, css in found if css)
        if depth < _MAX_DEPTH:
            pending += ((inner, block, depth + 1) for inner in reversed(list(block.inner)))
    return tuple(out.items())


_list_kept_rules = lru_cache(maxsize=_KEPT)(_list_rules)
