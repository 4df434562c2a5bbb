"""Terms of every taxonomy: collection and item, derived from what the taxonomy is.

Not here: the taxonomies themselves (content/types/routes.py), the terms of a record as its member
(content/records/routes.py). Rules: facts, "Terms" and "Rules that hold for several kinds".
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from vetrina.access.roles.capabilities import may_read
from vetrina.content.records import model as record_model
from vetrina.content.terms import (
    languages as term_languages,
)
from vetrina.content.terms import (
    listing as term_listing,
)
from vetrina.content.terms import (
    rules as term_rules,
)
from vetrina.content.terms import (
    store as term_store,
)
from vetrina.content.terms.listing import ORDERS, TermFilters
from vetrina.content.terms.rules import (
    DuplicateTermSlug,
    EmptyTermName,
    InvalidParent,
    TaxonomyNotHierarchical,
    TermExists,
)
from vetrina.content.terms.store import Term
from vetrina.content.translations import language_schema
from vetrina.content.types.model import Taxonomy
from vetrina.core.unit_of_work import Frame, Work
from vetrina.kernel.errors import ApiError, Fault, Refused
from vetrina.rest import common_arguments
from vetrina.rest.call import Call, Result
from vetrina.rest.coercion import integer
from vetrina.rest.fields import EDIT, EMBED, VIEW, Array, Asked, Boolean, Field, Integer, Object, String, Untyped
from vetrina.rest.paging import page_headers
from vetrina.rest.route import CHANGE, READ, REMOVE, WRITE, Route
from vetrina.rest.serializer import CURIES, Choice, Getter, Shape, choice, link

__all__ = ["NoTrash", "TermRoutes", "TermView", "routes"]

_ALL = (VIEW, EMBED, EDIT)
_FULL = (VIEW, EDIT)


class TermUnknown(ApiError):
    """No term of this taxonomy has the number."""

    status, code = 404, "rest_term_invalid"
    message = "There is no {singular} with the number {id}."


class CannotEditHere(Refused):
    """The editing view is for those who may change the terms."""

    code = "rest_forbidden_context"
    message = "You may not see {label} in context edit; leave `context` out."


class CannotReadPost(Refused):
    """The record whose terms are asked for is not shown to this caller, or has no terms of this taxonomy."""

    code = "rest_forbidden_context"
    message = "You may not see the {label} of record {id}."


class PostUnknown(ApiError):
    """The filter `post` names no record."""

    code = "rest_post_invalid_id"
    message = "There is no record {id!r} whose terms could be listed."


class CannotCreate(Refused):
    code = "rest_cannot_create"
    message = "You may not make {label}."


class CannotUpdate(Refused):
    code = "rest_cannot_update"
    message = "You may not change this {singular}."


class CannotDelete(Refused):
    code = "rest_cannot_delete"
    message = "You may not remove this {singular}."


class NoTrash(ApiError):
    """Terms are removed for good only."""

    status, code = 501, "rest_trash_not_supported"
    message = "Terms have no trash. Send force=true to remove this one for good."


def routes(frame: Frame) -> tuple[Route, ...]:
    """Return the routes of the terms of every taxonomy of a site."""
    own = [taxonomy for taxonomy in frame.taxonomies.values() if taxonomy.room == "terms"]
    return tuple(route for taxonomy in own for route in TermRoutes(frame, taxonomy).routes())


def _no_object(value: Any, name: str, asked: Asked) -> Fault | None:
    return None if isinstance(value, (dict, list)) else Fault("", "Invalid parameter.")


_META = Object("Extra fields.", check=_no_object, alone=True)


@dataclass(slots=True)
class TermView:
    """What showing terms needs to know beside them. found: those that are shown."""

    work: Work
    taxonomy: Taxonomy
    found: Sequence[Term]
    addresses: Mapping[int, str]
    groups: dict[int, dict[str, dict[str, Any]]] | None = None

    def translations(self, term: Term) -> dict[str, dict[str, Any]]:
        """Return a term's group; the first time it is asked for those of all that are shown."""
        if self.groups is None:
            self.groups = language_schema.translations_of_terms(self.work, self.taxonomy, self.found)
        return self.groups.get(term.translations, {})


class TermRoutes:
    """The routes of one taxonomy."""

    def __init__(self, frame: Frame, taxonomy: Taxonomy) -> None:
        # Counts follow the records, and a list by record follows what it holds.
        self._kinds = (taxonomy.name, *taxonomy.types)
        self.taxonomy = taxonomy
        self.languages = frame.profile.languages
        self.words: dict[str, Any] = {"label": taxonomy.label.lower(), "singular": taxonomy.singular.lower()}
        self.types = [frame.types[name] for name in taxonomy.types if name in frame.types]
        self.shape = Shape(self._fields(), self.getters())

    def routes(self) -> tuple[Route, ...]:
        path, item = self.taxonomy.path, f"{self.taxonomy.path}/{{id}}"
        id = {"id": Integer("Number of the term.")}
        force = {"force": Boolean("Must be true: terms have no trash.", default=False)}
        return (
            Route(
                READ,
                path,
                self.listed,
                self._filters(),
                self.may_list,
                self.schema,
                batch=True,
                errors=(CannotEditHere, PostUnknown, CannotReadPost),
            ),
            Route(
                WRITE,
                path,
                self.created,
                self._members(creating=True),
                self.may_create,
                self.schema,
                batch=True,
                errors=(CannotCreate, EmptyTermName, TermExists, InvalidParent, TaxonomyNotHierarchical),
            ),
            Route(
                READ,
                item,
                self.read,
                {**id, "context": common_arguments.context()},
                self.may_see,
                self.schema,
                batch=True,
                errors=(TermUnknown, CannotEditHere),
            ),
            Route(
                CHANGE,
                item,
                self.changed,
                {**id, **self._members()},
                self.may_change,
                self.schema,
                batch=True,
                errors=(
                    TermUnknown,
                    CannotUpdate,
                    EmptyTermName,
                    DuplicateTermSlug,
                    InvalidParent,
                    TaxonomyNotHierarchical,
                ),
            ),
            Route(
                REMOVE,
                item,
                self.removed,
                {**id, **force},
                self.may_remove,
                self.schema,
                batch=True,
                errors=(TermUnknown, CannotDelete, NoTrash),
            ),
        )

    def schema(self) -> dict[str, Any]:
        """Return the schema of a term, as OPTIONS shows it."""
        return self.shape.schema("tag" if self.taxonomy.name == "post_tag" else self.taxonomy.name)

    # -- declaration

    def getters(self) -> Mapping[str, Getter]:
        """Return where each member of an answer comes from: (term, what `view` gives) -> value."""
        return _GETTERS

    def view(self, work: Work, found: Sequence[Term]) -> TermView:
        """Return what the getters need beside a term."""
        return TermView(work, self.taxonomy, found, term_store.addresses(work, found))

    def _fields(self) -> dict[str, Field]:
        fields: dict[str, Field] = {
            "id": Integer("Number of the term.", context=_ALL, readonly=True),
            "count": Integer("How many public records have the term.", context=_FULL, readonly=True),
            "description": String("What the term means, as HTML.", context=_FULL),
            "link": String("Address of the term's page.", format="uri", context=_ALL, readonly=True),
            "name": String("Name of the term, as HTML.", context=_ALL, required=True),
            "slug": String("Last part of the term's address, unique in its taxonomy.", context=_ALL),
            "taxonomy": String("Taxonomy of the term.", enum=(self.taxonomy.name,), context=_ALL, readonly=True),
        }
        if self.taxonomy.hierarchical:
            fields["parent"] = Integer("Number of the term above.", context=_FULL)
        fields["meta"] = Object("Extra fields.", context=_FULL)
        return fields | language_schema.fields(self.languages)

    def _members(self, creating: bool = False) -> dict[str, Field]:
        """Return the arguments of a write."""
        return {
            "description": String("What the term means, as HTML."),
            "name": String("Name of the term, as HTML.", required=creating),
            "slug": String("Last part of the term's address, unique in its taxonomy."),
            # Taken in where it has no meaning too, so that who sends it is told.
            "parent": Integer("Number of the term above; 0 for none.")
            if self.taxonomy.hierarchical
            else Untyped(written=False, lenient=True),
            "meta": _META,
            **language_schema.arguments(self.languages),
        }

    def _filters(self) -> dict[str, Field]:
        out: dict[str, Field] = {
            "context": common_arguments.context(),
            **common_arguments.paging(),
            "exclude": common_arguments.numbers("Leave these terms out."),
            "include": common_arguments.numbers("Only these terms."),
        }
        if not self.taxonomy.hierarchical:
            out["offset"] = Integer("How many terms to pass over.", null="keep")
        out.update(common_arguments.ordering(ORDERS, default="name", direction="asc"))
        out["hide_empty"] = Boolean("Leave out terms that no public record has.", default=False, null="keep")
        if self.taxonomy.hierarchical:
            out["parent"] = Integer("Only the terms right below this one; 0 for those at the top.", null="keep")
        out["post"] = Integer("Only the terms of this record.", default=None, null="keep")
        out["slug"] = Array("Only terms with one of these slugs.", items=String(), null="keep")
        return out

    # -- rights

    def _term(self, call: Call) -> Term:
        """Return the term that the call names. Raises TermUnknown."""
        id = call.args.get("id")
        kept: tuple[Any, Term] | None = call.kept.get("term")
        if kept is not None and kept[0] == id:
            return kept[1]
        call.work.uses(*self._kinds)
        term = term_store.by_id(call.work.tx, id) if isinstance(id, int) and id > 0 else None
        if term is None or term.taxonomy != self.taxonomy.name:
            raise TermUnknown(**self.words, id=id)
        call.kept["term"] = (id, term)
        return term

    def may_list(self, call: Call) -> None:
        """Everybody; the editing view is for those who edit such terms."""
        work: Work = call.work
        if call.args.get("context") == EDIT and not work.user.can(self.taxonomy.edit):
            raise CannotEditHere(bool(work.user), **self.words)
        post = call.args.get("post")
        if post is None and integer(call.raw.get("post", 0)) is None and call.raw["post"]:
            raise PostUnknown(id=call.raw["post"])
        if post:
            self._may_read_post(work, post)

    def _may_read_post(self, work: Work, id: int) -> None:
        found = record_model.by_id(work.tx, id)
        if found is None:
            raise PostUnknown(id=id)
        type = work.frame.types.get(found.type)
        grouped = type is not None and self.taxonomy.name in type.taxonomies
        if not grouped or type is None or not may_read(work.user, type, found):
            raise CannotReadPost(bool(work.user), **self.words, id=id)

    def may_create(self, call: Call) -> None:
        """Those who edit such terms; where terms form no tree, those who may assign them."""
        user = call.work.user
        # Tags come with writing; a tree of categories is an editor's.
        if not user.can(self.taxonomy.edit if self.taxonomy.hierarchical else self.taxonomy.assign):
            raise CannotCreate(bool(user), **self.words)

    def may_see(self, call: Call) -> None:
        """Everybody; the editing view is for those who edit such terms."""
        self._term(call)
        user = call.work.user
        if call.args.get("context") == EDIT and not user.can(self.taxonomy.edit):
            raise CannotEditHere(bool(user), **self.words)

    def may_change(self, call: Call) -> None:
        """Those who edit such terms."""
        self._term(call)
        if not call.work.user.can(self.taxonomy.edit):
            raise CannotUpdate(bool(call.work.user), **self.words)

    def may_remove(self, call: Call) -> None:
        """Those who may remove this term."""
        if not self._removable(call.work, self._term(call)):
            raise CannotDelete(bool(call.work.user), **self.words)

    def _removable(self, work: Work, term: Term) -> bool:
        """Say whether the caller may remove a term; nobody may remove the one that records fall back to."""
        return work.user.can(self.taxonomy.delete) and not self._is_default(work, term)

    def _is_default(self, work: Work, term: Term) -> bool:
        option = self.taxonomy.default_option
        return bool(option) and work.option(option) == term.id

    # -- handlers

    def listed(self, call: Call) -> Result:
        work: Work = call.work
        args = call.args
        size = args["per_page"]
        offset, page = (args["page"] - 1) * size, args["page"]
        if asked := args.get("offset"):
            offset, page = abs(asked), max(-(-asked // size), 0) + 1
        call.work.uses(*self._kinds)
        found, total = term_listing.listed(
            work,
            self.taxonomy,
            TermFilters(
                include=args["include"],
                exclude=args["exclude"],
                slugs=args.get("slug") or (),
                search=args.get("search") or "",
                parent=args.get("parent"),
                record=args["post"] or 0,
                hide_empty=args["hide_empty"],
                orderby=args["orderby"],
                descending=args["order"] == "desc",
                limit=size,
                offset=offset,
            ),
        )
        wanted = choice(call.request.raw("_fields"))
        headers, links = page_headers(call, total, size, page)
        return Result(self._presented(work, found, args["context"], wanted), headers=headers, links=links)

    def _presented(self, work: Work, found: list[Term], context: str, wanted: Choice | None) -> list[dict[str, Any]]:
        view = self.view(work, found)
        body = [self.shape.members(term, view, context, wanted) for term in found]
        if wanted is None or wanted.names_links():
            for term, members in zip(found, body, strict=True):
                members["_links"] = self._links(work, term)
        return body

    def read(self, call: Call) -> Result:
        return self._item(call, self._term(call), call.args["context"])

    def created(self, call: Call) -> Result:
        work: Work = call.work
        args = call.args
        self._refuse_parent(call)
        term = term_rules.create(
            work,
            self.taxonomy,
            args["name"],
            slug=args.get("slug") or "",
            description=args.get("description") or "",
            parent=args.get("parent") or 0,
            language=term_languages.of_new(work, self.taxonomy, args),
        )
        term = term_languages.linked(work, self.taxonomy, term, args)
        # What may be done next is asked about the editing view, which a writer of tags does not have.
        args["context"] = EDIT
        result = self._item(call, term, EDIT)
        result.status = 201
        result.headers["Location"] = work.api(f"{self.taxonomy.path}/{term.id}")
        return result

    def changed(self, call: Call) -> Result:
        term = self._term(call)
        self._refuse_parent(call)
        given = {name: call.args.get(name) for name in ("name", "slug", "description", "parent")}
        term = term_languages.placed(call.work, self.taxonomy, term, call.args)
        term = term_rules.change(call.work, self.taxonomy, term, **given)
        call.kept["term"] = (call.args["id"], term)
        call.args["context"] = EDIT
        return self._item(call, term, EDIT)

    def removed(self, call: Call) -> Result:
        work: Work = call.work
        term = self._term(call)
        if not call.args["force"]:
            raise NoTrash
        previous = self.shape.members(term, self.view(work, (term,)), EDIT)
        term_rules.remove(work, self.taxonomy, term)
        call.kept.clear()
        return Result({"deleted": True, "previous": previous})

    def _refuse_parent(self, call: Call) -> None:
        if not self.taxonomy.hierarchical and call.args.get("parent") is not None:
            raise TaxonomyNotHierarchical(taxonomy=self.taxonomy.label)

    # -- answers

    def _item(self, call: Call, term: Term, context: str) -> Result:
        work: Work = call.work
        wanted = choice(call.request.raw("_fields"))
        members = self.shape.members(term, self.view(work, (term,)), context, wanted)
        return Result(members, rels=self._links(work, term))

    def _links(self, work: Work, term: Term) -> dict[str, Any]:
        taxonomy = self.taxonomy
        collection = work.api(taxonomy.path)
        may = ["GET"]
        if work.user.can(taxonomy.edit):
            may += CHANGE
        if self._removable(work, term):
            may += REMOVE
        links: dict[str, Any] = {
            "self": [link(f"{collection}/{term.id}", targetHints={"allow": may})],
            "collection": [link(collection)],
            "about": [link(work.api(f"/cms/v2/taxonomies/{taxonomy.name}"))],
        }
        if term.parent:
            links["up"] = [link(f"{collection}/{term.parent}", embeddable=True)]
        if self.types:
            links["cms:post_type"] = [link(work.api(f"{type.path}?{taxonomy.base}={term.id}")) for type in self.types]
            links["curies"] = CURIES
        return links


_GETTERS: dict[str, Getter] = {
    "id": lambda term, view: term.id,
    "count": lambda term, view: term.count,
    "description": lambda term, view: term.description,
    "link": lambda term, view: view.addresses[term.id],
    "name": lambda term, view: term.name,
    "slug": lambda term, view: term.slug,
    "taxonomy": lambda term, view: term.taxonomy,
    "parent": lambda term, view: term.parent,
    "meta": lambda term, view: term.meta,
    **language_schema.TERM_GETTERS,
}
