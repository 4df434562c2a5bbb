"""Markup by users with restricted rights never runs for readers, as checked by independent parsers."""

from __future__ import annotations

import json
from collections.abc import Iterator

from hypothesis import example, given, strategies as st

from hostile_markup import MEDIA, TEXTS
from markup_judge import dangers
from vetrina.content.blocks.rendering import render_blocks
from vetrina.content.comments import text as comment_text
from vetrina.content.text import rendering as text_rendering, sanitizing
from vetrina.content.text.content_images import add_loading_hints
from vetrina.content.text.media_shortcodes import embed_standalone_urls
from vetrina.content.text.output_filter import filter_output, filter_rendering, is_unfiltered
from vetrina.content.text.paragraphs import add_paragraphs
from vetrina.content.text.shortcodes import expand_embeds, expand_shortcodes, unwrap_shortcodes
from vetrina.content.text.smilies import replace_smilies
from vetrina.content.text.typography import typeset_markup
from vetrina.core.user import User
from vetrina.kernel.render_budget import RenderBudget
from vetrina.multilingual.jobs.impersonation import sanitize_translation
from vetrina.shop.reviews import rules as reviews


def rendered_blocks(content: str) -> str:
    """Return the blocks of a text separately, with a budget that none of the examples exhausts."""
    return render_blocks(content, None, None, RenderBudget(1_000, 1_000_000))


def shown(text: str) -> Iterator[tuple[str, str]]:
    """Yield (name, markup) of all output of a text by a user without unfiltered HTML."""
    content, title = sanitizing.sanitize_content(text), sanitizing.sanitize_title(text)
    yield "a content", text_rendering.render_content(content)
    yield "a content without smilies", text_rendering.render_content(content, smilies=False)
    yield "an excerpt", text_rendering.render_excerpt(content, "")
    yield "an excerpt that is made", text_rendering.render_excerpt("", content)
    yield "a title", text_rendering.render_title(title)
    yield "the name of a product", text_rendering.render_title(content)
    yield (
        "a comment",
        comment_text.render_comment(comment_text.prepare_stored_text(text, "vetrina.test", free=False), "vetrina.test"),
    )
    yield "a review", reviews.render_review_text(sanitizing.sanitize_comment(text))
    yield "the description of a term", sanitizing.sanitize_term_description(text)
    yield "a name", sanitizing.sanitize_term_name(text)
    yield "words on one line", sanitizing.sanitize_plain_text(text)
    yield "words", sanitizing.sanitize_plain_lines(text)
    yield "a translation", text_rendering.render_content(sanitize_translation(User(id=3), "", text))
    yield "a block", filter_output(rendered_blocks(content))
    notes = json.loads(sanitizing.sanitize_footnotes(json.dumps([{"id": "a", "content": text}])) or "[]")
    yield "footnotes", "".join(text_rendering.render_content(note["content"]) for note in notes)


@given(TEXTS)
@example('<img src=x title="[playlist x" class=\']\' alt=" onerror=alert(1) ">')
@example('<img src=x alt="\nhttp://x.y/a.mp3\n onerror=alert(1) ">')
@example("[embed]jav&#x09;ascript:alert(1)[/embed]")
@example("[embed]&#106;avascript:alert(1)[/embed]")
@example("<h2 title=\"x class='onclick=alert(1)' \">")
@example("[caption width=100 caption=\"<b title='\" ]<code>' onclick=alert(1) </code><i>x</i>[/caption]")
def test_what_readers_get_runs_nothing(text: str) -> None:
    for what, html in shown(text):
        assert dangers(html) == [], f"{what}: {html}"


@given(TEXTS)
def test_each_pass_keeps_harmless_markup_harmless(text: str) -> None:
    """The filter after the passes is a second line of defense: none of them makes harmless markup harmful."""
    html = sanitizing.sanitize_content(text)
    for step in (
        expand_embeds,
        embed_standalone_urls,
        rendered_blocks,
        typeset_markup,
        add_paragraphs,
        unwrap_shortcodes,
        expand_shortcodes,
        add_loading_hints,
        replace_smilies,
    ):
        before, html = html, step(html)
        assert filter_output(html) == html, f"{step.__name__}: {before}"


@given(TEXTS)
def test_what_the_filter_lets_through_runs_nothing_whoever_wrote_it(text: str) -> None:
    html = filter_output(text)
    assert filter_output(html) == html
    assert dangers(html) == []


@given(TEXTS, TEXTS)
@example("<!-->", "<!-- <b> -->")
def test_harmless_markup_stays_harmless_beside_other(one: str, other: str) -> None:
    """Texts stand next to each other on a page: none of them may end within a tag or a comment."""
    html = filter_output(one) + filter_output(other)
    assert filter_output(html) == html
    assert dangers(html) == []


@given(TEXTS)
@example("<!-- wp:a--b --><!-- <b> -->")
def test_what_may_be_stored_is_not_taken_for_the_text_of_somebody_who_may_write_everything(text: str) -> None:
    for stored in (
        sanitizing.sanitize_content(text),
        sanitizing.sanitize_content(text, MEDIA),
        sanitizing.sanitize_excerpt(text),
        sanitizing.sanitize_title(text),
        sanitizing.sanitize_title(text).strip(),
        sanitizing.sanitize_comment(text),
        comment_text.prepare_stored_text(text, "vetrina.test", free=False),
        sanitizing.sanitize_term_description(text),
        text_rendering.prepare_raw_content(sanitizing.sanitize_content(text)),
    ):
        assert not is_unfiltered(stored), stored


@given(TEXTS, st.sampled_from(["<script>x()</script>", "<p onclick='x()'>a</p>", "<iframe src='//x'></iframe>"]))
def test_whoever_may_write_everything_keeps_it(text: str, own: str) -> None:
    raw = sanitizing.sanitize_content(text) + own
    assert is_unfiltered(raw)
    html = text_rendering.render_content(raw)
    assert filter_rendering(raw, html) == html
