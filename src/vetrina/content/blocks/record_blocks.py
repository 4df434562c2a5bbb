"""Blocks about one record: the one whose content is shown, or each one that a query finds.

Rules: observed on public pages. Outside a record they show nothing. A password hides excerpt and content from everybody
here: who knows it reads the record itself.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

import orjson

from vetrina.access.users import rules as users
from vetrina.access.users.model import User
from vetrina.content.blocks.dynamic_rendering import Maker, Place
from vetrina.content.blocks.list_blocks import moment
from vetrina.content.blocks.person_blocks import picture
from vetrina.content.blocks.site_blocks import aligned
from vetrina.content.records import listing as record_listing
from vetrina.content.records import permalinks
from vetrina.content.records.model import Record
from vetrina.content.records.query import RecordQuery
from vetrina.content.terms import store as term_store
from vetrina.content.text import rendering as text_rendering
from vetrina.content.text import sanitizing
from vetrina.content.text.media_shortcodes import address, attribute
from vetrina.kernel.tags import without_tags

__all__ = ["BLOCKS"]

_OfRecord = Callable[[Place, Record], str]


def _of_record(make: _OfRecord) -> Maker:
    """Return a maker that shows nothing where there is no record."""
    return lambda place: make(place, place.scene.record) if place.scene.record is not None else ""


def _link(place: Place, record: Record) -> str:
    type = place.work.frame.types.get(record.type)
    return address(permalinks.link(place.work, type, record)) if type else ""


def _anchor(place: Place, href: str, html: str, css_class: str = "") -> str:
    """Return a link as the attributes of the block want it."""
    asked = place.attributes
    target = "_blank" if asked.get("linkTarget") == "_blank" else "_self"
    rel = f' rel="{attribute(asked["rel"])}"' if asked.get("rel") else ""
    name = f'class="{css_class}" ' if css_class else ""
    return f'<a {name}href="{href}" target="{target}"{rel}>{html}</a>'


def _hidden(record: Record) -> bool:
    return record.password not in ("", "0")


def _title(place: Place, record: Record) -> str:
    title = place.title_of(record)
    if not title:
        return ""
    if place.attributes["isLink"]:
        title = _anchor(place, _link(place, record), title)
    level = place.attributes["level"]
    tag = f"h{int(level)}" if 1 <= level <= 6 else "p"
    return place.element(tag, title, *aligned(place))


def _content(place: Place, record: Record) -> str:
    html = place.content_of(record)
    if not html:
        return ""
    layout = place.attributes.get("layout")
    kind = layout.get("type") if isinstance(layout, dict) else None
    name = "is-layout-constrained" if kind == "constrained" else "is-layout-flow"
    tag = place.attributes["tagName"]
    tag = tag if tag in ("div", "main", "section", "article") else "div"
    return place.element(tag, html, "entry-content", name, f"wp-block-post-content-{name}")


def _excerpt(place: Place, record: Record) -> str:
    if _hidden(record):
        return ""
    asked = place.attributes
    words = max(1, min(1000, int(asked["excerptLength"])))
    html = text_rendering.excerpt(record.excerpt, record.content, words, budget=place.work.budget).strip()
    if html.startswith("<p>") and html.endswith("</p>") and html.count("<p>") == 1:
        html = html[3:-4]
    html = place.live.hold(html, record.excerpt)
    more = str(asked.get("moreText") or "")
    link = (
        f'<a class="wp-block-post-excerpt__more-link" href="{_link(place, record)}">{attribute(without_tags(more))}</a>'
        if more
        else ""
    )
    if link and not asked["showMoreOnNewLine"]:
        html, link = f"{html} {link}", ""
    out = f'<p class="wp-block-post-excerpt__excerpt">{html} </p>' if html else ""
    if link:
        out += f'<p class="wp-block-post-excerpt__more-text">{link}</p>'
    return place.element("div", out, *aligned(place)) if out else ""


def _date(place: Place, record: Record) -> str:
    asked = place.attributes
    changed = asked.get("displayType") == "modified"
    if changed and record.modified_gmt <= record.date_gmt:
        return ""
    local, gmt = (record.modified, record.modified_gmt) if changed else (record.date, record.date_gmt)
    pattern = asked.get("format") or ""
    time = moment(place, local, gmt, "" if pattern == "human-diff" else pattern)
    if asked["isLink"]:
        inside = time.partition(">")[2].removesuffix("</time>")
        time = f'{time.partition(">")[0]}><a href="{_link(place, record)}">{inside}</a></time>'
    names = ("wp-block-post-date__modified-date",) if changed else ()
    return place.element("div", time, *aligned(place), *names)


def _terms(place: Place, record: Record) -> str:
    asked, work = place.attributes, place.work
    taxonomy = work.frame.taxonomies.get(asked.get("term") or "")
    if taxonomy is None:
        return ""
    work.uses(taxonomy.name)
    held = [term for term in term_store.of_records(work.tx, [record.id])[record.id] if term.taxonomy == taxonomy.name]
    if not held:
        return ""
    links = term_store.addresses(work, held)
    separator = f'<span class="wp-block-post-terms__separator">{attribute(asked["separator"])}</span>'
    html = separator.join(f'<a href="{address(links[term.id])}" rel="tag">{term.name}</a>' for term in held)
    if prefix := without_tags(asked["prefix"]):
        html = f'<span class="wp-block-post-terms__prefix">{attribute(prefix)}</span>{html}'
    if suffix := without_tags(asked["suffix"]):
        html += f'<span class="wp-block-post-terms__suffix">{attribute(suffix)}</span>'
    return place.element("div", html, f"taxonomy-{taxonomy.name}", *aligned(place))


# -- who wrote


def _author(place: Place, record: Record) -> User | None:
    place.work.uses("user")
    return users.by_id(place.work.tx, record.author)


def _author_address(place: Place, author: User) -> str:
    return address(f"{place.work.home()}/author/{author.slug}/")


def _author_name(place: Place, record: Record) -> str:
    author = _author(place, record)
    if author is None:
        return ""
    name = attribute(place.work.shown_of(author, "name"))
    if place.attributes["isLink"]:
        name = _anchor(place, _author_address(place, author), name, "wp-block-post-author-name__link")
    return place.element("div", name, *aligned(place))


def _author_words(place: Place, record: Record) -> str:
    author = _author(place, record)
    text = place.work.shown_of(author, "description") if author else ""
    return place.element("div", attribute(text), *aligned(place)) if text else ""


def _author_card(place: Place, record: Record) -> str:
    author = _author(place, record)
    if author is None:
        return ""
    asked = place.attributes
    name = attribute(place.work.shown_of(author, "name"))
    if asked["isLink"]:
        name = _anchor(place, _author_address(place, author), name)
    line = without_tags(str(asked.get("byline") or ""))
    html = f'<p class="wp-block-post-author__byline">{attribute(line)}</p>' if line else ""
    html += f'<p class="wp-block-post-author__name">{name}</p>'
    if asked.get("showBio") and author.description:
        about = place.work.shown_of(author, "description")
        html += f'<p class="wp-block-post-author__bio">{attribute(about)}</p>'
    shown = ""
    if asked["showAvatar"]:
        shown = picture(author.email, f"{author.name} Avatar", asked["avatarSize"], "")
        shown = f'<div class="wp-block-post-author__avatar">{shown}</div>'
    return place.element("div", f'{shown}<div class="wp-block-post-author__content">{html}</div>', *aligned(place))


# -- the way to others


def _read_more(place: Place, record: Record) -> str:
    text = without_tags(str(place.attributes.get("content") or "")) or "Read more"
    title = without_tags(record.title_html) or "untitled"
    html = f'{attribute(text)}<span class="screen-reader-text">: {title}</span>'
    target = "_blank" if place.attributes["linkTarget"] == "_blank" else "_self"
    return place.element("a", html, own=f'href="{_link(place, record)}" target="{target}"')


def _neighbour(place: Place, record: Record) -> str:
    asked, work = place.attributes, place.work
    later = asked["type"] != "previous"
    query = RecordQuery(
        type=record.type, statuses=("publish",), per_page=1, order="asc" if later else "desc",
        after=record.date if later else None, before=None if later else record.date, exclude=(record.id,),
    )  # fmt: skip
    rows, _ = record_listing.listed_page(work, query)
    if not rows:
        return ""
    word = "next" if later else "previous"
    label = without_tags(str(asked.get("label") or "")) or word.title()
    title = place.title_of(rows[0])
    link = f'<a href="{_link(place, rows[0])}" rel="{"next" if later else "prev"}">'
    if not asked["showTitle"]:
        html = f"{link}{attribute(label)}</a>"
    elif asked["linkLabel"]:
        html = f'{link}<span class="post-navigation-link__label">{attribute(label)}</span> '
        html += f'<span class="post-navigation-link__title">{title}</span></a>'
    else:
        html = f'<span class="post-navigation-link__label">{attribute(label)}</span> {link}{title}</a>'
    return place.element("div", html, f"post-navigation-link-{word}", *aligned(place))


def _reading_time(place: Place, record: Record) -> str:
    asked = place.attributes
    shown = "" if _hidden(record) else text_rendering.content(record.content, budget=place.work.budget)
    words = len(without_tags(shown).split())
    if asked["displayMode"] == "words":
        text = "1 word" if words == 1 else f"{words:,} words"
    else:
        speed = max(1.0, float(asked["averageReadingSpeed"]))
        low, high = max(1, round(words / (speed * 1.25))), max(1, round(words / (speed * 0.75)))
        minutes = max(1, round(words / speed))
        if asked["displayAsRange"] and high > low:
            text = f"{low}–{high} minutes"
        else:
            text = "1 minute" if minutes == 1 else f"{minutes} minutes"
    return place.element("div", text, *aligned(place))


def _footnotes(place: Place, record: Record) -> str:
    kept = record.meta.get("footnotes")
    try:
        notes: Any = orjson.loads(kept) if isinstance(kept, str) and kept else []
    except orjson.JSONDecodeError:
        return ""
    items = ""
    for at, note in enumerate(notes if isinstance(notes, list) else [], 1):
        if isinstance(note, dict) and isinstance(note.get("id"), str) and isinstance(note.get("content"), str):
            # Whoever may write the record may write its notes, whatever markup he may write elsewhere.
            id, text = attribute(note["id"]), sanitizing.content(note["content"])
            items += (
                f'<li id="{id}">{text} <a href="#{id}-link" aria-label="Jump to footnote reference {at}">↩︎</a></li>'
            )
    return place.element("ol", items) if items and not _hidden(record) else ""


BLOCKS: Final[Mapping[str, Maker]] = {
    name: _of_record(make)
    for name, make in {
        "core/footnotes": _footnotes,
        "core/post-author": _author_card,
        "core/post-author-biography": _author_words,
        "core/post-author-name": _author_name,
        "core/post-content": _content,
        "core/post-date": _date,
        "core/post-excerpt": _excerpt,
        "core/post-navigation-link": _neighbour,
        "core/post-terms": _terms,
        "core/post-time-to-read": _reading_time,
        "core/post-title": _title,
        "core/read-more": _read_more,
    }.items()
}
