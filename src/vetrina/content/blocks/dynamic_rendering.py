"""Content that shows something of the site: blocks whose markup is made when they are read, not when they are written.

Each kind of block has a maker (content/blocks/dynamic_blocks.py names them all); a maker gets a Place: the block, its
attributes with their defaults, and the scene it stands in. Whoever shows a text asks here; texts without such blocks
are shown as they were rendered when they were written. Not here: blocks that depend on nothing but themselves
(content/blocks/rendering.py). Rules: facts, "Rendered members" and "Reusable blocks, pattern categories, navigation".
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any, Final

from vetrina.content.blocks.block_types import BlockType, block_type
from vetrina.content.blocks.grammar import Block, names
from vetrina.content.blocks.rendering import Parts, rendered_parts
from vetrina.content.blocks.wrapper import wrapper
from vetrina.content.comments.model import Comment
from vetrina.content.records import model as record_model
from vetrina.content.records.model import Record
from vetrina.content.records.query import RecordQuery
from vetrina.content.terms.store import Term
from vetrina.content.text import rendering as text_rendering
from vetrina.content.text.nested_texts import NestedTexts
from vetrina.content.text.output_filter import filter_output
from vetrina.content.text.shortcodes import stands_for_files
from vetrina.core.unit_of_work import Frame, Work

__all__ = ["Found", "Maker", "Place", "Scene", "block_shown", "content_alone", "content_shown", "excerpt_shown",
           "is_live", "rendered", "shortcode_shown"]  # fmt: skip

Maker = Callable[["Place"], str]

_SYNCED: Final = "core/block"
# Blocks that stand in the text as they are, unless they show the picture of their record.
_OF_PICTURES: Final = frozenset(("core/cover", "core/media-text"))
_FEATURED: Final = '"useFeaturedImage":true'
_DEEPEST: Final = 16  # live blocks inside one another
_WEIGHT: Final = 9  # blocks as which such a one counts besides itself: it asks the database


@dataclass(frozen=True, slots=True)
class Found:
    """What a query block found: one page of records, and how many there are in all."""

    query: RecordQuery
    rows: tuple[Record, ...]
    total: int
    number: int = 0  # tells the query blocks of a content apart


@dataclass(frozen=True, slots=True)
class Scene:
    """What blocks inside one another share.

    record: whose content is shown, or which one of a query. menu: whether it is a navigation.
    """

    work: Work
    record: Record | None = None
    found: Found | None = None
    term: Term | None = None
    comment: Comment | None = None
    menu: bool = False


@dataclass(slots=True)
class Place:
    """One block that is being shown.

    attributes: with the defaults of its type; what does not fit its type is left out.
    around: the attributes of the block it stands in, as they were written.
    """

    scene: Scene
    type: BlockType | None
    block: Block
    attributes: Mapping[str, Any]
    around: Mapping[str, Any]
    live: _Showing
    render: Callable[[Parts], str]

    @property
    def work(self) -> Work:
        return self.scene.work

    @property
    def language(self) -> str:
        return self.scene.record.language if self.scene.record else self.work.language

    def inner(self, parts: Parts | None = None, **changes: Any) -> str:
        """Return what is inside the block as markup; changes: of the scene in which that is shown."""
        budget = self.work.budget
        left = budget.left
        if not left:
            return ""
        with self.live.in_scene(replace(self.scene, **changes) if changes else self.scene):
            html = self.render(self.block.parts if parts is None else parts)
        # The blocks inside have paid for themselves; the text between them is shown as often as the block shows it.
        budget.pay(max(0, len(html) - (left - budget.left)))
        return html

    def element(self, tag: str, html: str, *classes: str, own: str = "") -> str:
        """Return the block's outermost element around `html`."""
        return f"<{tag}{wrapper(self.type, self.attributes, classes, own)}>{html}</{tag}>"

    def title_of(self, record: Record) -> str:
        """Return the title of a record as shown here, with the markup that its own author may write."""
        return self.live.hold(record.title_html, record.title)

    def words_of(self, comment: Comment) -> str:
        """Return the text of a comment as shown here, with the markup that its own author may write."""
        return self.live.hold(comment.content_html, comment.content)

    def content_of(self, record: Record) -> str:
        """Return the content of a record as shown here; nothing inside itself, nothing that a password keeps."""
        if record.id in self.live.open or record.password not in ("", "0"):
            return ""
        with self.live.showing(record):
            return self.live.content(record)


@dataclass(slots=True)
class _Showing:
    """Shows the live blocks of one content, and of the contents that these show in turn."""

    scene: Scene
    names: Mapping[str, Maker]
    open: list[int] = field(default_factory=list)  # records whose content is being shown
    deep: int = 0
    nested: NestedTexts = field(default_factory=NestedTexts)

    def takes(self, block: Block) -> bool:
        if block.name not in self.names:
            return False
        return block.name not in _OF_PICTURES or _FEATURED in block.attributes_text

    def shown(self, block: Block, around: Mapping[str, Any], render: Callable[[Parts], str]) -> str:
        budget = self.scene.work.budget
        if self.deep == _DEEPEST or not budget.block(_WEIGHT) or not budget.copy(len(block.attributes_text)):
            return ""
        self.deep += 1
        type = block_type(block.name)
        attributes = type.settled(block.attributes) if type else block.attributes
        left = budget.left
        try:
            html = self.names[block.name](Place(self.scene, type, block, attributes, around, self, render))
        finally:
            self.deep -= 1
        # What stands inside it has paid for itself.
        budget.pay(max(0, len(html) - (left - budget.left)))
        return html

    def shortcode(self, name: str, given: Mapping[str, str]) -> str:
        """Return a shortcode as a block of its own shows it."""
        block = Block(f"shortcode/{name}", "", json.dumps(dict(given)), void=True)
        return self.shown(block, {}, lambda parts: "") if self.takes(block) else ""

    def content(self, record: Record) -> str:
        work = self.scene.work
        if not record.dynamic:
            html = record.content_html if work.budget.pay(len(record.content_html)) else ""
            return self.nested.hold(html, record.content)
        html = text_rendering.content(record.content, self.synced, self, smilies=_smilies(work), budget=work.budget)
        return self.nested.hold(html, record.content)

    def hold(self, html: str, raw: str) -> str:
        """Return what stands for a nested text until the text around it is filtered; it costs as much as the whole."""
        held = self.nested.hold(html, raw)
        return held if self.scene.work.budget.pay(max(0, len(html) - len(held))) else ""

    def synced(self, number: int) -> str | None:
        """Return the content of a synced pattern that everybody may see."""
        work = self.scene.work
        work.uses("cms_block")
        found = record_model.by_id(work.tx, number)
        if found is None or found.type != "cms_block" or found.status != "publish" or found.password:
            return None
        return found.content

    @contextmanager
    def in_scene(self, scene: Scene) -> Iterator[None]:
        before, self.scene = self.scene, scene
        try:
            yield
        finally:
            self.scene = before

    @contextmanager
    def showing(self, record: Record) -> Iterator[None]:
        self.open.append(record.id)
        try:
            with self.in_scene(replace(self.scene, record=record)):
                yield
        finally:
            self.open.pop()


def is_live(frame: Frame, raw: str) -> bool:
    """Say whether a content has blocks that show something of the site."""
    found = names(raw)
    if stands_for_files(raw):
        return True
    if _SYNCED in found or any(name in frame.blocks for name in found - _OF_PICTURES):
        return True
    return not found.isdisjoint(_OF_PICTURES) and _FEATURED in raw


def content_shown(work: Work, record: Record) -> str:
    """Return a record's content as it is shown now."""
    return rendered(work, record.content, record) if record.dynamic else work.budget.answer(record.content_html)


def content_alone(work: Work, record: Record) -> str:
    """Return a record's content as it is shown where its blocks show nothing of the site."""
    if record.content_html or not record.content:
        return work.budget.answer(record.content_html)
    return text_rendering.content(record.content, budget=work.budget)


def rendered(work: Work, raw: str, record: Record | None = None) -> str:
    """Return a content as it is shown now. record: whose it is, or was in a revision."""
    if not is_live(work.frame, raw):
        return text_rendering.content(raw, smilies=_smilies(work), budget=work.budget)
    with _opened(work, record) as showing:
        return text_rendering.content(raw, showing.synced, showing, smilies=_smilies(work), budget=work.budget)


def excerpt_shown(work: Work, record: Record, words: int | None = None) -> str:
    """Return a record's excerpt as it is shown now. words: of one that is made, the stored one when left out."""
    smilies = not record.dynamic or _smilies(work)
    if words is None:
        if smilies:
            return work.budget.answer(record.excerpt_html)
        return text_rendering.excerpt(record.excerpt, record.content, smilies=False, budget=work.budget)
    return text_rendering.excerpt(record.excerpt, record.content, words, smilies=smilies, budget=work.budget)


def _smilies(work: Work) -> bool:
    return bool(work.option("use_smilies"))


def block_shown(work: Work, type: BlockType, attributes: Mapping[str, Any], record: Record | None = None) -> str:
    """Return the markup of one block that has nothing inside."""
    block = Block(type.name, "", json.dumps(dict(attributes)), void=True)
    with _opened(work, record) as showing:
        html = filter_output(rendered_parts([block], showing.synced, showing, budget=work.budget))
        return showing.nested.put_back(html, lambda nested: nested)


def shortcode_shown(work: Work, name: str, given: Mapping[str, str]) -> str:
    """Return the markup of a shortcode that shows files of the site."""
    with _opened(work, None) as showing:
        html = filter_output(showing.shortcode(name, given))
        return showing.nested.put_back(html, lambda nested: nested)


@contextmanager
def _opened(work: Work, record: Record | None) -> Iterator[_Showing]:
    """Open a showing in the language of the record, whose readers expect lists and dates in it."""
    language = work.language
    if record is not None and record.language:
        work.language = record.language
    try:
        open = [record.id] if record is not None else []
        yield _Showing(Scene(work, record), work.frame.blocks, open)
    finally:
        work.language = language
