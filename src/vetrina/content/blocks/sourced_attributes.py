"""Attributes of a block that are not in its delimiter: an editor reads them from the markup of the block.

Its type names a selector, and what of the first element that it finds is the attribute: a value, or the markup inside.
Attributes that are lists read from many elements (rows of tables, images of old galleries) are left out. Rules:
docs/rules/content_forms.md, 3.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from html import unescape
from typing import Any, Final, NamedTuple

from vetrina.content.blocks.block_types import BlockType
from vetrina.content.blocks.grammar import Block
from vetrina.content.text.tag_attributes import HtmlTag, lowercase_ascii, read_tag

_SIMPLE: Final = re.compile(r"([a-z0-9]*)(?:\.([\w-]+))?(?::not\(\[([\w-]+)\]\)|\[([\w-]+)\])?", re.ASCII)
_TAG_START: Final = re.compile(r"</?[a-zA-Z]")
_VOID: Final = frozenset({"area", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"})
_MAX_OPEN: Final = 100  # open elements of a block that are looked at; a selector names two at most


class _Selector(NamedTuple):
    """One element that a selector finds; above: the name of an element around it, empty for any."""

    name: str
    css_class: str
    without: str
    having: str
    above: str

    def matches(self, tag: HtmlTag, opened: list[str]) -> bool:
        if self.name and lowercase_ascii(tag.name) != self.name:
            return False
        if self.css_class:
            classes = tag.find_attribute("class")
            if classes is None or self.css_class not in (classes.value or "").split():
                return False
        if self.without and tag.find_attribute(self.without) is not None:
            return False
        if self.having and tag.find_attribute(self.having) is None:
            return False
        return not self.above or self.above in opened


def read_sourced_attributes(type: BlockType, block: Block) -> dict[str, Any]:
    """Return the attributes that a type reads from the markup of a block, markup of inner blocks not included."""
    sources = {name: schema for name, schema in type.attributes.items() if "source" in schema}
    if not sources:
        return {}
    html = "".join(part for part in block.parts if isinstance(part, str))
    found = {name: _read_source(html, schema) for name, schema in sources.items()}
    return {name: value for name, value in found.items() if value is not None}


def _read_source(html: str, schema: Mapping[str, Any]) -> Any:
    source = schema["source"]
    if source == "query":
        return None
    if "selector" not in schema:
        return html
    selectors = _parse_selector(schema["selector"])
    opened: list[str] = []
    for start, tag in _iterate_tags(html):
        name = lowercase_ascii(tag.name)
        if tag.closing:
            if name in opened:
                del opened[len(opened) - 1 - opened[::-1].index(name) :]
            continue
        if any(one.matches(tag, opened) for one in selectors):
            return _read_attribute(tag, schema) if source == "attribute" else _read_inside(html, start, tag)
        if name not in _VOID and len(opened) < _MAX_OPEN:
            opened.append(name)
    return None


def _read_attribute(tag: HtmlTag, schema: Mapping[str, Any]) -> Any:
    found = tag.find_attribute(schema.get("attribute", ""))
    if schema.get("type") == "boolean":
        return found is not None
    return None if found is None else unescape(found.value or "")


def _read_inside(html: str, start: int, tag: HtmlTag) -> str:
    """Return the markup inside an element; up to the end of the text where it has no end tag."""
    name, depth = lowercase_ascii(tag.name), 0
    for at, other in _iterate_tags(html, start):
        if lowercase_ascii(other.name) != name:
            continue
        depth += -1 if other.closing else 1
        if depth == 0:
            return html[tag.end : at]
    return html[tag.end :]


def _iterate_tags(html: str, at: int = 0) -> Iterator[tuple[int, HtmlTag]]:
    """Yield the tags of a markup from an index on, each with its place; comments are skipped."""
    comment_ends = True
    while (start := html.find("<", at)) >= 0:
        if comment_ends and html.startswith("<!--", start):
            end = html.find("-->", start + 4)
            comment_ends = end >= 0
            at = end + 3 if comment_ends else start + 1
            continue
        tag = read_tag(html, start)
        if tag is None and _TAG_START.match(html, start):
            # A tag without an end takes in all that follows; a further search would take quadratic time.
            return
        if tag is None:
            at = start + 1
            continue
        yield start, tag
        at = tag.end


@lru_cache(maxsize=256)
def _parse_selector(text: str) -> tuple[_Selector, ...]:
    """Return what a selector finds: elements by name, class or attribute, below another one, parted by commas."""
    out = []
    for one in text.split(","):
        *above, last = one.replace(">", " ").split()
        simple = _SIMPLE.fullmatch(last)
        assert simple is not None, f"block types use no selector like {text!r}"
        name, css_class, without, having = simple.groups()
        out.append(_Selector(name, css_class or "", without or "", having or "", above[-1] if above else ""))
    return tuple(out)
