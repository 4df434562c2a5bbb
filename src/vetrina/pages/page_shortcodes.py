"""Shortcodes that modules bring to pages: held back while a content is rendered, and shown as blocks in their place.

They are known alone on a line or between tags, as editors write them, so that no attribute is taken for one; those of
files and embeds are known everywhere (content/text/shortcodes.py). Which there are: pages/page_features.py.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from vetrina.content.text.shortcodes import parse_parameters
from vetrina.content.text.tag_attributes import MARKUP_TOKEN
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel.keys import generate_letters
from vetrina.pages.page_features import ShortcodeFunction, list_page_features

_SHORTCODE: Final = re.compile(
    r"(?:(?<=[>\n])|\A)([ \t]*)\[([a-z]+(?:_[a-z]+)*)((?:[ \t][^\[\]<>\n]{0,1000})?)\]([ \t]*)(?=[<\r\n]|\Z)", re.ASCII
)
_TOKEN_LETTERS: Final = 24
_MAX_SHORTCODES: Final = 20  # of one content


@dataclass(frozen=True)
class HeldContent:
    """A content with tokens in place of its shortcodes, and the block markup that each stands for."""

    raw: str
    blocks: dict[str, str]


def hold_shortcodes(work: UnitOfWork, raw: str) -> HeldContent | None:
    """Return a content without the shortcodes that modules know, None where it has none."""
    if "[" not in raw:
        return None
    held: dict[str, str] = {}

    def hold(found: re.Match[str]) -> str:
        write = _find_function(work, found[2])
        if write is None or len(held) >= _MAX_SHORTCODES:
            return found[0]
        token = generate_letters(_TOKEN_LETTERS)
        held[token] = write(work, parse_parameters(found[3]))
        return f"{found[1]}{token}{found[4]}"

    raw = _SHORTCODE.sub(hold, raw)
    return HeldContent(raw, held) if held else None


def show_shortcodes(html: str, held: HeldContent, render: Callable[[str], str]) -> str:
    """Return a rendered content with the blocks of its shortcodes. render: block markup → HTML."""
    known = "|".join(held.blocks)
    # None is shown within a tag.
    html = MARKUP_TOKEN.sub(lambda tag: re.sub(known, "", tag[0]), html)

    def show(found: re.Match[str]) -> str:
        markup = held.blocks[found[1] or found[2]]
        return render(markup) if markup else ""

    # A paragraph that holds nothing else goes.
    return re.sub(rf"<p>\s*({known})\s*</p>|({known})", show, html)


def _find_function(work: UnitOfWork, name: str) -> ShortcodeFunction | None:
    for features in list_page_features(work.site):
        for known, write in features.shortcodes.items():
            # Those of a shop's pages begin with the name of its program.
            if name == known or (known.startswith("*") and re.fullmatch(rf"[a-z]+{known[1:]}", name)):
                return write
    return None
