"""Blocks that find records or terms and show each of them as an editor wrote it: query loops.

A query shows published records only, one page of them: the first, since a content that is read has no page of its own.
Rules: observed on public pages; what a query's attributes may say is not trusted, it is an editor's text.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

import msgspec

from vetrina.content.blocks.dynamic_rendering import Found, Maker, Place
from vetrina.content.blocks.rendering import with_classes
from vetrina.content.blocks.site_blocks import aligned
from vetrina.content.records import listing as record_listing
from vetrina.content.records import permalinks
from vetrina.content.records.listing import InvalidPage
from vetrina.content.records.query import RecordQuery, TermFilter
from vetrina.content.search.terms import parse as search_terms
from vetrina.content.terms import listing as term_listing
from vetrina.content.terms import store as term_store
from vetrina.content.terms.listing import TermFilters
from vetrina.content.terms.store import Term
from vetrina.content.text.class_list import class_list
from vetrina.content.text.media_shortcodes import address, attribute
from vetrina.rest.coercion import integer

__all__ = ["BLOCKS"]

_ORDERS: Final = frozenset(("author", "date", "id", "modified", "title", "menu_order"))
_MOST: Final = 100
_FLOW: Final = "is-layout-flow"
_COLUMNS: Final = re.compile(r"[0-9]{1,2}", re.ASCII)
_BRACKETS: Final = {"none": ("", ""), "round": ("(", ")"), "square": ("[", "]"), "curly": ("{", "}"),
                    "angle": ("&lt;", "&gt;")}  # fmt: skip


def _query(place: Place) -> str:
    found = _found(place)
    html = place.inner(found=found)
    return with_classes(html, [_FLOW, f"wp-block-query-{_FLOW}"]) if "<" in html else html


def _found(place: Place) -> Found:
    """Return what the query of a block finds."""
    work = place.work
    asked: Mapping[str, Any] = place.attributes["query"]
    type = work.frame.types.get(str(asked.get("postType") or "post"))
    number = integer(place.attributes.get("queryId")) or 0
    if type is None or not type.public:
        return Found(RecordQuery(type="", statuses=()), (), 0, number)
    query = _asked(place, type.name, asked)
    try:
        rows, total = record_listing.listed_page(work, query)
    except InvalidPage:
        rows, total = [], 0
    return Found(query, tuple(rows), total, number)


def _asked(place: Place, type: str, asked: Mapping[str, Any]) -> RecordQuery:
    work = place.work
    inherits = asked.get("inherit") is True
    most = work.option("posts_per_page") if inherits else asked.get("perPage")
    query = RecordQuery(type=type, statuses=("publish",), per_page=max(1, min(_MOST, integer(most) or 10)))
    if inherits:
        return query
    filters = []
    groups = asked.get("taxQuery")
    for name, ids in groups.items() if isinstance(groups, dict) else ():
        taxonomy = work.frame.taxonomies.get(name)
        numbers = _numbers(ids)
        if taxonomy is not None and numbers:
            filters.append(TermFilter(name, numbers, children=taxonomy.hierarchical))
            work.uses(name)
    sticky = {"only": True, "exclude": False}.get(str(asked.get("sticky")))
    order, search = str(asked.get("orderBy")), asked.get("search")
    return msgspec.structs.replace(
        query,
        offset=integer(asked.get("offset")) or None,
        order="asc" if str(asked.get("order")).lower() == "asc" else "desc",
        orderby=order if order in _ORDERS else "date",
        search=search_terms(search) if isinstance(search, str) and search else None,
        exclude=_numbers(asked.get("exclude")),
        author=_numbers(asked.get("author")),
        parent=_numbers(asked.get("parents")),
        sticky=sticky,
        formats=tuple(one for one in asked.get("format") or () if isinstance(one, str)),
        terms=tuple(filters),
    )


def _numbers(value: Any) -> tuple[int, ...]:
    values = value if isinstance(value, list) else str(value).split(",") if value not in (None, "") else []
    return tuple(number for one in values if (number := integer(one)) is not None)


def _template(place: Place) -> str:
    found = place.scene.found
    if found is None or not found.rows:
        return ""
    work = place.work
    type = work.frame.types[found.query.type]
    work.uses(*type.taxonomies)
    held = term_store.of_records(work.tx, [row.id for row in found.rows])
    items = ""
    for row in found.rows:
        names = " ".join(["wp-block-post", *class_list(work.frame, type, row, held[row.id])])
        items += f'<li class="{attribute(names)}">{place.inner(record=row)}</li>'
    return place.element("ul", items, *_layout(place, "wp-block-post-template"))


def _layout(place: Place, name: str) -> tuple[str, ...]:
    layout = place.attributes.get("layout")
    given: Mapping[str, Any] = layout if isinstance(layout, dict) else {}
    kind = {"grid": "is-layout-grid", "flex": "is-layout-flex", "constrained": "is-layout-constrained"}.get(
        str(given.get("type")), _FLOW
    )
    columns = str(given.get("columnCount") or "")
    grid = (f"columns-{columns}",) if kind == "is-layout-grid" and _COLUMNS.fullmatch(columns) else ()
    return (*grid, kind, f"{name}-{kind}")


def _no_results(place: Place) -> str:
    found = place.scene.found
    if found is None or found.rows:
        return ""
    html = place.inner().strip()
    return place.element("div", html) if html else ""


def _total(place: Place) -> str:
    found = place.scene.found
    if found is None:
        return ""
    if place.attributes["displayType"] == "range-display" and found.rows:
        first, last = 1, len(found.rows)
        text = f"Displaying {first} – {last} of {found.total}" if last > 1 else f"Displaying {first} of {found.total}"
    else:
        text = "1 result found" if found.total == 1 else f"{found.total} results found"
    return place.element("div", text)


# -- the other pages


def _pages(found: Found) -> int:
    return -(-found.total // found.query.per_page)


def _page_address(place: Place, found: Found, page: int) -> str:
    """Return where a page of the query is shown: the page that holds the query, with the number as it asks for it."""
    work, record = place.work, place.scene.record
    type = work.frame.types.get(record.type) if record is not None else None
    here = permalinks.link(work, type, record) if type and record else f"{work.home()}/"
    mark = "&" if "?" in here else "?"
    return here if page == 1 else f"{here}{mark}query-{found.number}-page={page}"


def _pagination(place: Place) -> str:
    html = place.inner()
    return place.element("nav", html, *_layout(place, "wp-block-query-pagination"),
                         own='aria-label="Pagination"') if html.strip() else ""  # fmt: skip


def _next(place: Place) -> str:
    found = place.scene.found
    if found is None or _pages(found) < 2:
        return ""
    label = attribute(str(place.attributes.get("label") or "Next Page"))
    return place.element("a", label, own=f'href="{address(_page_address(place, found, 2))}"')


def _previous(place: Place) -> str:
    """Show nothing: the first page has none before it."""
    return ""


def _page_numbers(place: Place) -> str:
    found = place.scene.found
    if found is None or (last := _pages(found)) < 2:
        return ""
    near = 1 + max(0, min(20, int(place.attributes["midSize"])))
    html = '<span aria-current="page" class="page-numbers current">1</span>'
    for page in range(2, min(near, last) + 1):
        html += f'\n<a class="page-numbers" href="{address(_page_address(place, found, page))}">{page}</a>'
    if last > near:
        gap = '\n<span class="page-numbers dots">&hellip;</span>' if last > near + 1 else ""
        html += f'{gap}\n<a class="page-numbers" href="{address(_page_address(place, found, last))}">{last}</a>'
    return place.element("div", html)


# -- terms


def _terms_query(place: Place) -> str:
    html = place.inner()
    return with_classes(html, [_FLOW, f"wp-block-terms-query-{_FLOW}"]) if "<" in html else html


def _term_template(place: Place) -> str:
    work = place.work
    asked = place.around.get("termQuery")
    given: Mapping[str, Any] = asked if isinstance(asked, dict) else {}
    taxonomy = work.frame.taxonomies.get(str(given.get("taxonomy") or "category"))
    if taxonomy is None:
        return ""
    work.uses(taxonomy.name, *taxonomy.types)
    top = taxonomy.hierarchical and not given.get("showNested") and given.get("parent") in (None, 0, False)
    filters = TermFilters(
        include=_numbers(given.get("include")),
        parent=0 if top else None,
        hide_empty=given.get("hideEmpty", True) is not False,
        orderby=str(given.get("orderBy") or "name"),
        descending=str(given.get("order")).lower() == "desc",
        limit=max(1, min(_MOST, integer(given.get("perPage")) or 10)),
    )
    found, _ = term_listing.listed(work, taxonomy, filters)
    items = "".join(f'<li class="wp-block-term term-{term.id}">{place.inner(term=term)}</li>' for term in found)
    return place.element("ul", items, *_layout(place, "wp-block-term-template")) if items else ""


def _term_name(place: Place) -> str:
    term = place.scene.term
    if term is None:
        return ""
    name = term.name
    if place.attributes["isLink"]:
        name = f'<a href="{address(term_store.address(place.work, term))}">{name}</a>'
    level = place.attributes["level"]
    return place.element(f"h{int(level)}" if 1 <= level <= 6 else "p", name, *aligned(place))


def _term_count(place: Place) -> str:
    term = place.scene.term
    if term is None:
        return ""
    left, right = _BRACKETS[place.attributes["bracketType"]]
    return place.element("div", f"{left}{term.count}{right}")


def _term_words(place: Place) -> str:
    term: Term | None = place.scene.term
    if term is None or not term.description:
        return ""
    return place.element("div", f"<p>{term.description}</p>", *aligned(place))


def _query_title(place: Place) -> str:
    """Return the heading of what a page lists: of a term; a text by itself lists nothing."""
    term, asked = place.scene.term, place.attributes
    taxonomy = place.work.frame.taxonomies.get(term.taxonomy) if term is not None else None
    if term is None or taxonomy is None or asked.get("type") not in (None, "archive"):
        return ""
    title = f"{taxonomy.singular}: <span>{term.name}</span>" if asked["showPrefix"] else term.name
    level = asked["level"]
    return place.element(f"h{int(level)}" if 1 <= level <= 6 else "p", title, *aligned(place))


BLOCKS: Final[Mapping[str, Maker]] = {
    "core/post-template": _template,
    "core/query": _query,
    "core/query-no-results": _no_results,
    "core/query-pagination": _pagination,
    "core/query-pagination-next": _next,
    "core/query-pagination-numbers": _page_numbers,
    "core/query-pagination-previous": _previous,
    "core/query-title": _query_title,
    "core/query-total": _total,
    "core/term-count": _term_count,
    "core/term-description": _term_words,
    "core/term-name": _term_name,
    "core/term-template": _term_template,
    "core/terms-query": _terms_query,
}
