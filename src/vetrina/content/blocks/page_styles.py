"""The style rules that the blocks of one page need, gathered while its contents are rendered.

A page renderer begins with `gather_page_styles`, renders whatever the page shows, and puts `PageStyles.css` into the
head of its page, with its text in the page's policy. Blocks that are rendered for the page note their rules themselves;
of a content whose rendering is stored, the blocks are looked at. Which rules: content/blocks/block_style_rules.py.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Final

from vetrina.content.blocks.block_style_rules import iterate_own_rules, may_need_classes, may_need_rules
from vetrina.content.blocks.container_rules import build_child_rules, build_container_rules
from vetrina.content.blocks.grammar import Block, parse_blocks
from vetrina.core.unit_of_work import UnitOfWork

_LOOKUP: Final = "page_styles"
_MAX_DEPTH: Final = 128  # nested blocks, as many as are rendered
_KEPT: Final = 200  # contents whose rules a process keeps
_MAX_KEPT_LENGTH: Final = 16_000  # characters of such a content
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


def needs_own_classes(work: UnitOfWork, raw: str) -> bool:
    """Return whether blocks of a content have classes on the page being rendered that its stored rendering lacks."""
    return _LOOKUP in work.lookups and may_need_classes(raw)


def note_block_styles(work: UnitOfWork, block: Block, around: Mapping[str, Any]) -> list[str]:
    """Add the own rules of a block that is being rendered to those of the page, and return their classes.

    around: the attributes of the enclosing block. None where no page is rendered.
    """
    styles: PageStyles | None = work.lookups.get(_LOOKUP)
    if styles is None or not may_need_rules(block):
        return []
    names = []
    for name, css in iterate_own_rules(block, around):
        if css:
            styles.add(name, css)
            names.append(name)
    return names


def note_content_styles(work: UnitOfWork, raw: str) -> None:
    """Add the rules of a content whose stored rendering is shown to those of the page, if one is being rendered."""
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
