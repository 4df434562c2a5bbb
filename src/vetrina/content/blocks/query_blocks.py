"""Query loops: blocks that find records or terms and render each of them with the inner blocks.

A query finds published records only. In a template it shows the page that the address names, in a content its first
one; one that inherits its query shows what the address asks for. The attributes of a query come from an editor and are
not trusted. Elements and classes as observed on public pages.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

import msgspec

from vetrina.content.blocks.block_context import BlockContext, BlockQueryResult, BlockRenderFunction
from vetrina.content.blocks.layout import build_list_layout_classes
from vetrina.content.blocks.rendering import add_classes
from vetrina.content.blocks.site_blocks import build_alignment_classes
from vetrina.content.records import listing as record_listing, permalinks
from vetrina.content.records.listing import InvalidRecordPage
from vetrina.content.records.query import RecordQuery, TermFilter
from vetrina.content.search.terms import parse_search as search_terms
from vetrina.content.terms import listing as term_listing, store as term_store
from vetrina.content.terms.listing import TermListFilters
from vetrina.content.terms.store import Term
from vetrina.content.text.class_list import build_class_list
from vetrina.content.text.media_shortcodes import escape_attribute, escape_url
from vetrina.rest.coercion import coerce_integer

_ORDERS: Final = frozenset(("author", "date", "id", "modified", "title", "menu_order"))
_MAX_PER_PAGE: Final = 100
_FLOW: Final = "is-layout-flow"
_BRACKETS: Final = {"none": ("", ""), "round": ("(", ")"), "square": ("[", "]"), "curly": ("{", "}"),
                    "angle": ("&lt;", "&gt;")}  # fmt: skip


def _render_query(place: BlockContext) -> str:
    found = _run_query(place)
    html = place.inner(found=found)
    return add_classes(html, [_FLOW, f"wp-block-query-{_FLOW}"]) if "<" in html else html


def _run_query(place: BlockContext) -> BlockQueryResult:
    """Return what the query of a block finds."""
    work, page = place.work, place.scene.page
    attributes: Mapping[str, Any] = place.attributes["query"]
    if page is not None and page.found is not None and attributes.get("inherit") is True:
        return page.found
    type = work.site.types.get(str(attributes.get("postType") or "post"))
    number = coerce_integer(place.attributes.get("queryId")) or 0
    if type is None or not type.public:
        return BlockQueryResult(RecordQuery(type="", statuses=()), (), 0, number)
    query = _build_query(place, type.name, attributes)
    if page is not None and number in page.query_pages:
        query = msgspec.structs.replace(query, page=page.query_pages[number])
    try:
        rows, total = record_listing.list_records(work, query)
    except InvalidRecordPage:
        rows, total = [], 0
    return BlockQueryResult(query, tuple(rows), total, number)


def _build_query(place: BlockContext, type: str, attributes: Mapping[str, Any]) -> RecordQuery:
    work = place.work
    inherits = attributes.get("inherit") is True
    most = work.option("posts_per_page") if inherits else attributes.get("perPage")
    query = RecordQuery(
        type=type, statuses=("publish",), per_page=max(1, min(_MAX_PER_PAGE, coerce_integer(most) or 10))
    )
    if inherits:
        return query
    filters = []
    groups = attributes.get("taxQuery")
    for name, ids in groups.items() if isinstance(groups, dict) else ():
        taxonomy = work.site.taxonomies.get(name)
        numbers = _parse_numbers(ids)
        if taxonomy is not None and numbers:
            filters.append(TermFilter(name, numbers, children=taxonomy.hierarchical))
            work.uses(name)
    sticky = {"only": True, "exclude": False}.get(str(attributes.get("sticky")))
    order, search = str(attributes.get("orderBy")), attributes.get("search")
    return msgspec.structs.replace(
        query,
        offset=coerce_integer(attributes.get("offset")) or None,
        order="asc" if str(attributes.get("order")).lower() == "asc" else "desc",
        orderby=order if order in _ORDERS else "date",
        search=search_terms(search) if isinstance(search, str) and search else None,
        exclude=_parse_numbers(attributes.get("exclude")),
        author=_parse_numbers(attributes.get("author")),
        parent=_parse_numbers(attributes.get("parents")),
        sticky=sticky,
        formats=tuple(one for one in attributes.get("format") or () if isinstance(one, str)),
        terms=tuple(filters),
    )


def _parse_numbers(value: Any) -> tuple[int, ...]:
    values = value if isinstance(value, list) else str(value).split(",") if value not in (None, "") else []
    return tuple(number for one in values if (number := coerce_integer(one)) is not None)


def _render_post_template(place: BlockContext) -> str:
    found = place.scene.found
    if found is None or not found.rows:
        return ""
    work = place.work
    types = work.site.types
    work.uses(*(name for row in found.rows for name in types[row.type].taxonomies))
    held = term_store.list_terms_by_record(work.tx, [row.id for row in found.rows])
    items = ""
    for row in found.rows:
        type = types[row.type]
        names = " ".join(["wp-block-post", *build_class_list(work.site, type, row, held[row.id])])
        items += f'<li class="{escape_attribute(names)}">{place.inner(record=row)}</li>'
    return place.element("ul", items, *build_list_layout_classes(place.attributes, "wp-block-post-template"))


def _render_no_results(place: BlockContext) -> str:
    found = place.scene.found
    if found is None or found.rows:
        return ""
    html = place.inner().strip()
    return place.element("div", html) if html else ""


def _render_total(place: BlockContext) -> str:
    found = place.scene.found
    if found is None:
        return ""
    if place.attributes["displayType"] == "range-display" and found.rows:
        first = (found.page - 1) * found.query.per_page + 1
        last = first + len(found.rows) - 1
        range = f"{first} – {last}" if last > first else str(first)
        text = place.translate("Displaying {range} of {total}").format(range=range, total=found.total)
    else:
        known = "1 result found" if found.total == 1 else "{total} results found"
        text = place.translate(known).format(total=found.total)
    return place.element("div", text)


# -- pagination


def _count_pages(result: BlockQueryResult) -> int:
    return -(-result.total // result.query.per_page)


def _build_page_url(place: BlockContext, result: BlockQueryResult, page: int) -> str:
    """Return the URL of a page of the query: of the list that the address names, or with its number in the query."""
    work, record, shown = place.work, place.scene.record, place.scene.page
    if shown is not None and result.is_main:
        return shown.build_url(page)
    type = work.site.types.get(record.type) if record is not None else None
    if type and record:
        here = permalinks.build_permalink(work, type, record)
    else:
        here = shown.build_url(shown.found.page) if shown is not None and shown.found is not None else f"{work.home()}/"
    mark = "&" if "?" in here else "?"
    return here if page == 1 else f"{here}{mark}query-{result.number}-page={page}"


def _render_pagination(place: BlockContext) -> str:
    html = place.inner()
    return place.element("nav", html, *build_list_layout_classes(place.attributes, "wp-block-query-pagination"),
                         own=f'aria-label="{place.translate("Pagination")}"') if html.strip() else ""  # fmt: skip


def _render_page_link(place: BlockContext, step: int, label: str, rel: str) -> str:
    """Return the link to the page before or after; empty where there is none."""
    found = place.scene.found
    if found is None or not 1 <= found.page + step <= _count_pages(found):
        return ""
    words = escape_attribute(str(place.attributes.get("label") or place.translate(label)))
    url = escape_url(_build_page_url(place, found, found.page + step))
    return place.element("a", words, own=f'href="{url}"{rel}')


def _render_next_link(place: BlockContext) -> str:
    return _render_page_link(place, 1, "Next Page", _format_relation(place, "next"))


def _render_previous_link(place: BlockContext) -> str:
    return _render_page_link(place, -1, "Previous Page", _format_relation(place, "prev"))


def _format_relation(place: BlockContext, relation: str) -> str:
    found = place.scene.found
    return f' rel="{relation}"' if found is not None and found.is_main else ""


def _render_page_numbers(place: BlockContext) -> str:
    found = place.scene.found
    if found is None or (last := _count_pages(found)) < 2:
        return ""
    near = max(0, min(20, int(place.attributes["midSize"])))
    return place.element(
        "div", render_page_links(found.page, last, near, lambda page: _build_page_url(place, found, page))
    )


def render_page_links(current: int, last: int, near: int, build_url: Callable[[int], str]) -> str:
    """Return the numbers of the pages of a list as links. near: how many stand on both sides of the current one."""
    parts, before = [], 0
    for page in sorted({1, last, *range(max(1, current - near), min(last, current + near) + 1)}):
        if page > before + 1:
            parts.append('<span class="page-numbers dots">&hellip;</span>')
        parts.append(
            f'<span aria-current="page" class="page-numbers current">{page}</span>'
            if page == current
            else f'<a class="page-numbers" href="{escape_url(build_url(page))}">{page}</a>'
        )
        before = page
    return "\n".join(parts)


# -- terms


def _render_terms_query(place: BlockContext) -> str:
    html = place.inner()
    return add_classes(html, [_FLOW, f"wp-block-terms-query-{_FLOW}"]) if "<" in html else html


def _render_term_template(place: BlockContext) -> str:
    work = place.work
    term_query = place.around.get("termQuery")
    given: Mapping[str, Any] = term_query if isinstance(term_query, dict) else {}
    taxonomy = work.site.taxonomies.get(str(given.get("taxonomy") or "category"))
    if taxonomy is None:
        return ""
    work.uses(taxonomy.name, *taxonomy.types)
    top = taxonomy.hierarchical and not given.get("showNested") and given.get("parent") in (None, 0, False)
    filters = TermListFilters(
        include=_parse_numbers(given.get("include")),
        parent=0 if top else None,
        hide_empty=given.get("hideEmpty", True) is not False,
        orderby=str(given.get("orderBy") or "name"),
        descending=str(given.get("order")).lower() == "desc",
        limit=max(1, min(_MAX_PER_PAGE, coerce_integer(given.get("perPage")) or 10)),
    )
    found, _ = term_listing.list_terms(work, taxonomy, filters)
    items = "".join(f'<li class="wp-block-term term-{term.id}">{place.inner(term=term)}</li>' for term in found)
    return (
        place.element("ul", items, *build_list_layout_classes(place.attributes, "wp-block-term-template"))
        if items
        else ""
    )


def _render_term_name(place: BlockContext) -> str:
    term = place.scene.term
    if term is None:
        return ""
    name = term.name
    if place.attributes["isLink"]:
        name = f'<a href="{escape_url(term_store.build_term_url(place.work, term))}">{name}</a>'
    level = place.attributes["level"]
    return place.element(f"h{int(level)}" if 1 <= level <= 6 else "p", name, *build_alignment_classes(place))


def _render_term_count(place: BlockContext) -> str:
    term = place.scene.term
    if term is None:
        return ""
    left, right = _BRACKETS[place.attributes["bracketType"]]
    return place.element("div", f"{left}{term.count}{right}")


def _render_term_description(place: BlockContext) -> str:
    term: Term | None = place.scene.term
    if term is None or not term.description:
        return ""
    return place.element("div", f"<p>{term.description}</p>", *build_alignment_classes(place))


def _render_query_title(place: BlockContext) -> str:
    """Return the heading of a list page: of a term, an author, a time or a search; a text by itself lists nothing."""
    attributes = place.attributes
    title = _build_search_title(place) if attributes.get("type") == "search" else _build_archive_title(place)
    if not title:
        return ""
    level = attributes["level"]
    return place.element(f"h{int(level)}" if 1 <= level <= 6 else "p", title, *build_alignment_classes(place))


def _build_archive_title(place: BlockContext) -> str:
    page, term = place.scene.page, place.scene.term
    if term is not None:
        taxonomy = place.work.site.taxonomies.get(term.taxonomy)
        if taxonomy is None:
            return ""
        kind = place.translate(taxonomy.singular)
        return f"{kind}: <span>{term.name}</span>" if place.attributes["showPrefix"] else term.name
    return page.title if page is not None and not page.search else ""


def _build_search_title(place: BlockContext) -> str:
    page = place.scene.page
    if page is None or not page.search:
        return ""
    return page.title if place.attributes["showSearchTerm"] else place.translate("Search results")


BLOCKS: Final[Mapping[str, BlockRenderFunction]] = {
    "core/post-template": _render_post_template,
    "core/query": _render_query,
    "core/query-no-results": _render_no_results,
    "core/query-pagination": _render_pagination,
    "core/query-pagination-next": _render_next_link,
    "core/query-pagination-numbers": _render_page_numbers,
    "core/query-pagination-previous": _render_previous_link,
    "core/query-title": _render_query_title,
    "core/query-total": _render_total,
    "core/term-count": _render_term_count,
    "core/term-description": _render_term_description,
    "core/term-name": _render_term_name,
    "core/term-template": _render_term_template,
    "core/terms-query": _render_terms_query,
}
