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
from vetrina.kernel.errors import Fault
from vetrina.rest import common_arguments
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
)  # fmt: skip
from vetrina.rest.paging import compute_page_offset
from vetrina.rest.resource import Links, ListPage, Operation, Resource, TrashUnsupported
from vetrina.rest.route import CHANGE, REMOVE, Route
from vetrina.rest.serializer import CURIES, MemberGetter, Serializer, build_link, read_attributes

_ALL = (VIEW, EMBED, EDIT)
_FULL = (VIEW, EDIT)


def build_routes(site: SiteContext) -> tuple[Route, ...]:
    """Return the routes of the terms of every taxonomy of a site."""
    own = [taxonomy for taxonomy in site.taxonomies.values() if taxonomy.room == "terms"]
    return tuple(route for taxonomy in own for route in TermRoutes(site, taxonomy).build_routes())


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

    def __init__(self, site: SiteContext, taxonomy: Taxonomy) -> None:
        super().__init__(taxonomy)
        self.languages = site.profile.languages
        self.types = [site.types[name] for name in taxonomy.types if name in site.types]

    def build_routes(self) -> tuple[Route, ...]:
        """Return the routes of the terms."""
        return self.build_resource().build_routes()

    def build_resource(self) -> Resource[Term]:
        """Return the terms as a resource."""
        of = self.taxonomy
        return Resource(
            title="tag" if of.name == "post_tag" else of.name,
            path=of.path,
            key={"id": Integer("Number of the term.")},
            serializer=Serializer(self._build_fields(), self.build_getters()),
            load_view=self.load_view,
            find=self.get_term,
            force=Boolean("Must be true: terms have no trash.", default=False),
            trash_unsupported=TrashUnsupported,
            deleted="previous",
            batch=True,
            build_links=self.build_links,
            list=Operation(
                self.list_terms, self.require_list_permission, self._build_list_arguments(),
                (ForbiddenTermContext, TermFilterRecordNotFound, CannotReadTermsOfRecord),
            ),
            create=Operation(
                self.create_term, self.require_create_permission, self._build_write_arguments(creating=True),
                (CannotCreateTerm, EmptyTermName, TermExists, InvalidTermParent, TaxonomyNotHierarchical),
            ),
            read=Operation(
                self.get_term, self.require_read_permission, errors=(TaxonomyTermNotFound, ForbiddenTermContext)
            ),
            update=Operation(
                self.update_term, self.require_update_permission, self._build_write_arguments(),
                (
                    TaxonomyTermNotFound, CannotUpdateTerm, EmptyTermName, DuplicateTermSlug, InvalidTermParent,
                    TaxonomyNotHierarchical,
                ),
            ),
            delete=Operation(
                self.delete_term, self.require_delete_permission, errors=(TaxonomyTermNotFound, CannotDeleteTerm)
            ),
        )  # fmt: skip

    # -- declarations

    def build_getters(self) -> Mapping[str, MemberGetter]:
        """Return the getter of each member of a response: (term, view) -> value."""
        return _GETTERS

    def load_view(self, call: Call, found: Sequence[Term]) -> TermView:
        """Return what the getters need besides a term."""
        return TermView(call.work, self.taxonomy, found, term_store.build_term_urls(call.work, found))

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

    # -- what the routes do

    def list_terms(self, call: Call) -> ListPage[Term]:
        args = call.args
        size, number = args["per_page"], args["page"]
        if given_offset := args.get("offset"):
            number = max(-(-given_offset // size), 0) + 1
        filters = TermListFilters(
            include=args["include"], exclude=args["exclude"], slugs=args.get("slug") or (),
            search=args.get("search") or "", parent=args.get("parent"), record=args["post"] or 0,
            hide_empty=args["hide_empty"], orderby=args["orderby"], descending=args["order"] == "desc", limit=size,
            offset=compute_page_offset(args, zero_counts=False),
        )  # fmt: skip
        found, total = term_listing.list_terms(call.work, self.taxonomy, filters)
        if filters.is_of_record_alone and total == len(found):
            # Whatever gives a record other terms changes the record, which the permission has recorded.
            call.work.uses_items(self.taxonomy.name, (term.id for term in found))
            call.work.uses(*self.list_counted_kinds(call))
        else:
            call.work.uses(*self.kinds)
        return ListPage(found, total, number)

    def create_term(self, call: Call) -> Term:
        work, args = call.work, call.args
        self.check_parent(call)
        term = term_rules.create_term(
            work, self.taxonomy, args["name"], slug=args.get("slug") or "", description=args.get("description") or "",
            parent=args.get("parent") or 0, language=term_languages.choose_term_language(work, self.taxonomy, args),
        )  # fmt: skip
        term = term_languages.link_term(work, self.taxonomy, term, args)
        # `Allow` is computed for the editing view, which those who may only add tags do not have.
        args["context"] = EDIT
        return term

    def update_term(self, call: Call, term: Term) -> Term:
        self.check_parent(call)
        given = {name: call.args.get(name) for name in ("name", "slug", "description", "parent")}
        term = term_languages.apply_term_language(call.work, self.taxonomy, term, call.args)
        term = term_rules.update_term(call.work, self.taxonomy, term, **given)
        call.lookups["term"] = (call.args["id"], term)
        call.args["context"] = EDIT
        return term

    def delete_term(self, call: Call, term: Term) -> None:
        term_rules.delete_term(call.work, self.taxonomy, term)
        call.lookups.clear()

    def check_parent(self, call: Call) -> None:
        """Raise TaxonomyNotHierarchical for a parent in a taxonomy without a tree."""
        if not self.taxonomy.hierarchical and call.args.get("parent") is not None:
            raise TaxonomyNotHierarchical(taxonomy=self.taxonomy.label)

    def build_links(self, call: Call, term: Term) -> Links:
        """Return the links of a term."""
        work, taxonomy = call.work, self.taxonomy
        collection = work.api(taxonomy.path)
        may = ["GET"]
        if work.user.can(taxonomy.edit):
            may += CHANGE
        if self.may_delete_term(work, term):
            may += REMOVE
        links: Links = {
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
    **read_attributes("id", "count", "description", "name", "slug", "taxonomy", "parent", "meta"),
    "link": lambda term, view: view.addresses[term.id],
    **language_schema.TERM_GETTERS,
}
