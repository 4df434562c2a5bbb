"""What a dynamic block is rendered in: the block with its attributes, the scene around it, the page that it stands on.

`LiveRenderer` renders the blocks of a content one after the other; each block's function gets a `BlockContext`. Not
here: what renders whole contents (content/blocks/dynamic_rendering.py). Rules: docs/rules/blocks.md, 7.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import lru_cache
from types import MappingProxyType
from typing import Any, Final

from vetrina.content.blocks.block_texts import translate_block_text
from vetrina.content.blocks.block_types import BlockType, find_block_type
from vetrina.content.blocks.grammar import Block
from vetrina.content.blocks.page_styles import needs_own_classes, note_block_styles, note_content_styles
from vetrina.content.blocks.rendering import BlockParts
from vetrina.content.blocks.wrapper import render_wrapper_attributes
from vetrina.content.comments.model import Comment
from vetrina.content.records import model as record_model
from vetrina.content.records.model import Record
from vetrina.content.records.query import RecordQuery
from vetrina.content.terms.store import Term
from vetrina.content.text import rendering as text_rendering
from vetrina.content.text.nested_texts import NestedTexts
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.core.user import User

BlockRenderFunction = Callable[["BlockContext"], str]

# Static blocks, unless they show the featured image of their record.
PICTURE_BLOCKS: Final = frozenset(("core/cover", "core/media-text"))
FEATURED: Final = '"useFeaturedImage":true'
_MAX_DEPTH: Final = 16  # nested live blocks
_MAX_KEPT_LENGTH: Final = 2_000  # characters of the attributes of a block that a process keeps as they were resolved
_KEPT: Final = 2_000  # such blocks
_LIVE_BLOCK_COST: Final = 9  # blocks as which a live one counts besides itself: it queries the database


@dataclass(frozen=True, slots=True)
class BlockQueryResult:
    """The result of a query block: one page of records, and the total."""

    query: RecordQuery
    rows: tuple[Record, ...]
    total: int
    number: int = 0  # tells the query blocks of a content apart
    is_main: bool = False  # whether the address of the page asks for it

    @property
    def page(self) -> int:
        """Return the number of its page."""
        return self.query.page


@dataclass(frozen=True, slots=True)
class PublicPage:
    """The public page in whose template blocks are rendered: what follows from its address.

    found: the page of the list that it shows, None for that of a record. build_url: a page of that list → its URL.
    title: of the list, as HTML, empty for none. term, author: whose records it lists. search: what was looked for.
    query_pages: the pages of other queries by their numbers. named_pages: the pages of other lists by their names.
    comment_page: the page of comments, 0 for the first that readers see. waiting_comment: the reader's own that waits
    for approval. record, content: the id of the record that it is of, and what stands in the place of its content.
    visitor_blocks: what renders the blocks that depend on who visits the page, in place of what renders them elsewhere;
    no filter reads their markup, so they escape what they show.
    """

    found: BlockQueryResult | None = None
    build_url: Callable[[int], str] = str
    title: str = ""
    term: Term | None = None
    author: User | None = None
    search: str = ""
    query_pages: Mapping[int, int] = field(default_factory=dict)
    named_pages: Mapping[str, int] = field(default_factory=dict)
    comment_page: int = 0
    waiting_comment: Comment | None = None
    record: int = 0
    content: str = ""
    visitor_blocks: Mapping[str, BlockRenderFunction] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class BlockScene:
    """What nested blocks share.

    record: whose content is rendered, or the current one of a query. menu: whether it is a navigation. page: whose
    template is rendered, None for a text by itself.
    """

    work: UnitOfWork
    record: Record | None = None
    found: BlockQueryResult | None = None
    term: Term | None = None
    comment: Comment | None = None
    menu: bool = False
    page: PublicPage | None = None


@dataclass(slots=True)
class BlockContext:
    """A block that is being rendered.

    attributes: with the defaults of its type; invalid ones are left out.
    around: the attributes of the enclosing block, as written. for_visitor: whether it depends on who visits the page.
    """

    scene: BlockScene
    type: BlockType | None
    block: Block
    attributes: Mapping[str, Any]
    around: Mapping[str, Any]
    live: LiveRenderer
    render: Callable[[BlockParts], str]
    for_visitor: bool = False

    @property
    def work(self) -> UnitOfWork:
        return self.scene.work

    @property
    def language(self) -> str:
        return self.scene.record.language if self.scene.record else self.work.language

    def translate(self, text: str) -> str:
        """Return what the block says by itself in the language of the page, as it is where no page is rendered."""
        return translate_block_text(self.work.language, text) if self.scene.page is not None else text

    def inner(self, parts: BlockParts | None = None, **changes: Any) -> str:
        """Return the rendered inner blocks; changes: to the scene in which they are rendered."""
        budget = self.work.budget
        left = budget.left
        if not left:
            return ""
        with self.live.in_scene(replace(self.scene, **changes) if changes else self.scene):
            html = self.render(self.block.parts if parts is None else parts)
        # The inner blocks were paid for; the text between them may be repeated and is paid each time.
        budget.pay(max(0, len(html) - (left - budget.left)))
        # No filter reads what is around it, which the server made.
        return self.live.nested.hold(html, "") if self.for_visitor else html

    def element(self, tag: str, html: str, *classes: str, own: str = "") -> str:
        """Return the block's outermost element around `html`."""
        names = (*classes, *self.live.note_styles(self.block, self.around))
        return f"<{tag}{self._render_wrapper(names, own)}>{html}</{tag}>"

    def _render_wrapper(self, names: tuple[str, ...], own: str) -> str:
        text = self.block.attributes_text
        if own or len(text) > _MAX_KEPT_LENGTH:
            return render_wrapper_attributes(self.type, self.attributes, names, own)
        return _render_kept_wrapper(self.block.name, text, names)

    def keep(self, html: str) -> str:
        """Return markup that this block made, with all that others wrote escaped: no pass and no filter changes it."""
        return self.live.keep(html)

    def title_of(self, record: Record) -> str:
        """Return the rendered title of a record, with the markup that its author may write."""
        return self.live.hold(record.title_html, record.title)

    def words_of(self, comment: Comment) -> str:
        """Return the rendered text of a comment, with the markup that its author may write."""
        return self.live.hold(comment.content_html, comment.content)

    def content_of(self, record: Record) -> str:
        """Return the rendered content of a record; empty inside itself, and for one with a password."""
        page = self.scene.page
        if page is not None and page.record == record.id:
            return page.content
        if record.id in self.live.open or record.password not in ("", "0"):
            return ""
        with self.live.enter_record(record):
            return self.live.content(record)


@dataclass(slots=True)
class LiveRenderer:
    """Renders the live blocks of a content, and of the contents that these include."""

    scene: BlockScene
    names: Mapping[str, BlockRenderFunction]
    open: list[int] = field(default_factory=list)  # ids of the records whose content is being rendered
    deep: int = 0
    nested: NestedTexts = field(default_factory=NestedTexts)
    searches: int = 0  # search forms so far, whose fields have ids with their numbers
    menus: int = 0  # menus that open over the page so far, which have ids with their numbers

    def can_render(self, block: Block) -> bool:
        if self.find_renderer(block.name) is None:
            return False
        return block.name not in PICTURE_BLOCKS or FEATURED in block.attributes_text

    def find_renderer(self, name: str) -> BlockRenderFunction | None:
        """Return what renders the live blocks of a name, None for static ones."""
        return self._find_visitor_renderer(name) or self.names.get(name)

    def _find_visitor_renderer(self, name: str) -> BlockRenderFunction | None:
        page = self.scene.page
        return page.visitor_blocks.get(name) if page is not None else None

    def render_block(self, block: Block, around: Mapping[str, Any], render: Callable[[BlockParts], str]) -> str:
        budget, visitor_function = self.scene.work.budget, self._find_visitor_renderer(block.name)
        function = visitor_function or self.names.get(block.name)
        if (
            function is None
            or self.deep == _MAX_DEPTH
            or not budget.take_block(_LIVE_BLOCK_COST)
            or not budget.pay_copied(len(block.attributes_text))
        ):
            return ""
        self.deep += 1
        type = find_block_type(block.name)
        attributes = _resolve_attributes(type, block)
        left = budget.left
        try:
            for_visitor = visitor_function is not None
            html = function(BlockContext(self.scene, type, block, attributes, around, self, render, for_visitor))
        finally:
            self.deep -= 1
        if for_visitor:
            # Forms, which the filter of texts would take away.
            return self.keep(html)
        # The inner blocks were paid for.
        budget.pay(max(0, len(html) - (left - budget.left)))
        return html

    def keep(self, html: str) -> str:
        """Return the placeholder of markup that the server made; it costs as what is copied."""
        return self.nested.keep(html) if self.scene.work.budget.pay_copied(len(html)) else ""

    def note_styles(self, block: Block, around: Mapping[str, Any]) -> list[str]:
        return note_block_styles(self.scene.work, block, around)

    def render_shortcode(self, name: str, given: Mapping[str, str]) -> str:
        """Return a shortcode rendered by the block of the same kind."""
        block = Block(f"shortcode/{name}", "", json.dumps(dict(given)), void=True)
        return self.render_block(block, {}, lambda parts: "") if self.can_render(block) else ""

    def content(self, record: Record) -> str:
        work = self.scene.work
        if not record.dynamic and not needs_own_classes(work, record.content):
            note_content_styles(work, record.content)
            html = record.content_html if work.budget.pay(len(record.content_html)) else ""
            return self.nested.hold(html, record.content)
        html = text_rendering.render_content(
            record.content, self.load_synced_content, self, smilies=uses_smilies(work), budget=work.budget
        )
        return self.nested.hold(html, record.content)

    def hold(self, html: str, raw: str) -> str:
        """Return the placeholder of a nested text until the outer text is filtered; it costs as much as the text."""
        held = self.nested.hold(html, raw)
        return held if self.scene.work.budget.pay(max(0, len(html) - len(held))) else ""

    def load_synced_content(self, number: int) -> str | None:
        """Return the content of a synced pattern that everybody may see."""
        work = self.scene.work
        work.uses_items("cms_block", (number,))
        found = record_model.find_record(work.tx, number)
        if found is None or found.type != "cms_block" or found.status != "publish" or found.password:
            return None
        return found.content

    @contextmanager
    def in_scene(self, scene: BlockScene) -> Iterator[None]:
        before, self.scene = self.scene, scene
        try:
            yield
        finally:
            self.scene = before

    @contextmanager
    def enter_record(self, record: Record) -> Iterator[None]:
        self.open.append(record.id)
        try:
            with self.in_scene(replace(self.scene, record=record)):
                yield
        finally:
            self.open.pop()


def _resolve_attributes(type: BlockType | None, block: Block) -> Mapping[str, Any]:
    """Return the attributes of a block, with the defaults of its type; those of templates are the same on each page."""
    if type is None:
        return block.attributes
    if len(block.attributes_text) > _MAX_KEPT_LENGTH:
        return type.resolve_attributes(block.attributes)
    return _resolve_kept_attributes(block.name, block.attributes_text)


@lru_cache(maxsize=_KEPT)
def _resolve_kept_attributes(name: str, text: str) -> Mapping[str, Any]:
    type, block = find_block_type(name), Block(name, "", text)
    return MappingProxyType(type.resolve_attributes(block.attributes)) if type is not None else block.attributes


@lru_cache(maxsize=_KEPT)
def _render_kept_wrapper(name: str, text: str, classes: tuple[str, ...]) -> str:
    type = find_block_type(name)
    return render_wrapper_attributes(type, _resolve_attributes(type, Block(name, "", text)), classes)


def uses_smilies(work: UnitOfWork) -> bool:
    """Return whether texts show smilies as pictures."""
    return bool(work.option("use_smilies"))
