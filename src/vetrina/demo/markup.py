"""Markup of `texts/*.toml` converted to blocks: paragraphs separated by empty lines, with prefixes for block types.

`## ` heading, `- ` list, `1. ` numbered list, `> ` quote, `![key]` image, `[pattern key]`, `[more]`, `[latest posts]`,
`[products 4]` and `[table Name|value; Name|value]`. Inside a paragraph is HTML. The block types:
content/blocks/block_types.py.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from html import escape
from typing import Any, Final

_DIRECTIVE: Final = re.compile(r"!?\[(?P<what>[^\]]+)\]")
_NUMBER: Final = re.compile(r"\d+\. ")


@dataclass(frozen=True)
class BlockPicture:
    """An image for a block. address: URL without scheme and host, so that the site may move."""

    id: int
    address: str
    alternative: str


def render_blocks(text: str, pictures: Mapping[str, BlockPicture], patterns: Mapping[str, int]) -> str:
    """Return a text as blocks. pictures, patterns: those that it may name, by key."""
    parts = [part.strip() for part in text.strip().split("\n\n")]
    return "\n\n".join(_render_block(part, pictures, patterns) for part in parts if part)


def _render_block(part: str, pictures: Mapping[str, BlockPicture], patterns: Mapping[str, int]) -> str:
    if found := _DIRECTIVE.fullmatch(part):
        what, _, rest = found["what"].partition(" ")
        if part.startswith("!"):
            return _render_picture(pictures[what])
        return _DIRECTIVE_RENDERERS[what](rest, patterns)
    if part.startswith("## "):
        return _render_delimiters("heading", f'<h2 class="wp-block-heading">{part[3:]}</h2>')
    if part.startswith("> "):
        inner = _render_paragraph(part[2:])
        return _render_delimiters("quote", f'<blockquote class="wp-block-quote">{inner}</blockquote>')
    if part.startswith("- "):
        return _render_list(part, "ul", "- ", {})
    if _NUMBER.match(part):
        return _render_list(part, "ol", "", {"ordered": True})
    return _render_paragraph(part)


def _render_delimiters(name: str, inner: str, attributes: Mapping[str, Any] | None = None) -> str:
    suffix = f" {json.dumps(attributes, ensure_ascii=False)}" if attributes else ""
    if not inner:
        return f"<!-- wp:{name}{suffix} /-->"
    return f"<!-- wp:{name}{suffix} -->\n{inner}\n<!-- /wp:{name} -->"


def _render_paragraph(text: str) -> str:
    return _render_delimiters("paragraph", f"<p>{' '.join(text.split())}</p>")


def _render_list(part: str, tag: str, sign: str, attributes: Mapping[str, Any]) -> str:
    lines = [_NUMBER.sub("", line, count=1) if not sign else line.removeprefix(sign) for line in part.splitlines()]
    items = "\n\n".join(_render_delimiters("list-item", f"<li>{line}</li>") for line in lines)
    return _render_delimiters("list", f'<{tag} class="wp-block-list">{items}</{tag}>', attributes)


def _render_picture(picture: BlockPicture) -> str:
    image = f'<img src="{picture.address}" alt="{escape(picture.alternative)}" class="wp-image-{picture.id}"/>'
    figure = f'<figure class="wp-block-image size-full">{image}</figure>'
    return _render_delimiters("image", figure, {"id": picture.id, "sizeSlug": "full", "linkDestination": "none"})


def _render_pattern(key: str, patterns: Mapping[str, int]) -> str:
    return _render_delimiters("block", "", {"ref": patterns[key]})


def _render_more(_: str, patterns: Mapping[str, int]) -> str:
    return "<!-- wp:more -->\n<!--more-->\n<!-- /wp:more -->"


def _render_latest_posts(_: str, patterns: Mapping[str, int]) -> str:
    return _render_delimiters("latest-posts", "", {"postsToShow": 3, "displayPostDate": True})


def _render_products(count: str, patterns: Mapping[str, int]) -> str:
    """Return a row of the products that sell best. count: how many."""
    query = {"perPage": int(count), "postType": "product", "orderBy": "popularity", "order": "desc", "inherit": False}
    shown = (
        _render_delimiters("shop/product-image", "", {"aspectRatio": "1", "scale": "cover"}),
        _render_delimiters("post-title", "", {"isLink": True, "level": 3, "fontSize": "medium"}),
        _render_delimiters("shop/product-price", ""),
    )
    template = _render_delimiters("shop/product-template", "\n".join(shown))
    attributes = {"query": query, "displayLayout": {"type": "flex", "columns": int(count)}, "align": "wide"}
    inner = f'<div class="wp-block-shop-product-collection alignwide">\n{template}\n</div>'
    return _render_delimiters("shop/product-collection", inner, attributes)


def _render_table(rows: str, patterns: Mapping[str, int]) -> str:
    cells = [[cell.strip() for cell in row.split("|")] for row in rows.split(";")]
    body = "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in cells)
    return _render_delimiters("table", f'<figure class="wp-block-table"><table><tbody>{body}</tbody></table></figure>')


_DIRECTIVE_RENDERERS: Final[Mapping[str, Callable[[str, Mapping[str, int]], str]]] = {
    "pattern": _render_pattern, "more": _render_more, "latest": _render_latest_posts, "table": _render_table,
    "products": _render_products,
}  # fmt: skip
