"""Blocks as markup: delimiters vanish, what is between them stays, some kinds of blocks change it.

Not here: the grammar (content/blocks/grammar.py), layout classes (content/blocks/layout.py), typography and the other
steps (content/text/rendering.py). Rules: observed on rendered content. A block that nobody knows shows its inner
markup, a void one nothing. Headings, lists and containers get their classes, an image block without an image and a
button without a label are dropped, hidden blocks too. A synced block shows the content that its number stands for, none
of them inside itself. Blocks that show something of the site are left to whoever knows it
(content/blocks/dynamic_rendering.py).
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from html import unescape
from typing import Any, Final, Protocol

from vetrina.content.blocks.grammar import Block, parse
from vetrina.content.blocks.layout import CONTAINERS, child_classes, layout_classes
from vetrina.content.text import sanitizing
from vetrina.content.text.media_shortcodes import address, attribute, embed_lonely_addresses
from vetrina.content.text.nested_texts import NestedTexts
from vetrina.content.text.paragraphs import with_paragraphs
from vetrina.content.text.shortcodes import expand_embeds
from vetrina.content.text.tag_attributes import read_tag
from vetrina.kernel.render_budget import Budget

Synced = Callable[[int], str | None]
Parts = list[str | Block]

_MAX_SYNCED: Final = 32  # synced blocks inside one another; a chain this long is a mistake
_WEIGHT: Final = 9  # blocks as which a synced one counts besides itself: it is looked up
_DEEPEST: Final = 128  # blocks inside one another; each level goes through the text of all beneath it once more
_TAG: Final = re.compile(r"<([a-zA-Z][^\s/<>]*+)((?:[^<>\"']++|\"[^\"]*\"|'[^']*')*+)>")
_IMAGE: Final = re.compile(r"<img\s[^<>]*?src=[\"']?[^\"'\s>]", re.IGNORECASE)
_EMPTY_CAPTION: Final = re.compile(r"<figcaption(?:\s[^<>]*)?>(?:<!--[^<>]*-->)*</figcaption>", re.IGNORECASE)
_EMPTY_BUTTON: Final = re.compile(r"<(a|button)(?:\s[^<>]*)?>(?:<!--[^<>]*-->)*</\1>", re.IGNORECASE)
_HEADINGS: Final = frozenset(("h1", "h2", "h3", "h4", "h5", "h6"))


class Live(Protocol):
    """Shows the blocks that depend on the site, during one showing of one content.

    nested: the other texts that are shown within that content.
    """

    nested: NestedTexts

    def takes(self, block: Block) -> bool:
        """Say whether it shows a block."""

    def shown(self, block: Block, around: Mapping[str, Any], render: Callable[[Parts], str]) -> str:
        """Return the markup of a block.

        around: the attributes of the block it stands in. render: shows what is inside it.
        """

    def shortcode(self, name: str, given: Mapping[str, str]) -> str:
        """Return the markup of a shortcode that shows files of the site."""


@dataclass(slots=True)
class _Open:
    """A block being rendered: what is left of it, and what has come of it."""

    block: Block
    around: Mapping[str, Any]  # attributes of the block it stands in
    within: str = ""  # the name of that block
    number: int = 0
    done: list[str] = field(default_factory=list)


def rendered(raw: str, synced: Synced | None, live: Live | None, budget: Budget) -> str:
    """Return block content `raw` as markup, without delimiters.

    synced: returns the raw content of a synced block by its number, None when there is none to show.
    live: shows the blocks that depend on the site; without it they show what they hold themselves.
    budget: has paid for the text; blocks past it are left out.
    """
    return _Renderer(synced, live, budget).parts(parse(raw))


def rendered_parts(parts: Parts, synced: Synced | None = None, live: Live | None = None, *, budget: Budget) -> str:
    """Return parsed blocks and loose text as markup, as `rendered` does."""
    return _Renderer(synced, live, budget).parts(parts)


class _Renderer:
    def __init__(self, synced: Synced | None, live: Live | None, budget: Budget) -> None:
        self._synced = synced
        self._live = live
        self._budget = budget
        self._shown: list[int] = []
        self._galleries = 0

    def parts(self, parts: Parts) -> str:
        """Return `parts` as markup, without the blocks that are past the budget or nest too deep."""
        page = Block("", "", parts=parts)
        stack = [_Open(page, {})]
        while True:
            current = stack[-1]
            if current.number < len(current.block.parts):
                part = current.block.parts[current.number]
                current.number += 1
                if isinstance(part, str):
                    current.done.append(part)
                elif len(stack) > _DEEPEST or not self._budget.block() or _hidden(part):
                    continue
                elif self._live is not None and self._live.takes(part):
                    current.done.append(self._live.shown(part, current.block.attributes, self.parts))
                else:
                    stack.append(_Open(part, current.block.attributes, current.block.name))
                continue
            stack.pop()
            if not stack:
                return "".join(current.done)
            stack[-1].done.append(self._block(current))

    def _block(self, current: _Open) -> str:
        block = current.block
        if block.name == "core/block":
            return self._synced_block(block)
        if block.name == "core/navigation-link":
            return _navigation_link(block.attributes)
        child = child_classes(block.attributes, current.around) if '"layout"' in block.attributes_text else []
        if block.name in CONTAINERS:
            self._lay_out(current, child)
            return "".join(current.done)
        html = "".join(current.done)
        change = _CHANGES.get(block.name)
        if change:
            paid = self._budget.pay if change is with_paragraphs else self._budget.copy
            html = change(html) if paid(len(html)) else ""
        if current.within == "core/gallery" and block.name == "core/image":
            html = _numbered(html, block.attributes.get("id"))
        return with_classes(html, child) if child else html

    def _lay_out(self, current: _Open, child: list[str]) -> None:
        classes = layout_classes(current.block.name, current.block.attributes)
        if current.block.name == "core/gallery":
            self._galleries += 1
            classes.insert(0, f"wp-block-gallery-{self._galleries}")
        first = current.block.parts[0] if current.block.parts else ""
        if not isinstance(first, str) or not _TAG.search(first):
            current.done = [with_classes("".join(current.done), [*child, *classes])]
            return
        html = with_classes(first, child) if child else first
        holds_blocks = any(True for _ in current.block.inner)
        current.done[0] = with_classes(html, classes, _wrapper_class(first) if holds_blocks else "")

    def _synced_block(self, block: Block) -> str:
        number = block.attributes.get("ref")
        if type(number) is not int or self._synced is None or number in self._shown:
            return ""
        if not self._budget.block(_WEIGHT):
            return ""
        raw = self._synced(number) if len(self._shown) < _MAX_SYNCED else None
        if raw is None:
            return ""
        self._shown.append(number)
        html = self.parts(parse(embed_lonely_addresses(expand_embeds(self._budget.take(raw)))))
        self._shown.pop()
        return self._live.nested.hold(html, raw) if self._live is not None else html


def _hidden(block: Block) -> bool:
    if '"blockVisibility"' not in block.attributes_text:
        return False
    metadata = block.attributes.get("metadata")
    return isinstance(metadata, dict) and metadata.get("blockVisibility") is False


def _wrapper_class(html: str) -> str:
    """Return the class attribute of the last tag that has one: what follows is inside that element."""
    wrapper = ""
    for tag in _TAG.finditer(html):
        wrapper = _class_of(tag) or wrapper
    return wrapper


def _class_of(tag: re.Match[str]) -> str:
    read = read_tag(tag[0], 0)
    found = read.attribute("class") if read is not None else None
    return unescape(found.value or "") if found is not None else ""


def with_classes(html: str, names: list[str], wrapper: str = "") -> str:
    """Return `html` with more classes on its first tag, or on the first whose class contains `wrapper`."""
    for tag in _TAG.finditer(html):
        if wrapper and wrapper not in _class_of(tag):
            continue
        return html[: tag.start()] + _tag_with_classes(tag, names) + html[tag.end() :]
    return html


def _tag_with_classes(tag: re.Match[str], names: list[str]) -> str:
    read = read_tag(tag[0], 0)
    if read is None or read.end != len(tag[0]):
        return tag[0]  # quotes that a browser pairs otherwise
    found = read.attribute("class")
    if found is None:
        return f'<{tag[1]} class="{attribute(" ".join(names))}"{tag[2]}>'
    present = found.value or ""
    missing = [name for name in dict.fromkeys(names) if name not in present.split()]
    if not missing:
        return tag[0]
    classes = " ".join(
        (present.replace('"', "&quot;"), *map(attribute, missing)) if present else map(attribute, missing)
    )
    return f'{tag[0][: found.start]}class="{classes}"{tag[0][found.end :]}'


def _with_class_on(html: str, tags: frozenset[str], name: str) -> str:
    for tag in _TAG.finditer(html):
        if tag[1].lower() in tags:
            return html[: tag.start()] + _tag_with_classes(tag, [name]) + html[tag.end() :]
    return html


def _heading(html: str) -> str:
    return _with_class_on(html, _HEADINGS, "wp-block-heading")


def _list(html: str) -> str:
    return _with_class_on(html, frozenset(("ul", "ol")), "wp-block-list")


def _image(html: str) -> str:
    return _EMPTY_CAPTION.sub("", html, count=1) if _IMAGE.search(html) else ""


def _numbered(html: str, number: Any) -> str:
    """Return an image of a gallery with the number of its file, which scripts of galleries look for."""
    if type(number) is not int or f'data-id="{number}"' in html:
        return html
    return html.replace("<img ", f'<img data-id="{number}" ', 1)


def _button(html: str) -> str:
    return "" if _EMPTY_BUTTON.search(html) else html


def harmless(label: str) -> str:
    """Return words that an editor gave to a link: they stand in an attribute, where no filter of texts looks."""
    return sanitizing.content(label) if "<" in label else label


def _navigation_link(attributes: Mapping[str, Any]) -> str:
    label = attributes.get("label")
    if not isinstance(label, str) or not label:
        return ""
    facts = ""
    if isinstance(url := attributes.get("url"), str):
        facts += f' href="{address(url)}"'
    if attributes.get("opensInNewTab"):
        facts += ' target="_blank"  '
    for name in ("rel", "title"):
        if isinstance(value := attributes.get(name), str) and value:
            facts += f' {name}="{attribute(value)}"'
    note = attributes.get("description")
    described = (
        f'<span class="wp-block-navigation-item__description">{harmless(note)}</span>'
        if note and isinstance(note, str)
        else ""
    )
    return (
        '<li class=" wp-block-navigation-item wp-block-navigation-link">'
        f'<a class="wp-block-navigation-item__content" {facts}>'
        f'<span class="wp-block-navigation-item__label">{harmless(label)}</span>{described}</a></li>'
    )


_CHANGES: Final[Mapping[str, Callable[[str], str]]] = {
    "core/heading": _heading,
    "core/list": _list,
    "core/image": _image,
    "core/button": _button,
    "core/shortcode": with_paragraphs,
}
