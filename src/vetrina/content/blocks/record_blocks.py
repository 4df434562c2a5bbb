"""Blocks about one record: the one whose content is rendered, or the current one of a query.

Outside a record they render nothing. Not here: its author (content/blocks/person_blocks.py). A password hides excerpt
and content from everybody here; readers who know it read the record itself. Elements and classes as observed on public
pages.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

import orjson

from vetrina.content.blocks.block_context import BlockContext, BlockRenderFunction
from vetrina.content.blocks.list_blocks import render_time
from vetrina.content.blocks.site_blocks import build_alignment_classes, render_anchor
from vetrina.content.records import listing as record_listing, permalinks
from vetrina.content.records.model import Record
from vetrina.content.records.query import RecordQuery
from vetrina.content.terms import store as term_store
from vetrina.content.text import rendering as text_rendering, sanitizing
from vetrina.content.text.media_shortcodes import escape_attribute, escape_url
from vetrina.kernel.tags import strip_tags

_RecordRenderFunction = Callable[[BlockContext, Record], str]


def _require_record(make: _RecordRenderFunction) -> BlockRenderFunction:
    """Return a render function that returns nothing where there is no record."""
    return lambda place: make(place, place.scene.record) if place.scene.record is not None else ""


def _build_record_url(place: BlockContext, record: Record) -> str:
    type = place.work.site.types.get(record.type)
    return escape_url(permalinks.build_permalink(place.work, type, record)) if type else ""


def _is_protected(record: Record) -> bool:
    return record.password not in ("", "0")


def _render_title(place: BlockContext, record: Record) -> str:
    title = place.title_of(record)
    if not title:
        return ""
    if place.attributes["isLink"]:
        title = render_anchor(place, _build_record_url(place, record), title)
    level = place.attributes["level"]
    tag = f"h{int(level)}" if 1 <= level <= 6 else "p"
    return place.element(tag, title, *build_alignment_classes(place))


def _render_content(place: BlockContext, record: Record) -> str:
    html = place.content_of(record)
    if not html:
        return ""
    layout = place.attributes.get("layout")
    kind = layout.get("type") if isinstance(layout, dict) else None
    name = "is-layout-constrained" if kind == "constrained" else "is-layout-flow"
    tag = place.attributes["tagName"]
    tag = tag if tag in ("div", "main", "section", "article") else "div"
    return place.element(tag, html, "entry-content", name, f"wp-block-post-content-{name}")


def _render_excerpt(place: BlockContext, record: Record) -> str:
    if _is_protected(record):
        return ""
    attributes = place.attributes
    words = max(1, min(1000, int(attributes["excerptLength"])))
    html = text_rendering.render_excerpt(record.excerpt, record.content, words, budget=place.work.budget).strip()
    if html.startswith("<p>") and html.endswith("</p>") and html.count("<p>") == 1:
        html = html[3:-4]
    html = place.live.hold(html, record.excerpt)
    more = str(attributes.get("moreText") or "")
    link = (
        '<a class="wp-block-post-excerpt__more-link" '
        f'href="{_build_record_url(place, record)}">{escape_attribute(strip_tags(more))}</a>'
        if more
        else ""
    )
    if link and not attributes["showMoreOnNewLine"]:
        html, link = f"{html} {link}", ""
    out = f'<p class="wp-block-post-excerpt__excerpt">{html} </p>' if html else ""
    if link:
        out += f'<p class="wp-block-post-excerpt__more-text">{link}</p>'
    return place.element("div", out, *build_alignment_classes(place)) if out else ""


def _render_date(place: BlockContext, record: Record) -> str:
    attributes = place.attributes
    changed = attributes.get("displayType") == "modified"
    if changed and record.modified_gmt <= record.date_gmt:
        return ""
    local, gmt = (record.modified, record.modified_gmt) if changed else (record.date, record.date_gmt)
    pattern = attributes.get("format") or ""
    time = render_time(place, local, gmt, "" if pattern == "human-diff" else pattern)
    if attributes["isLink"]:
        inside = time.partition(">")[2].removesuffix("</time>")
        time = f'{time.partition(">")[0]}><a href="{_build_record_url(place, record)}">{inside}</a></time>'
    names = ("wp-block-post-date__modified-date",) if changed else ()
    return place.element("div", time, *build_alignment_classes(place), *names)


def _render_terms(place: BlockContext, record: Record) -> str:
    attributes, work = place.attributes, place.work
    taxonomy = work.site.taxonomies.get(attributes.get("term") or "")
    if taxonomy is None:
        return ""
    held = [
        term
        for term in term_store.list_terms_by_record(work.tx, [record.id])[record.id]
        if term.taxonomy == taxonomy.name
    ]
    if not held:
        return ""
    links = term_store.build_term_urls(work, held)
    separator = f'<span class="wp-block-post-terms__separator">{escape_attribute(attributes["separator"])}</span>'
    html = separator.join(f'<a href="{escape_url(links[term.id])}" rel="tag">{term.name}</a>' for term in held)
    if prefix := strip_tags(attributes["prefix"]):
        html = f'<span class="wp-block-post-terms__prefix">{escape_attribute(prefix)}</span>{html}'
    if suffix := strip_tags(attributes["suffix"]):
        html += f'<span class="wp-block-post-terms__suffix">{escape_attribute(suffix)}</span>'
    return place.element("div", html, f"taxonomy-{taxonomy.name}", *build_alignment_classes(place))


# -- links to other records


def _render_read_more(place: BlockContext, record: Record) -> str:
    text = strip_tags(str(place.attributes.get("content") or "")) or place.translate("Read more")
    title = strip_tags(record.title_html) or "untitled"
    html = f'{escape_attribute(text)}<span class="screen-reader-text">: {title}</span>'
    target = "_blank" if place.attributes["linkTarget"] == "_blank" else "_self"
    return place.element("a", html, own=f'href="{_build_record_url(place, record)}" target="{target}"')


def _render_adjacent_link(place: BlockContext, record: Record) -> str:
    attributes, work = place.attributes, place.work
    later = attributes["type"] != "previous"
    query = RecordQuery(
        type=record.type, statuses=("publish",), per_page=1, order="asc" if later else "desc",
        after=record.date if later else None, before=None if later else record.date, exclude=(record.id,),
    )  # fmt: skip
    rows, _ = record_listing.list_records(work, query)
    if not rows:
        return ""
    word = "next" if later else "previous"
    label = strip_tags(str(attributes.get("label") or "")) or place.translate(word.title())
    title = place.title_of(rows[0])
    link = f'<a href="{_build_record_url(place, rows[0])}" rel="{"next" if later else "prev"}">'
    if not attributes["showTitle"]:
        html = f"{link}{escape_attribute(label)}</a>"
    elif attributes["linkLabel"]:
        html = f'{link}<span class="post-navigation-link__label">{escape_attribute(label)}</span> '
        html += f'<span class="post-navigation-link__title">{title}</span></a>'
    else:
        html = f'<span class="post-navigation-link__label">{escape_attribute(label)}</span> {link}{title}</a>'
    return place.element("div", html, f"post-navigation-link-{word}", *build_alignment_classes(place))


def _render_reading_time(place: BlockContext, record: Record) -> str:
    attributes = place.attributes
    shown = "" if _is_protected(record) else text_rendering.render_content(record.content, budget=place.work.budget)
    words = len(strip_tags(shown).split())
    if attributes["displayMode"] == "words":
        text = "1 word" if words == 1 else f"{words:,} words"
    else:
        speed = max(1.0, float(attributes["averageReadingSpeed"]))
        low, high = max(1, round(words / (speed * 1.25))), max(1, round(words / (speed * 0.75)))
        minutes = max(1, round(words / speed))
        if attributes["displayAsRange"] and high > low:
            text = f"{low}–{high} minutes"
        else:
            text = "1 minute" if minutes == 1 else f"{minutes} minutes"
    return place.element("div", text, *build_alignment_classes(place))


def _render_footnotes(place: BlockContext, record: Record) -> str:
    kept = record.meta.get("footnotes")
    try:
        notes: Any = orjson.loads(kept) if isinstance(kept, str) and kept else []
    except orjson.JSONDecodeError:
        return ""
    items = ""
    for at, note in enumerate(notes if isinstance(notes, list) else [], 1):
        if isinstance(note, dict) and isinstance(note.get("id"), str) and isinstance(note.get("content"), str):
            # All authors of the record may write its footnotes, so they are sanitized whoever wrote them.
            id, text = escape_attribute(note["id"]), sanitizing.sanitize_content(note["content"])
            items += (
                f'<li id="{id}">{text} <a href="#{id}-link" aria-label="Jump to footnote reference {at}">↩︎</a></li>'
            )
    return place.element("ol", items) if items and not _is_protected(record) else ""


BLOCKS: Final[Mapping[str, BlockRenderFunction]] = {
    name: _require_record(make)
    for name, make in {
        "core/footnotes": _render_footnotes,
        "core/post-content": _render_content,
        "core/post-date": _render_date,
        "core/post-excerpt": _render_excerpt,
        "core/post-navigation-link": _render_adjacent_link,
        "core/post-terms": _render_terms,
        "core/post-time-to-read": _render_reading_time,
        "core/post-title": _render_title,
        "core/read-more": _render_read_more,
    }.items()
}
