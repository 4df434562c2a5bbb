"""The route of the search over the whole site: records, terms and post formats, in one form.

Not here: the search (content/search/rules.py). Rules: docs/rules/lists.md, 13.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from vetrina.access.roles.capabilities import may_delete_terms, may_edit_terms
from vetrina.content.records import ancestry, permalinks
from vetrina.content.records.model import Record
from vetrina.content.records.views import list_allowed_methods
from vetrina.content.search import rules as site_search
from vetrina.content.search.rules import FORMAT_LABELS, SiteSearchQuery
from vetrina.content.terms import store as term_store
from vetrina.content.terms.store import Term
from vetrina.core.call import Call
from vetrina.core.site_context import SiteContext
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.rest import common_arguments
from vetrina.rest.fields import EMBED, VIEW, AnyOf, Array, Field, Integer, String
from vetrina.rest.resource import Links, ListPage, Operation, Resource
from vetrina.rest.route import CHANGE, REMOVE, Route
from vetrina.rest.serializer import Serializer, build_link, read_attributes

_PATH = "/cms/v2/search"
_BOTH = (VIEW, EMBED)
_ANY = "any"


class SearchResult(NamedTuple):
    """A result. id: an integer, or the name of a format. subtype: of records only."""

    id: int | str
    title: str
    url: str
    type: str
    subtype: str | None
    links: Links


_FIELDS: dict[str, Field] = {
    "id": AnyOf("Number of what was found, or the name of a format.", (Integer(), String()), context=_BOTH,
                readonly=True),
    "title": String("Title or name, as HTML.", context=_BOTH, readonly=True),
    "url": String("Address of its page.", format="uri", context=_BOTH, readonly=True),
    "type": String("`post` for records, `post-format`, or the taxonomy of a term.", context=_BOTH, readonly=True),
    "subtype": String("Type of a record.", context=_BOTH, readonly=True, optional=True),
}  # fmt: skip
_SERIALIZER = Serializer(
    _FIELDS,
    read_attributes("id", "title", "url", "type", "subtype"),
)


def build_routes(site: SiteContext) -> tuple[Route, ...]:
    """Return the route of the search."""
    types = [type.name for type in site.types.values() if type.is_searched]
    taxonomies = [one.name for one in site.taxonomies.values() if one.directory and one.described]
    args: dict[str, Field] = {
        "context": common_arguments.build_context_argument(VIEW, EMBED),
        **common_arguments.build_paging_arguments(),
        "type": String("What kind of thing is looked for.", enum=tuple(_KINDS), default="post", null="keep"),
        "subtype": Array(
            "Only records of these types, or terms of these taxonomies.",
            items=String(enum=(*types, *taxonomies, _ANY)),
            default=_ANY,
            null="keep",
        ),
        "exclude": common_arguments.build_number_list("None of these numbers."),
        "include": common_arguments.build_number_list("Only these numbers."),
    }
    results = Resource(
        title="search-result",
        path=_PATH,
        serializer=_SERIALIZER,
        finish=_remove_empty_subtypes,
        build_links=_build_links,
        list=Operation(
            _search_site, args=args, summary="Search records, terms and post formats together, a page at a time."
        ),
    )
    return results.build_routes()


def _search_site(call: Call) -> ListPage[SearchResult]:
    work, args = call.work, call.args
    kind, closed = args["type"], _list_hidden_kinds(call)
    known = [name for name in _KINDS[kind].known(work) if name not in closed]
    search = SiteSearchQuery(
        text=args.get("search") or "", kinds=site_search.select_kinds(args["subtype"], known),
        include=_normalize_ids(args["include"]), exclude=_normalize_ids(args["exclude"]), page=args["page"],
        per_page=args["per_page"],
    )  # fmt: skip
    return ListPage(*_KINDS[kind].look(work, search))


def _remove_empty_subtypes(call: Call, found: Sequence[SearchResult], bodies: Sequence[dict[str, Any]]) -> None:
    for one, body in zip(found, bodies, strict=True):
        if one.subtype is None:
            body.pop("subtype", None)


def _build_links(call: Call, found: SearchResult) -> Links:
    return {**found.links, "collection": [build_link(call.work.api(_PATH))]}


def _list_hidden_kinds(call: Call) -> frozenset[str]:
    """Return the subtypes that the caller may not see yet: those of a shop that is not open."""
    work, gate = call.work, call.work.site.gate
    return gate.list_hidden_types(work, work.user, call.request) if gate is not None else frozenset()


def _normalize_ids(values: Sequence[int]) -> tuple[int, ...]:
    return tuple(dict.fromkeys(abs(value) for value in values))


# -- the results of each kind of search


def _search_records(work: UnitOfWork, search: SiteSearchQuery) -> tuple[list[SearchResult], int]:
    found, total = site_search.search_site_records(work, search)
    types = work.site.types
    above = ancestry.load_ancestor_trails(work, [one.parent for one in found if types[one.type].hierarchical])

    def shown(one: Record) -> SearchResult:
        type = types[one.type]
        href = work.api(f"{type.path}/{one.id}")
        links: Links = {
            "self": [build_link(href, embeddable=True, targetHints={"allow": list_allowed_methods(work, type, one)})],
            "about": [build_link(work.api(f"/cms/v2/types/{type.name}"))],
        }
        url = permalinks.build_permalink(work, type, one, above.get(one.parent) if one.parent else [])
        return SearchResult(one.id, one.title_html, url, "post", type.name, links)

    return [shown(one) for one in found], total


def _search_terms(work: UnitOfWork, search: SiteSearchQuery) -> tuple[list[SearchResult], int]:
    found, total = site_search.search_site_terms(work, search)
    addresses = term_store.build_term_urls(work, found)

    def shown(term: Term) -> SearchResult:
        taxonomy = work.site.taxonomies[term.taxonomy]
        may = ["GET"]
        if may_edit_terms(work.user, taxonomy, term.language):
            may += CHANGE
        fallback = bool(taxonomy.default_option) and work.option(taxonomy.default_option) == term.id
        if may_delete_terms(work.user, taxonomy, term.language) and not fallback:
            may += REMOVE
        links: Links = {
            "self": [build_link(work.api(f"{taxonomy.path}/{term.id}"), embeddable=True, targetHints={"allow": may})],
            "about": [build_link(work.api(f"/cms/v2/taxonomies/{taxonomy.name}"))],
        }
        return SearchResult(term.id, term.name, addresses[term.id], taxonomy.name, None, links)

    return [shown(term) for term in found], total


def _search_formats(work: UnitOfWork, search: SiteSearchQuery) -> tuple[list[SearchResult], int]:
    found, total = site_search.search_site_formats(work, search)
    home = work.home()
    return [
        SearchResult(name, FORMAT_LABELS[name], f"{home}/type/{name}/", "post-format", None, {}) for name in found
    ], total


class _SearchHandler(NamedTuple):
    """A kind of search: its subtypes, and the function that searches."""

    known: Callable[[UnitOfWork], Sequence[str]]
    look: Callable[[UnitOfWork, SiteSearchQuery], tuple[list[SearchResult], int]]


_KINDS = {
    "post": _SearchHandler(lambda work: list(site_search.list_searched_types(work)), _search_records),
    "term": _SearchHandler(lambda work: list(site_search.list_searched_taxonomies(work)), _search_terms),
    "post-format": _SearchHandler(lambda work: [], _search_formats),
}
