"""Blocks that list site data: newest posts, archives, terms, pages.

Not here: the calendar (content/blocks/calendar_block.py), query loops (content/blocks/query_blocks.py). Elements and
classes as observed on public pages.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from vetrina.access.users import rules as users
from vetrina.content.blocks.block_context import BlockContext, BlockRenderFunction
from vetrina.content.records import archives, front_page, listing as record_listing, permalinks
from vetrina.content.records.archives import ArchivePeriod
from vetrina.content.records.model import Record
from vetrina.content.records.query import RecordQuery, TermFilter
from vetrina.content.terms import listing as term_listing, store as term_store
from vetrina.content.terms.listing import TermListFilters
from vetrina.content.terms.store import Term
from vetrina.content.text.media_shortcodes import escape_attribute, escape_url
from vetrina.content.text.rendering import render_excerpt
from vetrina.core.shown_dates import format_shown_date
from vetrina.kernel.date_format import format_date, get_month_name

_MAX_PAGES: Final = 1000
_MAX_TERMS: Final = 1000
_ORDERS: Final = frozenset(("date", "title", "modified", "author", "id"))
_NO_TITLE: Final = "(no title)"


def render_time(place: BlockContext, local: int, gmt: int, pattern: str = "", css_class: str = "") -> str:
    """Return a `time` element. pattern: of the date; that of the site when empty."""
    offset, language = local - gmt, place.language
    if not pattern and place.scene.page is not None:
        text = format_shown_date(place.work, local, language)
    else:
        text = format_date(pattern or place.work.option("date_format"), local, offset, language)
    shown = f' class="{css_class}"' if css_class else ""
    return f'<time datetime="{format_date("c", local, offset)}"{shown}>{escape_attribute(text)}</time>'


# -- newest posts


def _render_latest_posts(place: BlockContext) -> str:
    attributes = place.attributes
    categories = tuple(
        one["id"] for one in attributes.get("categories") or () if isinstance(one, dict) and type(one.get("id")) is int
    )
    author = attributes.get("selectedAuthor")
    query = RecordQuery(
        type="post",
        statuses=("publish",),
        per_page=max(1, min(100, int(attributes["postsToShow"]))),
        order="asc" if attributes["order"] == "asc" else "desc",
        orderby=attributes["orderBy"] if attributes["orderBy"] in _ORDERS else "date",
        author=(int(author),) if author else (),
        terms=(TermFilter("category", categories),) if categories else (),
    )
    rows, _ = record_listing.list_records(place.work, query)
    items = "".join(_render_post_item(place, row) for row in rows)
    classes = ["wp-block-latest-posts__list"]
    if attributes.get("postLayout") == "grid":
        classes.append("is-grid")
        if attributes.get("columns"):
            classes.append(f"columns-{int(attributes['columns'])}")
    if attributes["displayPostDate"]:
        classes.append("has-dates")
    if attributes["displayAuthor"]:
        classes.append("has-author")
    return place.element("ul", items, *classes)


def _render_post_item(place: BlockContext, row: Record) -> str:
    work, attributes = place.work, place.attributes
    link = escape_url(permalinks.build_permalink(work, work.site.types[row.type], row))
    title = place.title_of(row) or _NO_TITLE
    html = f'<li><a class="wp-block-latest-posts__post-title" href="{link}">{title}</a>'
    if attributes["displayAuthor"]:
        work.uses_items("user", (row.author,))
        name = getattr(users.find_user(work.tx, row.author), "name", "")
        html += f'<div class="wp-block-latest-posts__post-author">by {escape_attribute(name)}</div>' if name else ""
    if attributes["displayPostDate"]:
        html += render_time(place, row.date, row.date_gmt, css_class="wp-block-latest-posts__post-date")
    if attributes["displayPostContent"]:
        kept = row.password not in ("", "0")
        if attributes["displayPostContentRadio"] == "full_post":
            text = "" if kept else place.content_of(row)
            html += f'<div class="wp-block-latest-posts__post-full-content">{text}</div>'
        else:
            text = "" if kept else render_excerpt(row.excerpt, row.content, max(1, int(attributes["excerptLength"])))
            text = place.live.hold(_strip_paragraph(text), row.excerpt)
            html += f'<div class="wp-block-latest-posts__post-excerpt">{text}</div>'
    return html + "</li>\n"


def _strip_paragraph(html: str) -> str:
    html = html.strip()
    whole = html.startswith("<p>") and html.endswith("</p>") and html.count("<p>") == 1
    return html[3:-4] if whole else html


# -- archives


_LABELS: Final[Mapping[str, tuple[str, str]]] = {
    "yearly": ("Select Year", "Year"), "monthly": ("Select Month", "Month"), "weekly": ("Select Week", "Week"),
    "daily": ("Select Day", "Day"),
}  # fmt: skip


def _render_archives(place: BlockContext) -> str:
    attributes, work = place.attributes, place.work
    kind = attributes["type"] if attributes["type"] in _LABELS else "monthly"
    periods = archives.list_archive_periods(work, kind)
    if not periods:
        return place.element("div", "No archives to show.")
    entries = [(escape_url(_build_period_url(place, one)), _format_period(place, one), one.count) for one in periods]
    counts = attributes["showPostCounts"]
    if not attributes["displayAsDropdown"]:
        items = "".join(
            f"\t<li><a href='{link}'>{name}</a>{f'&nbsp;({count})' if counts else ''}</li>\n"
            for link, name, count in entries
        )
        return place.element("ul", items, "wp-block-archives-list")
    options = "".join(
        f"\t<option value='{link}'> {name} {f'&nbsp;({count})' if counts else ''}</option>\n"
        for link, name, count in entries
    )
    hidden = "" if attributes["showLabel"] else " screen-reader-text"
    html = (
        f'<label for="wp-block-archives-1" class="wp-block-archives__label{hidden}">Archives</label>'
        f'<select id="wp-block-archives-1" name="archive-dropdown"><option value="">{_LABELS[kind][0]}</option>'
        f"{options}</select>"
    )
    return place.element("div", html, "wp-block-archives-dropdown")


def _format_period(place: BlockContext, period: ArchivePeriod) -> str:
    language, pattern = place.language, place.work.option("date_format")
    match period.kind:
        case "yearly":
            return f"{period.year}"
        case "monthly":
            return f"{get_month_name(period.month, language)} {period.year}"
        case "weekly":
            first, last = (format_date(pattern, at, language=language) for at in (period.first, period.last))
            return f"{first}&#8211;{last}"
        case _:
            return format_date(pattern, period.first, language=language)


def _build_period_url(place: BlockContext, period: ArchivePeriod) -> str:
    home = place.work.home()
    match period.kind:
        case "yearly":
            return f"{home}/{period.year:04d}/"
        case "monthly":
            return f"{home}/{period.year:04d}/{period.month:02d}/"
        case "weekly":
            return f"{home}/?m={period.year}&w={period.week}"
        case _:
            return f"{home}/{format_date('Y/m/d', period.first)}/"


# -- terms


def _render_categories(place: BlockContext) -> str:
    attributes, work = place.attributes, place.work
    taxonomy = work.site.taxonomies.get(attributes["taxonomy"])
    if taxonomy is None:
        return ""
    work.uses(taxonomy.name, *taxonomy.types)
    filters = TermListFilters(hide_empty=not attributes["showEmpty"], limit=_MAX_TERMS)
    if attributes["showOnlyTopLevel"] and taxonomy.hierarchical:
        filters = TermListFilters(hide_empty=not attributes["showEmpty"], limit=_MAX_TERMS, parent=0)
    found, _ = term_listing.list_terms(work, taxonomy, filters)
    links = term_store.build_term_urls(work, found)
    nested = attributes["showHierarchy"] and taxonomy.hierarchical
    own = f"wp-block-categories-taxonomy-{taxonomy.name}"
    if attributes["displayAsDropdown"]:
        return _render_category_menu(place, found, own, nested)

    def shown(term: Term, below: str) -> str:
        count = f" ({term.count})" if attributes["showPostCounts"] else ""
        prefix = "cat-item"
        return (
            f'\t<li class="{prefix} {prefix}-{term.id}"><a href="{escape_url(links[term.id])}">{term.name}</a>{count}\n'
            f"{below}</li>\n"
        )

    items = _render_term_tree(found, shown, nested, lambda inner: f"<ul class='children'>\n{inner}</ul>\n")
    return place.element(
        "ul", items or f'<li class="cat-item-none">No {taxonomy.label.lower()}</li>', "wp-block-categories-list", own
    )


def _render_term_tree(
    found: Sequence[Term], shown: Callable[[Term, str], str], nested: bool, around: Callable[[str], str]
) -> str:
    """Return the HTML of terms, nested by parent if `nested`."""
    if not nested:
        return "".join(shown(term, "") for term in found)
    known = {term.id for term in found}
    below: dict[int, list[Term]] = {}
    for term in found:
        below.setdefault(term.parent if term.parent in known and term.parent != term.id else 0, []).append(term)

    def level(parent: int, depth: int) -> str:
        inner = "".join(shown(term, level(term.id, depth + 1)) for term in below.get(parent, ()) if depth < 50)
        return around(inner) if inner and parent else inner

    return level(0, 0)


def _render_category_menu(place: BlockContext, found: Sequence[Term], own: str, nested: bool) -> str:
    attributes = place.attributes
    deep: dict[int, int] = {}
    for term in found:
        deep[term.id] = deep.get(term.parent, -1) + 1 if nested else 0
    options = "".join(
        f'\t<option class="level-{deep[term.id]}" value="{term.slug}">{"&nbsp;&nbsp;&nbsp;" * deep[term.id]}{term.name}'
        f"{f'&nbsp;&nbsp;({term.count})' if attributes['showPostCounts'] else ''}</option>\n"
        for term in found
    )
    hidden = "" if attributes["showLabel"] else " screen-reader-text"
    taxonomy = place.work.site.taxonomies[attributes["taxonomy"]]
    label = escape_attribute(attributes.get("label") or taxonomy.label)
    html = (
        f'<label class="wp-block-categories__label{hidden}" for="wp-block-categories-1">{label}</label>'
        f"<select name='{taxonomy.name}' id='wp-block-categories-1' class='postform'>\n"
        f"\t<option value='-1'>Select {taxonomy.singular}</option>\n{options}</select>"
    )
    return place.element("div", html, "wp-block-categories-dropdown", own)


def _render_tag_cloud(place: BlockContext) -> str:
    attributes, work = place.attributes, place.work
    taxonomy = work.site.taxonomies.get(attributes["taxonomy"])
    if taxonomy is None:
        return ""
    work.uses(taxonomy.name, *taxonomy.types)
    most = max(1, min(100, int(attributes["numberOfTags"])))
    filters = TermListFilters(hide_empty=True, orderby="count", descending=True, limit=most)
    found, _ = term_listing.list_terms(work, taxonomy, filters)
    if not found:
        return place.element("p", "No tags have been used yet.")
    links = term_store.build_term_urls(work, found)
    (smallest, unit), (largest, _) = (
        _parse_font_size(attributes["smallestFontSize"], 8),
        _parse_font_size(attributes["largestFontSize"], 22),
    )
    fewest, spread = min(term.count for term in found), max(term.count for term in found) - min(t.count for t in found)
    step = (largest - smallest) / max(1, spread)
    shown = []
    for at, term in enumerate(sorted(found, key=lambda term: term_store.build_name_key(term.name)), 1):
        size = f"{smallest + (term.count - fewest) * step:.12g}{unit}"
        items = f"{term.count} {'item' if term.count == 1 else 'items'}"
        count = f'<span class="tag-link-count"> ({term.count})</span>' if attributes["showTagCounts"] else ""
        shown.append(
            f'<a href="{escape_url(links[term.id])}" class="tag-cloud-link tag-link-{term.id} tag-link-position-{at}" '
            f'style="font-size: {size};" aria-label="{escape_attribute(term.name)} ({items})">{term.name}{count}</a>'
        )
    return place.element("p", "\n".join(shown))


def _parse_font_size(text: Any, default: int) -> tuple[float, str]:
    """Return number and unit of a font size such as `8pt`."""
    written = str(text)
    number = written.rstrip("abcdefghijklmnopqrstuvwxyz%")
    unit = written[len(number) :]
    try:
        return min(1000.0, max(0.0, float(number))), unit if unit in ("pt", "px", "em", "rem", "%") else "pt"
    except ValueError:
        return float(default), "pt"


# -- pages


def _render_page_list(place: BlockContext) -> str:
    work, attributes = place.work, place.attributes
    query = RecordQuery(type="page", statuses=("publish",), per_page=_MAX_PAGES, order="asc", orderby="menu_order")
    rows, _ = record_listing.list_records(work, query)
    rows.sort(key=lambda row: (row.menu_order, row.title_key, row.id))
    known = {row.id for row in rows}
    below: dict[int, list[Record]] = {}
    for row in rows:
        below.setdefault(row.parent if row.parent in known else 0, []).append(row)
    home = front_page.resolve_page_option(work, "page_on_front") if work.option("show_on_front") == "page" else 0
    more = (" wp-block-navigation-item", " wp-block-navigation-item__content") if place.scene.menu else ("", "")

    def level(parent: int, depth: int) -> str:
        return "".join(item(row, depth) for row in below.get(parent, ())) if depth < 50 else ""

    def item(row: Record, depth: int) -> str:
        inner = level(row.id, depth + 1)
        classes = f"wp-block-pages-list__item{' has-child' if inner else ''}{more[0]}"
        if place.scene.menu:
            classes += " open-on-hover-click" + (" menu-item-home" if row.id == home else "")
        elif row.id == home:
            classes += " menu-item-home"
        link = escape_url(permalinks.build_permalink(work, work.site.types["page"], row))
        held = f'<ul class="wp-block-navigation__submenu-container">{inner}</ul>' if inner else ""
        return (
            f'<li class="{classes}"><a class="wp-block-pages-list__item__link{more[1]}" href="{link}">'
            f"{place.title_of(row) or _NO_TITLE}</a>{held}</li>"
        )

    top = int(attributes["parentPageID"])
    items = level(top, 0)
    return items if attributes["isNested"] or not items else place.element("ul", items)


BLOCKS: Final[Mapping[str, BlockRenderFunction]] = {
    "core/archives": _render_archives,
    "core/categories": _render_categories,
    "core/latest-posts": _render_latest_posts,
    "core/page-list": _render_page_list,
    "core/tag-cloud": _render_tag_cloud,
}
