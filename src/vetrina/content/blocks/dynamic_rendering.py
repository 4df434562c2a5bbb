"""Dynamic ("live") blocks: they show site data, so they are rendered when a content is read, not when it is saved.

Each block name has a render function (all are in content/blocks/dynamic_blocks.py), called with a BlockContext
(content/blocks/block_context.py). Texts without such blocks keep the HTML of their save. Not here: static blocks
(content/blocks/rendering.py). Rules: docs/rules/markup.md, 9; docs/rules/blocks.md, 7.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Final

from vetrina.content.blocks.block_context import (
    FEATURED,
    PICTURE_BLOCKS,
    BlockScene,
    LiveRenderer,
    PublicPage,
    uses_smilies,
)
from vetrina.content.blocks.block_types import BlockType
from vetrina.content.blocks.grammar import Block, list_block_names
from vetrina.content.blocks.marks import BlockMarks
from vetrina.content.blocks.page_styles import needs_own_classes, note_content_styles
from vetrina.content.blocks.rendering import render_block_parts
from vetrina.content.records.model import Record
from vetrina.content.text import rendering as text_rendering
from vetrina.content.text.output_filter import filter_output
from vetrina.content.text.shortcodes import has_file_shortcodes
from vetrina.core.site_context import SiteContext
from vetrina.core.unit_of_work import UnitOfWork

_SYNCED: Final = "core/block"


def has_live_blocks(site: SiteContext, raw: str) -> bool:
    """Return whether a content has blocks that show site data."""
    found = list_block_names(raw)
    if has_file_shortcodes(raw):
        return True
    if _SYNCED in found or any(name in site.blocks for name in found - PICTURE_BLOCKS):
        return True
    return not found.isdisjoint(PICTURE_BLOCKS) and FEATURED in raw


def _has_visitor_blocks(raw: str, page: PublicPage | None) -> bool:
    return page is not None and not page.visitor_blocks.keys().isdisjoint(list_block_names(raw))


def render_record_content(work: UnitOfWork, record: Record, page: PublicPage | None = None) -> str:
    """Return a record's content as rendered now. page: that it is rendered for, None for an answer."""
    if record.dynamic or needs_own_classes(work, record.content) or _has_visitor_blocks(record.content, page):
        return render_live_content(work, record.content, record, page=page)
    note_content_styles(work, record.content)
    return work.budget.take_cached_html(record.content_html)


def render_static_content(work: UnitOfWork, record: Record) -> str:
    """Return a record's content rendered without site data in its blocks."""
    if record.content_html or not record.content:
        return work.budget.take_cached_html(record.content_html)
    return text_rendering.render_content(record.content, budget=work.budget)


def render_live_content(
    work: UnitOfWork,
    raw: str,
    record: Record | None = None,
    marks: BlockMarks | None = None,
    page: PublicPage | None = None,
) -> str:
    """Return a content as rendered now.

    record: whose content it is, or was in a revision. marks: stay in it, around what each block gives. page: that it is
    rendered for, None for an answer.
    """
    smilies = uses_smilies(work)
    if not has_live_blocks(work.site, raw) and not needs_own_classes(work, raw) and not _has_visitor_blocks(raw, page):
        note_content_styles(work, raw)
        return text_rendering.render_content(raw, smilies=smilies, budget=work.budget, marks=marks)
    with _open_renderer(work, record, page) as showing:
        return text_rendering.render_content(
            raw, showing.load_synced_content, showing, smilies=smilies, budget=work.budget, marks=marks
        )


def render_template(work: UnitOfWork, raw: str, page: PublicPage, record: Record | None) -> str:
    """Return the blocks of a template as they show a public page; record: that it is of, None for a list."""
    note_content_styles(work, raw)
    showing = LiveRenderer(BlockScene(work, record, page=page, term=page.term), work.site.blocks)
    return text_rendering.render_template(
        raw, showing.load_synced_content, showing, smilies=uses_smilies(work), budget=work.budget
    )


def render_record_excerpt(work: UnitOfWork, record: Record, words: int | None = None) -> str:
    """Return a record's excerpt as rendered now. words: length of a generated one, the stored one by default."""
    smilies = not record.dynamic or uses_smilies(work)
    if words is None:
        if smilies:
            return work.budget.take_cached_html(record.excerpt_html)
        return text_rendering.render_excerpt(record.excerpt, record.content, smilies=False, budget=work.budget)
    return text_rendering.render_excerpt(record.excerpt, record.content, words, smilies=smilies, budget=work.budget)


def render_single_block(
    work: UnitOfWork, type: BlockType, attributes: Mapping[str, Any], record: Record | None = None
) -> str:
    """Return the rendering of one block without inner blocks."""
    block = Block(type.name, "", json.dumps(dict(attributes)), void=True)
    with _open_renderer(work, record) as showing:
        html = filter_output(render_block_parts([block], showing.load_synced_content, showing, budget=work.budget))
        return showing.nested.put_back(html, lambda nested: nested)


def render_file_shortcode(work: UnitOfWork, name: str, given: Mapping[str, str]) -> str:
    """Return the rendering of a shortcode that shows files of the site."""
    with _open_renderer(work, None) as showing:
        html = filter_output(showing.render_shortcode(name, given))
        return showing.nested.put_back(html, lambda nested: nested)


@contextmanager
def _open_renderer(work: UnitOfWork, record: Record | None, page: PublicPage | None = None) -> Iterator[LiveRenderer]:
    """Open a renderer in the language of the record, for its lists and dates."""
    language = work.language
    if record is not None and record.language:
        work.language = record.language
    try:
        open = [record.id] if record is not None else []
        yield LiveRenderer(BlockScene(work, record, page=page), work.site.blocks, open)
    finally:
        work.language = language
