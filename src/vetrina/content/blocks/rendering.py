"""Rendering of static blocks: delimiters vanish, what is between them stays, some blocks are changed.

Unknown blocks show their inner markup, void ones nothing. Headings, lists and containers get classes; an image block
without an image, a button without a label and hidden blocks are dropped. A synced block shows the content of its id,
never inside itself. Not here: blocks that show site data (content/blocks/dynamic_rendering.py), the grammar
(content/blocks/grammar.py), layout classes (content/blocks/layout.py). Rules: docs/rules/markup.md, 9.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from html import unescape
from typing import Any, Final, Protocol

from vetrina.content.blocks.grammar import Block, parse_blocks
from vetrina.content.blocks.layout import CONTAINER_BLOCKS, build_child_classes, build_layout_classes
from vetrina.content.blocks.marks import BlockMarks
from vetrina.content.text import sanitizing
from vetrina.content.text.media_shortcodes import embed_standalone_urls, escape_attribute, escape_url
from vetrina.content.text.nested_texts import NestedTexts
from vetrina.content.text.paragraphs import add_paragraphs
from vetrina.content.text.shortcodes import expand_embeds
from vetrina.content.text.tag_attributes import read_tag
from vetrina.kernel.render_budget import RenderBudget

SyncedContentLoader = Callable[[int], str | None]
BlockParts = list[str | Block]

_MAX_SYNCED: Final = 32  # nested synced blocks; a chain this long is a mistake
_SYNCED_BLOCK_COST: Final = 9  # blocks as which a synced one counts besides itself: it is loaded from the database
_MAX_KEPT_LENGTH: Final = 2_000  # characters of the attributes of a container whose classes a process keeps
_KEPT: Final = 2_000  # such containers
_MAX_DEPTH: Final = 128  # nested blocks; each level scans the text of all levels below it once more
_TAG: Final = re.compile(r"<([a-zA-Z][^\s/<>]*+)((?:[^<>\"']++|\"[^\"]*\"|'[^']*')*+)>")
_IMAGE: Final = re.compile(r"<img\s[^<>]*?src=[\"']?[^\"'\s>]", re.IGNORECASE)
_EMPTY_CAPTION: Final = re.compile(r"<figcaption(?:\s[^<>]*)?>(?:<!--[^<>]*-->)*</figcaption>", re.IGNORECASE)
_EMPTY_BUTTON: Final = re.compile(r"<(a|button)(?:\s[^<>]*)?>(?:<!--[^<>]*-->)*</\1>", re.IGNORECASE)
_NO_ATTRIBUTES: Final[Mapping[str, Any]] = {}
_HEADINGS: Final = frozenset(("h1", "h2", "h3", "h4", "h5", "h6"))


class LiveBlockRenderer(Protocol):
    """Renders the blocks that show site data, for one rendering of one content.

    nested: the other texts that are rendered within that content.
    """

    nested: NestedTexts

    def can_render(self, block: Block) -> bool:
        """Return whether it renders a block."""

    def render_block(self, block: Block, around: Mapping[str, Any], render: Callable[[BlockParts], str]) -> str:
        """Return the rendering of a block.

        around: the attributes of the enclosing block. render: renders the inner blocks.
        """

    def note_styles(self, block: Block, around: Mapping[str, Any]) -> list[str]:
        """Note the style rules that a block needs on the page that is being rendered, and return their classes."""

    def render_shortcode(self, name: str, given: Mapping[str, str]) -> str:
        """Return the rendering of a shortcode that shows files of the site."""


@dataclass(slots=True)
class _OpenBlock:
    """A block being rendered: its remaining parts, and the output so far."""

    block: Block
    around: Mapping[str, Any]  # attributes of the enclosing block
    within: str = ""  # the name of that block
    number: int = 0
    done: list[str] = field(default_factory=list)


def render_blocks(
    raw: str,
    synced: SyncedContentLoader | None,
    live: LiveBlockRenderer | None,
    budget: RenderBudget,
    marks: BlockMarks | None = None,
) -> str:
    """Return block content `raw` as HTML, without delimiters.

    synced: returns the raw content of a synced block by its id, None when there is none to show.
    live: renders the blocks that show site data; without it their inner markup is shown.
    budget: has paid for the text; blocks beyond it are left out. marks: tell which part comes from which block.
    """
    parts = parse_blocks(raw) if marks is None else marks.parse(raw)
    return _BlockRenderer(synced, live, budget, marks).render_parts(parts)


def render_block_parts(
    parts: BlockParts,
    synced: SyncedContentLoader | None = None,
    live: LiveBlockRenderer | None = None,
    *,
    budget: RenderBudget,
) -> str:
    """Return parsed blocks and the text between them as HTML, like `render_blocks`."""
    return _BlockRenderer(synced, live, budget).render_parts(parts)


class _BlockRenderer:
    def __init__(
        self,
        synced: SyncedContentLoader | None,
        live: LiveBlockRenderer | None,
        budget: RenderBudget,
        marks: BlockMarks | None = None,
    ) -> None:
        self._marks = marks
        self._synced = synced
        self._live = live
        self._budget = budget
        self._shown: list[int] = []
        self._galleries = 0

    def render_parts(self, parts: BlockParts) -> str:
        """Return `parts` as HTML, without the blocks that exceed the budget or the depth."""
        page = Block("", "", parts=parts)
        stack = [_OpenBlock(page, {})]
        while True:
            current = stack[-1]
            if current.number < len(current.block.parts):
                part = current.block.parts[current.number]
                current.number += 1
                if isinstance(part, str):
                    current.done.append(part)
                elif len(stack) > _MAX_DEPTH or not self._budget.take_block() or is_hidden(part):
                    continue
                elif self._live is not None and self._live.can_render(part):
                    html = self._live.render_block(part, current.block.attributes, self.render_parts)
                    current.done.append(html if self._marks is None else self._marks.wrap(part, html))
                else:
                    around = current.block.attributes if current.block.attributes_text else _NO_ATTRIBUTES
                    stack.append(_OpenBlock(part, around, current.block.name))
                continue
            stack.pop()
            if not stack:
                return "".join(current.done)
            html = self._render_block(current)
            stack[-1].done.append(html if self._marks is None else self._marks.wrap(current.block, html))

    def _render_block(self, current: _OpenBlock) -> str:
        block = current.block
        if block.name == "core/block":
            return self._render_synced_block(block)
        if block.name == "core/navigation-link":
            return _render_navigation_link(block.attributes)
        child = build_child_classes(block.attributes, current.around) if '"layout"' in block.attributes_text else []
        if self._live is not None:
            child = [*child, *self._live.note_styles(block, current.around)]
        if block.name in CONTAINER_BLOCKS:
            self._lay_out(current, child)
            return "".join(current.done)
        html = "".join(current.done)
        change = _BLOCK_FILTERS.get(block.name)
        if change:
            paid = self._budget.pay if change is add_paragraphs else self._budget.pay_copied
            html = change(html) if paid(len(html)) else ""
        if current.within == "core/gallery" and block.name == "core/image":
            html = _add_image_number(html, block.attributes.get("id"))
        return add_classes(html, child) if child else html

    def _lay_out(self, current: _OpenBlock, child: list[str]) -> None:
        classes = _list_layout_classes(current.block)
        if current.block.name == "core/gallery":
            self._galleries += 1
            classes.insert(0, f"wp-block-gallery-{self._galleries}")
        first = current.block.parts[0] if current.block.parts else ""
        if not isinstance(first, str) or not _TAG.search(first):
            current.done = [add_classes("".join(current.done), [*child, *classes])]
            return
        html = add_classes(first, child) if child else first
        holds_blocks = any(True for _ in current.block.inner)
        current.done[0] = add_classes(html, classes, _find_wrapper_class(first) if holds_blocks else "")

    def _render_synced_block(self, block: Block) -> str:
        number = block.attributes.get("ref")
        if type(number) is not int or self._synced is None or number in self._shown:
            return ""
        if not self._budget.take_block(_SYNCED_BLOCK_COST):
            return ""
        raw = self._synced(number) if len(self._shown) < _MAX_SYNCED else None
        if raw is None:
            return ""
        self._shown.append(number)
        html = self.render_parts(parse_blocks(embed_standalone_urls(expand_embeds(self._budget.take_text(raw)))))
        self._shown.pop()
        return self._live.nested.hold(html, raw) if self._live is not None else html


def _list_layout_classes(block: Block) -> list[str]:
    text = block.attributes_text
    if len(text) > _MAX_KEPT_LENGTH:
        return build_layout_classes(block.name, block.attributes)
    return list(_list_kept_layout_classes(block.name, text))


@lru_cache(maxsize=_KEPT)
def _list_kept_layout_classes(name: str, attributes_text: str) -> tuple[str, ...]:
    return tuple(build_layout_classes(name, Block(name, "", attributes_text).attributes))


def is_hidden(block: Block) -> bool:
    """Return whether an editor hid a block, with those inside it, from readers."""
    if '"blockVisibility"' not in block.attributes_text:
        return False
    metadata = block.attributes.get("metadata")
    return isinstance(metadata, dict) and metadata.get("blockVisibility") is False


def _find_wrapper_class(html: str) -> str:
    """Return the class attribute of the last tag that has one: what follows is inside that element."""
    wrapper = ""
    for tag in _TAG.finditer(html):
        wrapper = _read_class(tag) or wrapper
    return wrapper


def _read_class(tag: re.Match[str]) -> str:
    read = read_tag(tag[0], 0)
    found = read.find_attribute("class") if read is not None else None
    return unescape(found.value or "") if found is not None else ""


def add_classes(html: str, names: list[str], wrapper: str = "") -> str:
    """Return `html` with more classes on its first tag, or on the first whose class contains `wrapper`."""
    for tag in _TAG.finditer(html):
        if wrapper and wrapper not in _read_class(tag):
            continue
        return html[: tag.start()] + _add_tag_classes(tag, names) + html[tag.end() :]
    return html


def _add_tag_classes(tag: re.Match[str], names: list[str]) -> str:
    read = read_tag(tag[0], 0)
    if read is None or read.end != len(tag[0]):
        return tag[0]  # quotes that a browser would pair differently
    found = read.find_attribute("class")
    if found is None:
        return f'<{tag[1]} class="{escape_attribute(" ".join(names))}"{tag[2]}>'
    present = found.value or ""
    missing = [name for name in dict.fromkeys(names) if name not in present.split()]
    if not missing:
        return tag[0]
    classes = " ".join(
        (present.replace('"', "&quot;"), *map(escape_attribute, missing)) if present else map(escape_attribute, missing)
    )
    return f'{tag[0][: found.start]}class="{classes}"{tag[0][found.end :]}'


def _add_class_to_tags(html: str, tags: frozenset[str], name: str) -> str:
    for tag in _TAG.finditer(html):
        if tag[1].lower() in tags:
            return html[: tag.start()] + _add_tag_classes(tag, [name]) + html[tag.end() :]
    return html


def _render_heading(html: str) -> str:
    return _add_class_to_tags(html, _HEADINGS, "wp-block-heading")


def _render_list(html: str) -> str:
    return _add_class_to_tags(html, frozenset(("ul", "ol")), "wp-block-list")


def _render_image(html: str) -> str:
    return _EMPTY_CAPTION.sub("", html, count=1) if _IMAGE.search(html) else ""


def _add_image_number(html: str, number: Any) -> str:
    """Return an image of a gallery with the id of its file, which gallery scripts look for."""
    if type(number) is not int or f'data-id="{number}"' in html:
        return html
    return html.replace("<img ", f'<img data-id="{number}" ', 1)


def _render_button(html: str) -> str:
    return "" if _EMPTY_BUTTON.search(html) else html


def sanitize_label(label: str) -> str:
    """Return the label that an editor gave to a link, sanitized: no text filter sees the attribute that it is in."""
    return sanitizing.sanitize_content(label) if "<" in label else label


def _render_navigation_link(attributes: Mapping[str, Any]) -> str:
    label = attributes.get("label")
    if not isinstance(label, str) or not label:
        return ""
    attrs = ""
    if isinstance(url := attributes.get("url"), str):
        attrs += f' href="{escape_url(url)}"'
    if attributes.get("opensInNewTab"):
        attrs += ' target="_blank"  '
    for name in ("rel", "title"):
        if isinstance(value := attributes.get(name), str) and value:
            attrs += f' {name}="{escape_attribute(value)}"'
    note = attributes.get("description")
    described = (
        f'<span class="wp-block-navigation-item__description">{sanitize_label(note)}</span>'
        if note and isinstance(note, str)
        else ""
    )
    return (
        '<li class=" wp-block-navigation-item wp-block-navigation-link">'
        f'<a class="wp-block-navigation-item__content" {attrs}>'
        f'<span class="wp-block-navigation-item__label">{sanitize_label(label)}</span>{described}</a></li>'
    )


_BLOCK_FILTERS: Final[Mapping[str, Callable[[str], str]]] = {
    "core/heading": _render_heading,
    "core/list": _render_list,
    "core/image": _render_image,
    "core/button": _render_button,
    "core/shortcode": add_paragraphs,
}
