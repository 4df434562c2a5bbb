"""Blocks that list what the site has: newest posts, months, terms, pages.

Not here: the calendar (content/blocks/calendar_block.py), queries that an editor writes
(content/blocks/query_blocks.py). Rules: observed on public pages: element names, classes and the order of parts.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from vetrina.access.users import rules as users
from vetrina.content.blocks.dynamic_rendering import Maker, Place
from vetrina.content.records import archives, front_page, permalinks
from vetrina.content.records import listing as record_listing
from vetrina.content.records.archives import Period
from vetrina.content.records.model import Record
from vetrina.content.records.query import RecordQuery, TermFilter
from vetrina.content.terms import listing as term_listing
from vetrina.content.terms import store as term_store
from vetrina.content.terms.listing import TermFilters
from vetrina.content.terms.store import Term
from vetrina.content.text.media_shortcodes import address, attribute
from vetrina.content.text.rendering import excerpt
from vetrina.kernel.date_format import date_text, month_name

__all__ = ["BLOCKS", "moment"]

_MOST_PAGES: Final = 1000
_MOST_TERMS: Final = 1000
_ORDERS: Final = frozenset(("date", "title", "modified", "author", "id"))
_NO_TITLE: Final = "(no title)"


def moment(place: Place, local: int, gmt: int, pattern: str = "", css_class: str = "") -> str:
    """Return a `time` element. pattern: of the date; that of the site when empty."""
    offset, language = local - gmt, place.language
    text = date_text(pattern or place.work.option("date_format"), local, offset, language)
    shown = f' class="{css_class}"' if css_class else ""
    return f'<time datetime="{date_text("c", local, offset)}"{shown}>{attribute(text)}</time>'


# -- newest posts


def _latest_posts(place: Place) -> str:
    asked = place.attributes
    categories = tuple(
        one["id"] for one in asked.get("categories") or () if isinstance(one, dict) and type(one.get("id")) is int
    )
    author = asked.get("selectedAuthor")
    query = RecordQuery(
        type="post",
        statuses=("publish",),
        per_page=max(1, min(100, int(asked["postsToShow"]))),
        order="asc" if asked["order"] == "asc" else "desc",
        orderby=asked["orderBy"] if asked["orderBy"] in _ORDERS else "date",
        author=(int(author),) if author else (),
        terms=(TermFilter("category", categories),) if categories else (),
    )
    rows, _ = record_listing.listed_page(place.work, query)
    items = "".join(_latest_post(place, row) for row in rows)
    classes = ["wp-block-latest-posts__list"]
    if asked.get("postLayout") == "grid":
        classes.append("is-grid")
        if asked.get("columns"):
            classes.append(f"columns-{int(asked['columns'])}")
    if asked["displayPostDate"]:
        classes.append("has-dates")
    if asked["displayAuthor"]:
        classes.append("has-author")
    return place.element("ul", items, *classes)


def _latest_post(place: Place, row: Record) -> str:
    work, asked = place.work, place.attributes
    link = address(permalinks.link(work, work.frame.types[row.type], row))
    title = place.title_of(row) or _NO_TITLE
    html = f'<li><a class="wp-block-latest-posts__post-title" href="{link}">{title}</a>'
    if asked["displayAuthor"]:
        work.uses("user")
        name = getattr(users.by_id(work.tx, row.author), "name", "")
        html += f'<div class="wp-block-latest-posts__post-author">by {attribute(name)}</div>' if name else ""
    if asked["displayPostDate"]:
        html += moment(place, row.date, row.date_gmt, css_class="wp-block-latest-posts__post-date")
    if asked["displayPostContent"]:
        kept = row.password not in ("", "0")
        if asked["displayPostContentRadio"] == "full_post":
            text = "" if kept else place.content_of(row)
            html += f'<div class="wp-block-latest-posts__post-full-content">{text}</div>'
        else:
            text = "" if kept else excerpt(row.excerpt, row.content, max(1, int(asked["excerptLength"])))
            text = place.live.hold(_without_paragraph(text), row.excerpt)
            html += f'<div class="wp-block-latest-posts__post-excerpt">{text}</div>'
    return html + "</li>\n"


def _without_paragraph(html: str) -> str:
    html = html.strip()
    whole = html.startswith("<p>") and html.endswith("</p>") and html.count("<p>") == 1
    return html[3:-4] if whole else html


# -- times


_LABELS: Final[Mapping[str, tuple[str, str]]] = {
    "yearly": ("Select Year", "Year"), "monthly": ("Select Month", "Month"), "weekly": ("Select Week", "Week"),
    "daily": ("Select Day", "Day"),
}  # fmt: skip


def _archives(place: Place) -> str:
    asked, work = place.attributes, place.work
    kind = asked["type"] if asked["type"] in _LABELS else "monthly"
    periods = archives.periods(work, kind)
    if not periods:
        return place.element("div", "No archives to show.")
    entries = [(address(_period_address(place, one)), _period_name(place, one), one.count) for one in periods]
    counts = asked["showPostCounts"]
    if not asked["displayAsDropdown"]:
        items = "".join(
            f"\t<li><a href='{link}'>{name}</a>{f'&nbsp;({count})' if counts else ''}</li>\n"
            for link, name, count in entries
        )
        return place.element("ul", items, "wp-block-archives-list")
    options = "".join(
        f"\t<option value='{link}'> {name} {f'&nbsp;({count})' if counts else ''}</option>\n"
        for link, name, count in entries
    )
    hidden = "" if asked["showLabel"] else " screen-reader-text"
    html = (
        f'<label for="wp-block-archives-1" class="wp-block-archives__label{hidden}">Archives</label>'
        f'<select id="wp-block-archives-1" name="archive-dropdown"><option value="">{_LABELS[kind][0]}</option>'
        f"{options}</select>"
    )
    return place.element("div", html, "wp-block-archives-dropdown")


def _period_name(place: Place, period: Period) -> str:
    language, pattern = place.language, place.work.option("date_format")
    match period.kind:
        case "yearly":
            return f"{period.year}"
        case "monthly":
            return f"{month_name(period.month, language)} {period.year}"
        case "weekly":
            first, last = (date_text(pattern, at, language=language) for at in (period.first, period.last))
            return f"{first}&#8211;{last}"
        case _:
            return date_text(pattern, period.first, language=language)


def _period_address(place: Place, period: Period) -> str:
    home = place.work.home()
    match period.kind:
        case "yearly":
            return f"{home}/{period.year:04d}/"
        case "monthly":
            return f"{home}/{period.year:04d}/{period.month:02d}/"
        case "weekly":
            return f"{home}/?m={period.year}&w={period.week}"
        case _:
            return f"{home}/{date_text('Y/m/d', period.first)}/"


# -- terms


def _categories(place: Place) -> str:
    asked, work = place.attributes, place.work
    taxonomy = work.frame.taxonomies.get(asked["taxonomy"])
    if taxonomy is None:
        return ""
    work.uses(taxonomy.name, *taxonomy.types)
    filters = TermFilters(hide_empty=not asked["showEmpty"], limit=_MOST_TERMS)
    if asked["showOnlyTopLevel"] and taxonomy.hierarchical:
        filters = TermFilters(hide_empty=not asked["showEmpty"], limit=_MOST_TERMS, parent=0)
    found, _ = term_listing.listed(work, taxonomy, filters)
    links = term_store.addresses(work, found)
    nested = asked["showHierarchy"] and taxonomy.hierarchical
    own = f"wp-block-categories-taxonomy-{taxonomy.name}"
    if asked["displayAsDropdown"]:
        return _category_menu(place, found, own, nested)

    def shown(term: Term, below: str) -> str:
        count = f" ({term.count})" if asked["showPostCounts"] else ""
        prefix = "cat-item"
        return (
            f'\t<li class="{prefix} {prefix}-{term.id}"><a href="{address(links[term.id])}">{term.name}</a>{count}\n'
            f"{below}</li>\n"
        )

    items = _tree(found, shown, nested, lambda inner: f"<ul class='children'>\n{inner}</ul>\n")
    return place.element(
        "ul", items or f'<li class="cat-item-none">No {taxonomy.label.lower()}</li>', "wp-block-categories-list", own
    )


def _tree(found: Sequence[Term], shown: Callable[[Term, str], str], nested: bool, around: Callable[[str], str]) -> str:
    """Return terms as markup, those below another inside it where that is asked for."""
    if not nested:
        return "".join(shown(term, "") for term in found)
    known = {term.id for term in found}
    below: dict[int, list[Term]] = {}
    for term in found:
        below.setdefault(term.parent if term.parent in known and term.parent != term.id else 0, []).append(term)

    def level(parent: int, deep: int) -> str:
        inner = "".join(shown(term, level(term.id, deep + 1)) for term in below.get(parent, ()) if deep < 50)
        return around(inner) if inner and parent else inner

    return level(0, 0)


def _category_menu(place: Place, found: Sequence[Term], own: str, nested: bool) -> str:
    asked = place.attributes
    deep: dict[int, int] = {}
    for term in found:
        deep[term.id] = deep.get(term.parent, -1) + 1 if nested else 0
    options = "".join(
        f'\t<option class="level-{deep[term.id]}" value="{term.slug}">{"&nbsp;&nbsp;&nbsp;" * deep[term.id]}{term.name}'
        f"{f'&nbsp;&nbsp;({term.count})' if asked['showPostCounts'] else ''}</option>\n"
        for term in found
    )
    hidden = "" if asked["showLabel"] else " screen-reader-text"
    taxonomy = place.work.frame.taxonomies[asked["taxonomy"]]
    label = attribute(asked.get("label") or taxonomy.label)
    html = (
        f'<label class="wp-block-categories__label{hidden}" for="wp-block-categories-1">{label}</label>'
        f"<select name='{taxonomy.name}' id='wp-block-categories-1' class='postform'>\n"
        f"\t<option value='-1'>Select {taxonomy.singular}</option>\n{options}</select>"
    )
    return place.element("div", html, "wp-block-categories-dropdown", own)


def _tag_cloud(place: Place) -> str:
    asked, work = place.attributes, place.work
    taxonomy = work.frame.taxonomies.get(asked["taxonomy"])
    if taxonomy is None:
        return ""
    work.uses(taxonomy.name, *taxonomy.types)
    most = max(1, min(100, int(asked["numberOfTags"])))
    filters = TermFilters(hide_empty=True, orderby="count", descending=True, limit=most)
    found, _ = term_listing.listed(work, taxonomy, filters)
    if not found:
        return place.element("p", "No tags have been used yet.")
    links = term_store.addresses(work, found)
    (smallest, unit), (largest, _) = _size(asked["smallestFontSize"], 8), _size(asked["largestFontSize"], 22)
    fewest, spread = min(term.count for term in found), max(term.count for term in found) - min(t.count for t in found)
    step = (largest - smallest) / max(1, spread)
    shown = []
    for at, term in enumerate(sorted(found, key=lambda term: term_store.name_key(term.name)), 1):
        size = f"{smallest + (term.count - fewest) * step:.12g}{unit}"
        items = f"{term.count} {'item' if term.count == 1 else 'items'}"
        count = f'<span class="tag-link-count"> ({term.count})</span>' if asked["showTagCounts"] else ""
        shown.append(
            f'<a href="{address(links[term.id])}" class="tag-cloud-link tag-link-{term.id} tag-link-position-{at}" '
            f'style="font-size: {size};" aria-label="{attribute(term.name)} ({items})">{term.name}{count}</a>'
        )
    return place.element("p", "\n".join(shown))


def _size(text: Any, default: int) -> tuple[float, str]:
    """Return number and unit of a font size such as `8pt`."""
    written = str(text)
    number = written.rstrip("abcdefghijklmnopqrstuvwxyz%")
    unit = written[len(number) :]
    try:
        return min(1000.0, max(0.0, float(number))), unit if unit in ("pt", "px", "em", "rem", "%") else "pt"
    except ValueError:
        return float(default), "pt"


# -- pages


def _page_list(place: Place) -> str:
    work, asked = place.work, place.attributes
    query = RecordQuery(type="page", statuses=("publish",), per_page=_MOST_PAGES, order="asc", orderby="menu_order")
    rows, _ = record_listing.listed_page(work, query)
    rows.sort(key=lambda row: (row.menu_order, row.title_key, row.id))
    known = {row.id for row in rows}
    below: dict[int, list[Record]] = {}
    for row in rows:
        below.setdefault(row.parent if row.parent in known else 0, []).append(row)
    home = front_page.number(work, "page_on_front") if work.option("show_on_front") == "page" else 0
    more = (" wp-block-navigation-item", " wp-block-navigation-item__content") if place.scene.menu else ("", "")

    def level(parent: int, deep: int) -> str:
        return "".join(item(row, deep) for row in below.get(parent, ())) if deep < 50 else ""

    def item(row: Record, deep: int) -> str:
        inner = level(row.id, deep + 1)
        classes = f"wp-block-pages-list__item{' has-child' if inner else ''}{more[0]}"
        if place.scene.menu:
            classes += " open-on-hover-click" + (" menu-item-home" if row.id == home else "")
        elif row.id == home:
            classes += " menu-item-home"
        link = address(permalinks.link(work, work.frame.types["page"], row))
        held = f'<ul class="wp-block-navigation__submenu-container">{inner}</ul>' if inner else ""
        return (
            f'<li class="{classes}"><a class="wp-block-pages-list__item__link{more[1]}" href="{link}">'
            f"{place.title_of(row) or _NO_TITLE}</a>{held}</li>"
        )

    top = int(asked["parentPageID"])
    items = level(top, 0)
    return items if asked["isNested"] or not items else place.element("ul", items)


BLOCKS: Final[Mapping[str, Maker]] = {
    "core/archives": _archives,
    "core/categories": _categories,
    "core/latest-posts": _latest_posts,
    "core/page-list": _page_list,
    "core/tag-cloud": _tag_cloud,
}
