"""Raw texts as readers see them: titles, contents, excerpts. The face of the text rooms for all that is outside.

Not here: the single steps (blocks.py, paragraphs.py, typography.py, shortcodes.py, content_images.py, smilies.py), who
may see a text (access), what a password hides (records.py).
Rules: observed on rendered members. Their order is part of them: embeds, blocks, typography, paragraphs, shortcodes,
images, smilies. Content with blocks gets no automatic paragraphs.
"""

from typing import Final

from vetrina.domain.content.dynamic.block_rendering import Live, Synced, rendered

from . import blocks, excerpts, paragraphs, shortcodes
from .content_images import with_loading_hints
from .media_shortcodes import embed_lonely_addresses
from .smilies import could_have, with_emoji
from .typography import typeset, with_entities

# Kept markup of another number is rendered again: it rises with every change of what comes out of this room.
RENDERER_VERSION: Final = 1


def title(raw: str) -> str:
    """Return a title as shown: typographic signs, no filtering, no prefix."""
    return with_entities(typeset(raw)).strip(" \t\n\r\0\v")


def content(raw: str, synced: Synced | None = None, live: Live | None = None, *, smilies: bool = True) -> str:
    """Return a content as shown.

    synced: returns the raw content of a synced block by its number, None when there is none to show.
    live: shows the blocks that depend on the site, see live_blocks.py. smilies: whether they become emoji.
    """
    html = embed_lonely_addresses(shortcodes.expand_embeds(raw))
    html = typeset(rendered(html, synced, live) if "<!--" in html else html)
    if not blocks.has_blocks(raw):
        html = paragraphs.with_paragraphs(html)
    of_files = live.shortcode if live is not None else None
    html = with_loading_hints(shortcodes.expand(shortcodes.unwrapped(html), of_files))
    return with_emoji(html) if smilies else html


def excerpt(raw_excerpt: str, raw_content: str, words: int = 55, *, smilies: bool = True) -> str:
    """Return an excerpt as shown: the written one, or one made of the content's first `words` words."""
    classic = _classic_with_emoji if smilies else _classic
    raw = raw_excerpt if excerpts.is_written(raw_excerpt) else excerpts.made(raw_content, words, classic)
    text = typeset(raw)
    html = paragraphs.with_paragraphs(with_entities(with_emoji(text) if smilies else text))
    return with_loading_hints(shortcodes.unwrapped(html))


def has_smilies(raw_excerpt: str, raw_content: str) -> bool:
    """Say whether a record looks otherwise where smilies stay as they are written."""
    if not could_have(raw_excerpt) and not could_have(raw_content):
        return False
    plain = content(raw_content, smilies=False)
    return with_emoji(plain) != plain or excerpt(raw_excerpt, raw_content) != excerpt(
        raw_excerpt, raw_content, smilies=False
    )


def block_version(raw: str) -> int:
    """Return 1 for block content, 0 for classic content."""
    return int(blocks.has_blocks(raw))


def shown_raw(raw: str) -> str:
    """Return the raw content as answers show it: blocks that were left open are closed."""
    return blocks.serialise(blocks.parse(raw), close=True) if blocks.has_blocks(raw) else raw


def _classic(text: str) -> str:
    html = paragraphs.with_paragraphs(typeset(embed_lonely_addresses(shortcodes.expand_embeds(text))))
    return shortcodes.expand(shortcodes.unwrapped(html))


def _classic_with_emoji(text: str) -> str:
    return with_emoji(_classic(text))
