"""Texts of `texts/*.toml` as blocks: paragraphs parted by empty lines, and a few signs at the beginning of one.

`## ` heading, `- ` list, `1. ` numbered list, `> ` quote, `![key]` picture, `[pattern key]`, `[more]`, `[latest posts]`
and `[table Name|value; Name|value]`. Within a paragraph stands HTML. Not here: what blocks mean (domain/content/text).
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from html import escape
from typing import Any, Final

__all__ = ["Shown", "blocks"]

_SIGN: Final = re.compile(r"!?\[(?P<what>[^\]]+)\]")
_NUMBER: Final = re.compile(r"\d+\. ")


@dataclass(frozen=True)
class Shown:
    """A picture as a block shows it. address: without scheme and host, so that the site may move."""

    id: int
    address: str
    alternative: str


def blocks(text: str, pictures: Mapping[str, Shown], patterns: Mapping[str, int]) -> str:
    """Return a text as blocks. pictures, patterns: those that it may name, by their keys."""
    parts = [part.strip() for part in text.strip().split("\n\n")]
    return "\n\n".join(_block(part, pictures, patterns) for part in parts if part)


def _block(part: str, pictures: Mapping[str, Shown], patterns: Mapping[str, int]) -> str:
    if found := _SIGN.fullmatch(part):
        what, _, rest = found["what"].partition(" ")
        if part.startswith("!"):
            return _picture(pictures[what])
        return _SIGNS[what](rest, patterns)
    if part.startswith("## "):
        return _written("heading", f'<h2 class="wp-block-heading">{part[3:]}</h2>')
    if part.startswith("> "):
        inner = _paragraph(part[2:])
        return _written("quote", f'<blockquote class="wp-block-quote">{inner}</blockquote>')
    if part.startswith("- "):
        return _list(part, "ul", "- ", {})
    if _NUMBER.match(part):
        return _list(part, "ol", "", {"ordered": True})
    return _paragraph(part)


def _written(name: str, inner: str, attributes: Mapping[str, Any] | None = None) -> str:
    told = f" {json.dumps(attributes, ensure_ascii=False)}" if attributes else ""
    if not inner:
        return f"<!-- wp:{name}{told} /-->"
    return f"<!-- wp:{name}{told} -->\n{inner}\n<!-- /wp:{name} -->"


def _paragraph(text: str) -> str:
    return _written("paragraph", f"<p>{' '.join(text.split())}</p>")


def _list(part: str, tag: str, sign: str, attributes: Mapping[str, Any]) -> str:
    lines = [_NUMBER.sub("", line, count=1) if not sign else line.removeprefix(sign) for line in part.splitlines()]
    items = "\n\n".join(_written("list-item", f"<li>{line}</li>") for line in lines)
    return _written("list", f'<{tag} class="wp-block-list">{items}</{tag}>', attributes)


def _picture(shown: Shown) -> str:
    image = f'<img src="{shown.address}" alt="{escape(shown.alternative)}" class="wp-image-{shown.id}"/>'
    figure = f'<figure class="wp-block-image size-full">{image}</figure>'
    return _written("image", figure, {"id": shown.id, "sizeSlug": "full", "linkDestination": "none"})


def _pattern(key: str, patterns: Mapping[str, int]) -> str:
    return _written("block", "", {"ref": patterns[key]})


def _more(_: str, patterns: Mapping[str, int]) -> str:
    return "<!-- wp:more -->\n<!--more-->\n<!-- /wp:more -->"


def _latest(_: str, patterns: Mapping[str, int]) -> str:
    return _written("latest-posts", "", {"postsToShow": 3, "displayPostDate": True})


def _table(rows: str, patterns: Mapping[str, int]) -> str:
    cells = [[cell.strip() for cell in row.split("|")] for row in rows.split(";")]
    body = "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in cells)
    return _written("table", f'<figure class="wp-block-table"><table><tbody>{body}</tbody></table></figure>')


_SIGNS: Final[Mapping[str, Callable[[str, Mapping[str, int]], str]]] = {
    "pattern": _pattern, "more": _more, "latest": _latest, "table": _table,
}  # fmt: skip
