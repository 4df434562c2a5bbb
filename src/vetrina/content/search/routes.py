"""The search over the whole site: records, terms and formats of posts, in one form.

Not here: what is found (content/search/rules.py). Rules: facts, "Search".
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from vetrina.content.records import ancestry, permalinks
from vetrina.content.records.model import Record
from vetrina.content.records.views import methods
from vetrina.content.search import rules as site_search
from vetrina.content.search.rules import FORMATS, Search
from vetrina.content.terms import store as term_store
from vetrina.content.terms.store import Term
from vetrina.core.unit_of_work import Frame, Work
from vetrina.rest import common_arguments
from vetrina.rest.call import Call, Result
from vetrina.rest.fields import EMBED, VIEW, AnyOf, Array, Field, Integer, String
from vetrina.rest.paging import page_headers
from vetrina.rest.route import CHANGE, READ, REMOVE, Route, anyone
from vetrina.rest.serializer import Shape, choice, link

__all__ = ["routes"]

_PATH = "/cms/v2/search"
_BOTH = (VIEW, EMBED)
_ANY = "any"


class Found(NamedTuple):
    """One thing that was found. id: a number, or the name of a format. subtype: of records only."""

    id: int | str
    title: str
    url: str
    type: str
    subtype: str | None
    links: Mapping[str, Any]


_FIELDS: dict[str, Field] = {
    "id": AnyOf("Number of what was found, or the name of a format.", (Integer(), String()), context=_BOTH,
                readonly=True),
    "title": String("Title or name, as HTML.", context=_BOTH, readonly=True),
    "url": String("Address of its page.", format="uri", context=_BOTH, readonly=True),
    "type": String("`post` for records, `post-format`, or the taxonomy of a term.", context=_BOTH, readonly=True),
    "subtype": String("Type of a record.", context=_BOTH, readonly=True),
}  # fmt: skip
_SHAPE = Shape(
    _FIELDS,
    {
        "id": lambda found, view: found.id,
        "title": lambda found, view: found.title,
        "url": lambda found, view: found.url,
        "type": lambda found, view: found.type,
        "subtype": lambda found, view: found.subtype,
    },
)


def routes(frame: Frame) -> tuple[Route, ...]:
    """Return the route of the search."""
    types = [type.name for type in frame.types.values() if type.searched]
    taxonomies = [one.name for one in frame.taxonomies.values() if one.directory and one.described]
    args: dict[str, Field] = {
        "context": common_arguments.context(VIEW, EMBED),
        **common_arguments.paging(),
        "type": String("What kind of thing is looked for.", enum=tuple(_KINDS), default="post", null="keep"),
        "subtype": Array(
            "Only records of these types, or terms of these taxonomies.",
            items=String(enum=(*types, *taxonomies, _ANY)),
            default=_ANY,
            null="keep",
        ),
        "exclude": common_arguments.numbers("None of these numbers."),
        "include": common_arguments.numbers("Only these numbers."),
    }
    return (Route(READ, _PATH, _searched, args, anyone, _schema),)


def _schema() -> dict[str, Any]:
    return _SHAPE.schema("search-result")


def _searched(call: Call) -> Result:
    """Search records, terms and post formats together, a page at a time."""
    work: Work = call.work
    args = call.args
    kind, closed = args["type"], _closed(call)
    search = Search(
        text=args.get("search") or "",
        kinds=_kinds(args["subtype"], [name for name in _KINDS[kind].known(work) if name not in closed]),
        include=_numbers(args["include"]),
        exclude=_numbers(args["exclude"]),
        page=args["page"],
        per_page=args["per_page"],
    )
    found, total = _KINDS[kind].look(work, search)
    wanted = choice(call.request.raw("_fields"))
    with_links = wanted is None or wanted.names_links()
    body = []
    for one in found:
        members = _SHAPE.members(one, None, args["context"], wanted)
        if one.subtype is None:
            members.pop("subtype", None)
        if with_links:
            members["_links"] = {**one.links, "collection": [link(work.api(_PATH))]}
        body.append(members)
    headers, pages = page_headers(call, total, search.per_page, search.page)
    return Result(body, headers=headers, links=pages)


def _kinds(asked: Sequence[str], known: Sequence[str]) -> tuple[str, ...]:
    """Return the kinds that are looked for; those of another type are passed over, and none means all."""
    return tuple(name for name in known if name in asked) or tuple(known)


def _closed(call: Call) -> frozenset[str]:
    """Return the kinds that are not there for a caller yet: those of a shop that is not open."""
    work: Work = call.work
    if "shop" not in work.frame.profile.modules:
        return frozenset()
    from vetrina.shop.admin import coming_soon  # a site without a shop loads nothing of it

    return coming_soon.hidden_kinds(work, work.user, call.request)


def _numbers(values: Sequence[int]) -> tuple[int, ...]:
    return tuple(dict.fromkeys(abs(value) for value in values))


# -- what each kind of search finds


def _records(work: Work, search: Search) -> tuple[list[Found], int]:
    found, total = site_search.records(work, search)
    types = work.frame.types
    above = ancestry.trails(work.tx, [one.parent for one in found if types[one.type].hierarchical])

    def shown(one: Record) -> Found:
        type = types[one.type]
        href = work.api(f"{type.path}/{one.id}")
        links = {
            "self": [link(href, embeddable=True, targetHints={"allow": methods(work, type, one)})],
            "about": [link(work.api(f"/cms/v2/types/{type.name}"))],
        }
        url = permalinks.link(work, type, one, above.get(one.parent) if one.parent else [])
        return Found(one.id, one.title_html, url, "post", type.name, links)

    return [shown(one) for one in found], total


def _terms(work: Work, search: Search) -> tuple[list[Found], int]:
    found, total = site_search.terms(work, search)
    addresses = term_store.addresses(work, found)

    def shown(term: Term) -> Found:
        taxonomy = work.frame.taxonomies[term.taxonomy]
        may = ["GET"]
        if work.user.can(taxonomy.edit):
            may += CHANGE
        fallback = bool(taxonomy.default_option) and work.option(taxonomy.default_option) == term.id
        if work.user.can(taxonomy.delete) and not fallback:
            may += REMOVE
        links = {
            "self": [link(work.api(f"{taxonomy.path}/{term.id}"), embeddable=True, targetHints={"allow": may})],
            "about": [link(work.api(f"/cms/v2/taxonomies/{taxonomy.name}"))],
        }
        return Found(term.id, term.name, addresses[term.id], taxonomy.name, None, links)

    return [shown(term) for term in found], total


def _formats(work: Work, search: Search) -> tuple[list[Found], int]:
    found, total = site_search.formats(work, search)
    home = work.home()
    return [Found(name, FORMATS[name], f"{home}/type/{name}/", "post-format", None, {}) for name in found], total


class _Kind(NamedTuple):
    """A kind of search: the subtypes that it knows, and how it looks."""

    known: Callable[[Work], Sequence[str]]
    look: Callable[[Work, Search], tuple[list[Found], int]]


_KINDS = {
    "post": _Kind(lambda work: list(site_search.searched_types(work)), _records),
    "term": _Kind(lambda work: list(site_search.searched_taxonomies(work)), _terms),
    "post-format": _Kind(lambda work: [], _formats),
}
