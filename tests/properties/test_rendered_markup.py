"""Whatever people who may not write everything write, what readers get of it runs nothing: judged from outside."""

from __future__ import annotations

import json
from collections.abc import Iterator

from hypothesis import example, given
from hypothesis import strategies as st

from hostile_markup import MEDIA, TEXTS
from markup_judge import dangers
from vetrina.access.users.model import User
from vetrina.content.blocks.rendering import rendered
from vetrina.content.comments import text as comment_text
from vetrina.content.text import rendering as text_rendering
from vetrina.content.text import sanitizing
from vetrina.content.text.content_images import with_loading_hints
from vetrina.content.text.media_shortcodes import embed_lonely_addresses
from vetrina.content.text.output_filter import filter_output, filter_rendering, is_unfiltered
from vetrina.content.text.paragraphs import with_paragraphs
from vetrina.content.text.shortcodes import expand, expand_embeds, unwrapped
from vetrina.content.text.smilies import with_emoji
from vetrina.content.text.typography import typeset
from vetrina.kernel.render_budget import Budget
from vetrina.multilingual.jobs.impersonation import allowed
from vetrina.shop.reviews import rules as reviews


def rendered_blocks(content: str) -> str:
    """Return the blocks of a text by themselves, with a budget that none of the examples exhausts."""
    return rendered(content, None, None, Budget(1_000, 1_000_000))


def shown(text: str) -> Iterator[tuple[str, str]]:
    """Yield (what it is, markup) of everything that readers get of a text by somebody who may not write everything."""
    content, title = sanitizing.content(text), sanitizing.title(text)
    yield "a content", text_rendering.content(content)
    yield "a content without smilies", text_rendering.content(content, smilies=False)
    yield "an excerpt", text_rendering.excerpt(content, "")
    yield "an excerpt that is made", text_rendering.excerpt("", content)
    yield "a title", text_rendering.title(title)
    yield "the name of a product", text_rendering.title(content)
    yield "a comment", comment_text.rendered(comment_text.stored(text, "vetrina.test", free=False), "vetrina.test")
    yield "a review", reviews.shown_text(sanitizing.comment(text))
    yield "the description of a term", sanitizing.term_description(text)
    yield "a name", sanitizing.term_name(text)
    yield "words on one line", sanitizing.plain(text)
    yield "words", sanitizing.plain_lines(text)
    yield "a translation", text_rendering.content(allowed(User(id=3), "", text))
    yield "a block", filter_output(rendered_blocks(content))
    notes = json.loads(sanitizing.footnotes(json.dumps([{"id": "a", "content": text}])) or "[]")
    yield "footnotes", "".join(text_rendering.content(note["content"]) for note in notes)


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
    """The filter behind the passes is the second lock, not the first: none of them opens what it got closed."""
    html = sanitizing.content(text)
    for step in (expand_embeds, embed_lonely_addresses, rendered_blocks, typeset, with_paragraphs, unwrapped, expand,
                 with_loading_hints, with_emoji):  # fmt: skip
        before, html = html, step(html)
        assert filter_output(html) == html, f"{step.__name__}: {before}"


@given(TEXTS)
def test_what_the_filter_lets_through_runs_nothing_whoever_wrote_it(text: str) -> None:
    html = filter_output(text)
    assert filter_output(html) == html
    assert dangers(html) == []


@given(TEXTS, TEXTS)
def test_harmless_markup_stays_harmless_beside_other(one: str, other: str) -> None:
    """Texts stand beside each other on a page: none of them may end within a tag or a comment."""
    html = filter_output(one) + filter_output(other)
    assert filter_output(html) == html
    assert dangers(html) == []


@given(TEXTS)
def test_what_may_be_stored_is_not_taken_for_the_text_of_somebody_who_may_write_everything(text: str) -> None:
    for stored in (
        sanitizing.content(text),
        sanitizing.content(text, MEDIA),
        sanitizing.excerpt(text),
        sanitizing.title(text),
        sanitizing.title(text).strip(),
        sanitizing.comment(text),
        comment_text.stored(text, "vetrina.test", free=False),
        sanitizing.term_description(text),
        text_rendering.shown_raw(sanitizing.content(text)),
    ):
        assert not is_unfiltered(stored), stored


@given(TEXTS, st.sampled_from(["<script>x()</script>", "<p onclick='x()'>a</p>", "<iframe src='//x'></iframe>"]))
def test_whoever_may_write_everything_keeps_it(text: str, own: str) -> None:
    raw = sanitizing.content(text) + own
    assert is_unfiltered(raw)
    html = text_rendering.content(raw)
    assert filter_rendering(raw, html) == html
