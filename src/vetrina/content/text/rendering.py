"""Raw texts as readers see them: titles, contents, excerpts. The face of the text rooms for all that is outside.

Not here: the single steps (content/blocks/grammar.py, content/text/paragraphs.py, content/text/typography.py,
content/text/shortcodes.py, content/text/content_images.py, content/text/smilies.py), who may see a text (access), what
a password hides (content/records/rules.py). Rules: observed on rendered members. Their order is part of them: embeds,
blocks, typography, paragraphs, shortcodes, images, smilies. Content with blocks gets no automatic paragraphs. What
comes of them is filtered last.
"""

from typing import Final

from vetrina.content.blocks import grammar
from vetrina.content.blocks.rendering import Live, Synced, rendered
from vetrina.content.text import excerpts, paragraphs, shortcodes
from vetrina.content.text.content_images import with_loading_hints
from vetrina.content.text.media_shortcodes import embed_lonely_addresses
from vetrina.content.text.output_filter import filter_output, filter_rendering
from vetrina.content.text.smilies import could_have, with_emoji
from vetrina.content.text.typography import typeset, with_entities
from vetrina.kernel.render_budget import Budget

# Kept markup of another number is rendered again: it rises with every change of what comes out of this room.
RENDERER_VERSION: Final = 2

_LEAST: Final = 100_000  # blocks and characters that a text may render whatever its length


def title(raw: str, budget: Budget | None = None) -> str:
    """Return a title as shown: typographic signs, no filtering, no prefix. budget: of whoever asks for it."""
    html = with_entities(typeset(budget.take(raw) if budget is not None else raw))
    return filter_rendering(raw, html.strip(" \t\n\r\0\v"))


def content(
    raw: str, synced: Synced | None = None, live: Live | None = None, *, smilies: bool = True,
    budget: Budget | None = None,
) -> str:  # fmt: skip
    """Return a content as shown.

    synced: returns the raw content of a synced block by its number, None when there is none to show. live: shows the
    blocks that depend on the site, see content/blocks/dynamic_rendering.py. smilies: whether they become emoji. budget:
    of whoever asks for it, one of its own for nobody; what is past it is left out.
    """
    budget = budget or _alone(raw)
    # The whole text says how far it is trusted: its beginning may end amid a comment, as nobody's text does.
    html = embed_lonely_addresses(shortcodes.expand_embeds(budget.take(raw)))
    if live is None:
        html = rendered(html, synced, None, budget) if "<!--" in html else html
        return filter_rendering(raw, _passed(html, None, not grammar.has_blocks(raw), smilies))
    with live.nested.within(raw):
        html = rendered(html, synced, live, budget) if "<!--" in html else html
        html = filter_rendering(raw, _passed(html, live, not grammar.has_blocks(raw), smilies))
    return live.nested.put_back(html, lambda nested: _passed(nested, live, False, smilies))


def excerpt(
    raw_excerpt: str, raw_content: str, words: int = 55, *, smilies: bool = True, budget: Budget | None = None
) -> str:
    """Return an excerpt as shown: the written one, or one made of the content's first `words` words.

    budget: as for `content`.
    """
    classic = _classic_with_emoji if smilies else _classic
    budget = budget or _alone(raw_excerpt, raw_content)
    written = excerpts.is_written(raw_excerpt)
    raw = budget.take(raw_excerpt) if written else excerpts.make_excerpt(raw_content, words, classic, budget)
    text = typeset(raw)
    html = paragraphs.with_paragraphs(with_entities(with_emoji(text) if smilies else text))
    html = with_loading_hints(shortcodes.unwrapped(html))
    # One that is made holds no markup, whoever wrote the content.
    return filter_rendering(raw_excerpt, html) if written else filter_output(html)


def _alone(*raw: str) -> Budget:
    """Return the budget of texts that are rendered for nobody's request."""
    size = sum(map(len, raw))
    return Budget(_LEAST + size, _LEAST + 4 * size)


def has_smilies(raw_excerpt: str, raw_content: str, budget: Budget | None = None) -> bool:
    """Say whether a record looks otherwise where smilies stay as they are written."""
    if not could_have(raw_excerpt) and not could_have(raw_content):
        return False
    plain = content(raw_content, smilies=False, budget=budget)
    return with_emoji(plain) != plain or excerpt(raw_excerpt, raw_content, budget=budget) != excerpt(
        raw_excerpt, raw_content, smilies=False, budget=budget
    )


def block_version(raw: str) -> int:
    """Return 1 for block content, 0 for classic content."""
    return int(grammar.has_blocks(raw))


def shown_raw(raw: str, budget: Budget | None = None) -> str:
    """Return the raw content as answers show it: blocks that were left open are closed. Never a part of it."""
    if budget is not None:
        budget.pass_on(len(raw))
    return grammar.closed(raw) if grammar.has_blocks(raw) else raw


def _passed(html: str, live: Live | None, classic: bool, smilies: bool) -> str:
    """Return markup after everything that blocks have no part in; classic: whether it gets paragraphs."""
    html = typeset(html)
    if classic:
        html = paragraphs.with_paragraphs(html)
    of_files = live.shortcode if live is not None else None
    html = with_loading_hints(shortcodes.expand(shortcodes.unwrapped(html), of_files))
    return with_emoji(html) if smilies else html


def _classic(text: str) -> str:
    html = paragraphs.with_paragraphs(typeset(embed_lonely_addresses(shortcodes.expand_embeds(text))))
    return shortcodes.expand(shortcodes.unwrapped(html))


def _classic_with_emoji(text: str) -> str:
    return with_emoji(_classic(text))
