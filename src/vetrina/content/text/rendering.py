"""Rendering of raw texts: titles, contents, excerpts. The entry point to this package.

Not here: who may see a text (access/), what a password hides (content/records/views.py). Rules:
docs/rules/markup.md, 7 to 14. The order of the passes matters: embeds, blocks, typography, paragraphs, shortcodes,
images, smilies, and the output filter last. Content with blocks gets no automatic paragraphs.
"""

from typing import Final

from vetrina.content.blocks import grammar
from vetrina.content.blocks.marks import BlockMarks
from vetrina.content.blocks.rendering import LiveBlockRenderer, SyncedContentLoader, render_block_parts, render_blocks
from vetrina.content.text import excerpts, paragraphs, shortcodes
from vetrina.content.text.content_images import add_loading_hints
from vetrina.content.text.media_shortcodes import embed_standalone_urls
from vetrina.content.text.output_filter import filter_output, filter_rendering
from vetrina.content.text.smilies import may_have_smilies, replace_smilies
from vetrina.content.text.typography import encode_ampersands, typeset_markup
from vetrina.kernel.render_budget import RenderBudget

# Raise it with every change of the output of this package: markup stored by another version is rendered again.
RENDERER_VERSION: Final = 4

_MIN_BUDGET: Final = 100_000  # blocks and characters that a text may render whatever its length


def render_title(raw: str, budget: RenderBudget | None = None) -> str:
    """Return a rendered title: typography, no filtering, no prefix. budget: that of the caller, if any."""
    html = encode_ampersands(typeset_markup(budget.take_text(raw) if budget is not None else raw))
    return filter_rendering(raw, html.strip(" \t\n\r\0\v"))


def render_content(
    raw: str, synced: SyncedContentLoader | None = None, live: LiveBlockRenderer | None = None, *, smilies: bool = True,
    budget: RenderBudget | None = None, marks: BlockMarks | None = None,
) -> str:  # fmt: skip
    """Return a rendered content.

    synced: returns the raw content of a synced block by its id, None when there is none to show. live: renders the
    dynamic blocks, see content/blocks/dynamic_rendering.py. smilies: whether they become emoji. budget: that of the
    caller, one of its own by default; what exceeds it is left out. marks: stay in it, around what each block gives.
    """
    budget = budget or _build_own_budget(raw)
    # The whole text decides how far it is trusted: its start may end inside a comment, as no stored text does.
    html = embed_standalone_urls(shortcodes.expand_embeds(budget.take_text(raw)))
    if live is None:
        html = render_blocks(html, synced, None, budget, marks) if "<!--" in html else html
        return filter_rendering(raw, _apply_passes(html, None, not grammar.has_blocks(raw), smilies))
    with live.nested.within(raw):
        html = render_blocks(html, synced, live, budget, marks) if "<!--" in html else html
        html = filter_rendering(raw, _apply_passes(html, live, not grammar.has_blocks(raw), smilies))
    return live.nested.put_back(html, lambda nested: _apply_passes(nested, live, False, smilies))


def render_template(
    raw: str, synced: SyncedContentLoader, live: LiveBlockRenderer, *, smilies: bool, budget: RenderBudget
) -> str:
    """Return a rendered template; its arguments are those of `render_content`.

    Its shortcodes are expanded before its blocks are rendered: these show what visitors wrote, as names, comments and
    the words of a search, which must expand none.
    """
    text = shortcodes.expand_embeds(budget.take_text(raw))
    html = shortcodes.expand_shortcodes(
        shortcodes.unwrap_shortcodes(embed_standalone_urls(text)), live.render_shortcode
    )
    with live.nested.within(raw):
        html = render_block_parts(grammar.parse_kept_blocks(html), synced, live, budget=budget)
        html = add_loading_hints(typeset_markup(html))
        html = filter_rendering(raw, replace_smilies(html) if smilies else html)
    return live.nested.put_back(html, lambda nested: nested)


def render_excerpt(
    raw_excerpt: str, raw_content: str, words: int = 55, *, smilies: bool = True, budget: RenderBudget | None = None
) -> str:
    """Return a rendered excerpt: the written one, or one made from the content's first `words` words.

    budget: as for `render_content`.
    """
    classic, typeset = (
        (_render_classic_with_emoji, _typeset_with_emoji) if smilies else (_render_classic, typeset_markup)
    )
    budget = budget or _build_own_budget(raw_excerpt, raw_content)
    written = excerpts.is_written_excerpt(raw_excerpt)
    raw = (
        budget.take_text(raw_excerpt)
        if written
        else excerpts.build_excerpt(raw_content, words, classic, typeset, budget)
    )
    text = typeset_markup(raw)
    html = paragraphs.add_paragraphs(encode_ampersands(replace_smilies(text) if smilies else text))
    html = add_loading_hints(shortcodes.unwrap_shortcodes(html))
    # A generated one holds no markup, whoever wrote the content.
    return filter_rendering(raw_excerpt, html) if written else filter_output(html)


def _build_own_budget(*raw: str) -> RenderBudget:
    """Return the budget of texts that are rendered outside a request."""
    size = sum(map(len, raw))
    return RenderBudget(_MIN_BUDGET + size, _MIN_BUDGET + 4 * size)


def has_smilies(raw_excerpt: str, raw_content: str, budget: RenderBudget | None = None) -> bool:
    """Return whether a record looks different when smilies are not replaced."""
    if not may_have_smilies(raw_excerpt) and not may_have_smilies(raw_content):
        return False
    plain = render_content(raw_content, smilies=False, budget=budget)
    return replace_smilies(plain) != plain or render_excerpt(raw_excerpt, raw_content, budget=budget) != render_excerpt(
        raw_excerpt, raw_content, smilies=False, budget=budget
    )


def compute_block_version(raw: str) -> int:
    """Return 1 for block content, 0 for classic content."""
    return int(grammar.has_blocks(raw))


def prepare_raw_content(raw: str, budget: RenderBudget | None = None) -> str:
    """Return the raw content of a response: unclosed blocks are closed. Only for a whole content."""
    if budget is not None:
        budget.pay_passed_text(len(raw))
    return grammar.close_blocks(raw) if grammar.has_blocks(raw) else raw


def _apply_passes(html: str, live: LiveBlockRenderer | None, classic: bool, smilies: bool) -> str:
    """Return markup after all passes but that of blocks; classic: whether it gets paragraphs."""
    html = typeset_markup(html)
    if classic:
        html = paragraphs.add_paragraphs(html)
    of_files = live.render_shortcode if live is not None else None
    html = add_loading_hints(shortcodes.expand_shortcodes(shortcodes.unwrap_shortcodes(html), of_files))
    return replace_smilies(html) if smilies else html


def _render_classic(text: str) -> str:
    html = paragraphs.add_paragraphs(typeset_markup(embed_standalone_urls(shortcodes.expand_embeds(text))))
    return shortcodes.expand_shortcodes(shortcodes.unwrap_shortcodes(html))


def _typeset_with_emoji(text: str) -> str:
    return replace_smilies(typeset_markup(text))


def _render_classic_with_emoji(text: str) -> str:
    return replace_smilies(_render_classic(text))
