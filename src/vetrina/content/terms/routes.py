"""Routes of the terms of every taxonomy: collection and item, derived from the taxonomy.

Not here: permissions (content/terms/permissions.py), the taxonomies themselves (content/types/routes.py), the terms of
a record as its member (content/records/routes.py). Rules: docs/rules/terms.md, 1 and 6; docs/rules/kinds.md, 1 and 7.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from vetrina.content.terms import (
    languages as term_languages,
    listing as term_listing,
    rules as term_rules,
    store as term_store,
)
from vetrina.content.terms.listing import TERM_ORDERS, TermListFilters
from vetrina.content.terms.permissions import (
    CannotCreateTerm,
    CannotDeleteTerm,
    CannotReadTermsOfRecord,
    CannotUpdateTerm,
    ForbiddenTermContext,
    TaxonomyTermNotFound,
    TermFilterRecordNotFound,
    TermPermissions,
)
from vetrina.content.terms.rules import (
    DuplicateTermSlug,
    EmptyTermName,
    InvalidTermParent,
    TaxonomyNotHierarchical,
    TermExists,
)
from vetrina.content.terms.store import Term
from vetrina.content.translations import language_schema
from vetrina.content.types.model import Taxonomy
from vetrina.core.call import Call
from vetrina.core.unit_of_work import SiteContext, UnitOfWork
from vetrina.kernel.errors import ApiError, Failure, Fault
from vetrina.rest import common_arguments
from vetrina.rest.call import Result
from vetrina.rest.fields import (
    EDIT,
    EMBED,
    VIEW,
    Array,
    Boolean,
    Field,
    Integer,
    Object,
    String,
    Untyped,
    ValidationContext,
)
from vetrina.rest.paging import build_page_headers
from vetrina.rest.route import CHANGE, READ, REMOVE, WRITE, Route
from vetrina.rest.serializer import CURIES, FieldSelection, MemberGetter, Serializer, build_link, parse_field_selection

__all__ = ["TermRoutes", "TermTrashUnsupported", "TermView", "build_routes"]

_ALL = (VIEW, EMBED, EDIT)
_FULL = (VIEW, EDIT)


class TermTrashUnsupported(ApiError):
    """Terms can only be removed for good."""

    failure, code = Failure.NOT_IMPLEMENTED, "rest_trash_not_supported"
    message = "Terms have no trash. Send force=true to remove this one for good."


def build_routes(frame: SiteContext) -> tuple[Route, ...]:
    """Return the routes of the terms of every taxonomy of a site."""
    own = [taxonomy for taxonomy in frame.taxonomies.values() if taxonomy.room == "terms"]
    return tuple(route for taxonomy in own for route in TermRoutes(frame, taxonomy).build_routes())


def _check_object(value: Any, name: str, context: ValidationContext) -> Fault | None:
    return None if isinstance(value, (dict, list)) else Fault("", "Invalid parameter.")


_META = Object("Extra fields.", check=_check_object, alone=True)


@dataclass(slots=True)
class TermView:
    """What serializing terms needs besides them. found: those that are shown."""

    work: UnitOfWork
    taxonomy: Taxonomy
    found: Sequence[Term]
    addresses: Mapping[int, str]
    groups: dict[int, dict[str, dict[str, Any]]] | None = None

    def get_translations(self, term: Term) -> dict[str, dict[str, Any]]:
        """Return a term's translation group; the first call loads those of all shown terms."""
        if self.groups is None:
            self.groups = language_schema.build_term_translations(self.work, self.taxonomy, self.found)
        return self.groups.get(term.translations, {})


class TermRoutes(TermPermissions):
    """The routes of one taxonomy."""

    def __init__(self, frame: SiteContext, taxonomy: Taxonomy) -> None:
        super().__init__(taxonomy)
        self.languages = frame.profile.languages
        self.types = [frame.types[name] for name in taxonomy.types if name in frame.types]
        self.serializer = Serializer(self._build_fields(), self.build_getters())

    def build_routes(self) -> tuple[Route, ...]:
        path, item = self.taxonomy.path, f"{self.taxonomy.path}/{{id}}"
        id = {"id": Integer("Number of the term.")}
        force = {"force": Boolean("Must be true: terms have no trash.", default=False)}
        return (
            Route(
                READ,
                path,
                self.list_terms,
                self._build_list_arguments(),
                self.require_list_permission,
                self.build_schema,
                batch=True,
                errors=(ForbiddenTermContext, TermFilterRecordNotFound, CannotReadTermsOfRecord),
            ),
            Route(
                WRITE,
                path,
                self.create_term,
                self._build_write_arguments(creating=True),
                self.require_create_permission,
                self.build_schema,
                batch=True,
                errors=(CannotCreateTerm, EmptyTermName, TermExists, InvalidTermParent, TaxonomyNotHierarchical),
            ),
            Route(
                READ,
                item,
                self.read_term,
                {**id, "context": common_arguments.build_context_argument()},
                self.require_read_permission,
                self.build_schema,
                batch=True,
                errors=(TaxonomyTermNotFound, ForbiddenTermContext),
            ),
            Route(
                CHANGE,
                item,
                self.update_term,
                {**id, **self._build_write_arguments()},
                self.require_update_permission,
                self.build_schema,
                batch=True,
                errors=(
                    TaxonomyTermNotFound,
                    CannotUpdateTerm,
                    EmptyTermName,
                    DuplicateTermSlug,
                    InvalidTermParent,
                    TaxonomyNotHierarchical,
                ),
            ),
            Route(
                REMOVE,
                item,
                self.delete_term,
                {**id, **force},
                self.require_delete_permission,
                self.build_schema,
                batch=True,
                errors=(TaxonomyTermNotFound, CannotDeleteTerm, TermTrashUnsupported),
            ),
        )

    def build_schema(self) -> dict[str, Any]:
        """Return the schema of a term, as in the response to OPTIONS."""
        return self.serializer.schema("tag" if self.taxonomy.name == "post_tag" else self.taxonomy.name)

    # -- declarations

    def build_getters(self) -> Mapping[str, MemberGetter]:
        """Return the getter of each member of a response: (term, view) -> value."""
        return _GETTERS

    def build_view(self, work: UnitOfWork, found: Sequence[Term]) -> TermView:
        """Return what the getters need besides a term."""
        return TermView(work, self.taxonomy, found, term_store.build_term_urls(work, found))

    def _build_fields(self) -> dict[str, Field]:
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
        return fields | language_schema.build_language_fields(self.languages)

    def _build_write_arguments(self, creating: bool = False) -> dict[str, Field]:
        """Return the arguments of a write."""
        return {
            "description": String("What the term means, as HTML."),
            "name": String("Name of the term, as HTML.", required=creating),
            "slug": String("Last part of the term's address, unique in its taxonomy."),
            # Accepted for flat taxonomies too, so that a client that sends it gets an error.
            "parent": Integer("Number of the term above; 0 for none.")
            if self.taxonomy.hierarchical
            else Untyped(written=False, lenient=True),
            "meta": _META,
            **language_schema.build_language_arguments(self.languages),
        }

    def _build_list_arguments(self) -> dict[str, Field]:
        out: dict[str, Field] = {
            "context": common_arguments.build_context_argument(),
            **common_arguments.build_paging_arguments(),
            "exclude": common_arguments.build_number_list("Leave these terms out."),
            "include": common_arguments.build_number_list("Only these terms."),
        }
        if not self.taxonomy.hierarchical:
            out["offset"] = Integer("How many terms to pass over.", null="keep")
        out.update(common_arguments.build_ordering_arguments(TERM_ORDERS, default="name", direction="asc"))
        out["hide_empty"] = Boolean("Leave out terms that no public record has.", default=False, null="keep")
        if self.taxonomy.hierarchical:
            out["parent"] = Integer("Only the terms right below this one; 0 for those at the top.", null="keep")
        out["post"] = Integer("Only the terms of this record.", default=None, null="keep")
        out["slug"] = Array("Only terms with one of these slugs.", items=String(), null="keep")
        return out

    # -- handlers

    def list_terms(self, call: Call) -> Result:
        work = call.work
        args = call.args
        size = args["per_page"]
        offset, page = (args["page"] - 1) * size, args["page"]
        if given_offset := args.get("offset"):
            offset, page = abs(given_offset), max(-(-given_offset // size), 0) + 1
        call.work.uses(*self.kinds)
        found, total = term_listing.list_terms(
            work,
            self.taxonomy,
            TermListFilters(
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
        wanted = parse_field_selection(call.request.raw("_fields"))
        headers, links = build_page_headers(call, total, size, page)
        return Result(self._serialize_terms(work, found, args["context"], wanted), headers=headers, links=links)

    def _serialize_terms(
        self, work: UnitOfWork, found: list[Term], context: str, wanted: FieldSelection | None
    ) -> list[dict[str, Any]]:
        view = self.build_view(work, found)
        body = [self.serializer.serialize(term, view, context, wanted) for term in found]
        if wanted is None or wanted.has_links():
            for term, members in zip(found, body, strict=True):
                members["_links"] = self._build_links(work, term)
        return body

    def read_term(self, call: Call) -> Result:
        return self._build_term_result(call, self.get_term(call), call.args["context"])

    def create_term(self, call: Call) -> Result:
        work = call.work
        args = call.args
        self._check_parent(call)
        term = term_rules.create_term(
            work,
            self.taxonomy,
            args["name"],
            slug=args.get("slug") or "",
            description=args.get("description") or "",
            parent=args.get("parent") or 0,
            language=term_languages.choose_term_language(work, self.taxonomy, args),
        )
        term = term_languages.link_term(work, self.taxonomy, term, args)
        # `Allow` is computed for the editing view, which those who may only add tags do not have.
        args["context"] = EDIT
        result = self._build_term_result(call, term, EDIT)
        result.status = 201
        result.headers["Location"] = work.api(f"{self.taxonomy.path}/{term.id}")
        return result

    def update_term(self, call: Call) -> Result:
        term = self.get_term(call)
        self._check_parent(call)
        given = {name: call.args.get(name) for name in ("name", "slug", "description", "parent")}
        term = term_languages.apply_term_language(call.work, self.taxonomy, term, call.args)
        term = term_rules.update_term(call.work, self.taxonomy, term, **given)
        call.lookups["term"] = (call.args["id"], term)
        call.args["context"] = EDIT
        return self._build_term_result(call, term, EDIT)

    def delete_term(self, call: Call) -> Result:
        work = call.work
        term = self.get_term(call)
        if not call.args["force"]:
            raise TermTrashUnsupported
        previous = self.serializer.serialize(term, self.build_view(work, (term,)), EDIT)
        term_rules.delete_term(work, self.taxonomy, term)
        call.lookups.clear()
        return Result({"deleted": True, "previous": previous})

    def _check_parent(self, call: Call) -> None:
        if not self.taxonomy.hierarchical and call.args.get("parent") is not None:
            raise TaxonomyNotHierarchical(taxonomy=self.taxonomy.label)

    # -- responses

    def _build_term_result(self, call: Call, term: Term, context: str) -> Result:
        work = call.work
        wanted = parse_field_selection(call.request.raw("_fields"))
        members = self.serializer.serialize(term, self.build_view(work, (term,)), context, wanted)
        return Result(members, rels=self._build_links(work, term))

    def _build_links(self, work: UnitOfWork, term: Term) -> dict[str, Any]:
        taxonomy = self.taxonomy
        collection = work.api(taxonomy.path)
        may = ["GET"]
        if work.user.can(taxonomy.edit):
            may += CHANGE
        if self.may_delete_term(work, term):
            may += REMOVE
        links: dict[str, Any] = {
            "self": [build_link(f"{collection}/{term.id}", targetHints={"allow": may})],
            "collection": [build_link(collection)],
            "about": [build_link(work.api(f"/cms/v2/taxonomies/{taxonomy.name}"))],
        }
        if term.parent:
            links["up"] = [build_link(f"{collection}/{term.parent}", embeddable=True)]
        if self.types:
            links["cms:post_type"] = [
                build_link(work.api(f"{type.path}?{taxonomy.base}={term.id}")) for type in self.types
            ]
            links["curies"] = CURIES
        return links


_GETTERS: dict[str, MemberGetter] = {
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
