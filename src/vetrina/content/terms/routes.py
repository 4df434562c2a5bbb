"""Routes of the terms of every taxonomy: collection and item, derived from the taxonomy.

Not here: permissions (content/terms/permissions.py), the taxonomies themselves (content/types/routes.py), the terms of
a record as its member (content/records/routes.py). Rules: docs/rules/terms.md, 1 and 6; docs/rules/kinds.md, 1 and 7;
docs/rules/custom_fields.md, 8.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec

from vetrina.access.roles.capabilities import may_edit_terms
from vetrina.content.custom_fields import (
    field_values,
    reference_links,
    schema as custom_field_schema,
    views as custom_field_views,
)
from vetrina.content.records.views import load_share_images
from vetrina.content.seo.computed import ShareImage
from vetrina.content.seo.fields import get_seo_fields
from vetrina.content.seo.schema import SEO_FIELD, build_seo_argument, serialize_seo
from vetrina.content.seo.site_image import get_site_image_id
from vetrina.content.seo.term_seo import compute_term_seo
from vetrina.content.terms import (
    listing as term_listing,
    rules as term_rules,
    saved_language as term_language,
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
from vetrina.content.translations import language_schema, shared_custom_fields
from vetrina.content.translations.modes import build_element_name, list_configured_fields
from vetrina.content.types.model import Taxonomy
from vetrina.core.call import Call
from vetrina.core.site_context import SiteContext
from vetrina.core.unit_of_work import UnitOfWork
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
)  # fmt: skip
from vetrina.rest.paging import compute_page_offset
from vetrina.rest.preconditions import WriteGuard, build_state_word
from vetrina.rest.resource import Links, ListPage, Operation, Resource, TrashUnsupported
from vetrina.rest.route import CHANGE, REMOVE, Route
from vetrina.rest.serializer import CURIES, MemberGetter, RequestedMember, Serializer, build_link, read_attributes

_ALL = (VIEW, EMBED, EDIT)
_FULL = (VIEW, EDIT)


def compute_term_state(term: Term, view: object) -> str:
    """Return the state of a term: what a write could overwrite, and neither its count nor its translations."""
    return build_state_word(term.id, msgspec.structs.replace(term, count=0, translations=0))


def build_routes(site: SiteContext) -> tuple[Route, ...]:
    """Return the routes of the terms of every taxonomy of a site."""
    own = [taxonomy for taxonomy in site.taxonomies.values() if taxonomy.room == "terms"]
    return tuple(route for taxonomy in own for route in TermRoutes(site, taxonomy).build_routes())


_META = Object("Extra fields.", check=custom_field_schema.check_object, alone=True)


@dataclass(slots=True)
class TermView:
    """What serializing terms needs besides them. found: those that are shown."""

    work: UnitOfWork
    taxonomy: Taxonomy
    found: Sequence[Term]
    addresses: Mapping[int, str]
    context: str = VIEW
    groups: dict[int, dict[str, dict[str, Any]]] | None = None
    images: Mapping[int, ShareImage] | None = None

    def get_seo(self, term: Term) -> dict[str, Any]:
        """Return what search engines are told of a term; the first call loads the images of all shown terms."""
        if self.images is None:
            self.work.uses("attachment")
            wanted = {get_site_image_id(self.work), *(get_seo_fields(one.meta).image for one in self.found)} - {0}
            self.images = load_share_images(self.work, sorted(wanted)) if wanted else {}
        computed = compute_term_seo(self.work, term, self.addresses[term.id], self.images)
        return serialize_seo(get_seo_fields(term.meta), computed)

    def serialize_own_fields(self, term: Term) -> dict[str, Any]:
        """Return the values of the site's own fields of a term."""
        fields = self.work.site.custom_fields.get(self.taxonomy.name, ())
        return custom_field_views.serialize_field_values(self.work, fields, term.meta, self.context)

    def serialize_meta(self, term: Term) -> dict[str, Any]:
        """Return the fields of a term that the translation configuration knows, and the site's own.

        Of terms that another subject keeps its own values of, everything.
        """
        if self.taxonomy.room != "terms" or not (term.meta or self.taxonomy.name in self.work.site.custom_fields):
            return term.meta
        configured = list_configured_fields(self.work, build_element_name(self.taxonomy))
        stored = {name: term.meta[name] for name in configured if name in term.meta}
        return {**stored, **self.serialize_own_fields(term)}

    def get_translations(self, term: Term) -> dict[str, dict[str, Any]]:
        """Return a term's translation group; the first call loads those of all shown terms."""
        if self.groups is None:
            self.groups = language_schema.build_term_translations(self.work, self.taxonomy, self.found)
        return self.groups.get(term.translations, {})


class TermRoutes(TermPermissions):
    """The routes of one taxonomy. links_tell_state: as `WriteGuard.in_links`."""

    links_tell_state = True

    def __init__(self, site: SiteContext, taxonomy: Taxonomy) -> None:
        super().__init__(taxonomy)
        self.site, self.languages = site, site.profile.languages
        # A taxonomy whose terms have no page has nothing to tell search engines.
        self.has_seo, self.shows_seo = bool(taxonomy.directory), bool(taxonomy.directory) and site.profile.seo
        self.types = [site.types[name] for name in taxonomy.types if name in site.types]

    def build_routes(self) -> tuple[Route, ...]:
        """Return the routes of the terms."""
        return self.build_resource().build_routes()

    def build_resource(self) -> Resource[Term]:
        """Return the terms as a resource."""
        of = self.taxonomy
        serializer = self._build_serializer()
        return Resource(
            title="tag" if of.name == "post_tag" else of.name,
            path=of.path,
            key={"id": Integer("Number of the term.")},
            serializer=serializer,
            response_fields=serializer.build_response_fields(),
            load_view=self.load_view,
            find=self.get_term,
            guard=WriteGuard(self.compute_state, context=EDIT, in_links=self.links_tell_state),
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
        urls = term_store.build_term_urls(call.work, found)
        return TermView(call.work, self.taxonomy, found, urls, call.args.get("context") or VIEW)

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
        fields = custom_field_schema.add_field_members(self.site, self.taxonomy.name, fields)
        if self.shows_seo:
            fields["seo"] = SEO_FIELD
        return fields | language_schema.build_language_fields(self.languages)

    def _build_serializer(self) -> Serializer:
        fields, getters = self._build_fields(), self.build_getters()
        asked = self.has_seo and "seo" not in fields
        return Serializer(
            fields, getters, requested={"seo": RequestedMember(SEO_FIELD, getters["seo"])} if asked else None
        )

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
            **custom_field_schema.build_field_arguments(self.site, self.taxonomy.name),
            **({"seo": build_seo_argument(declared=self.shows_seo)} if self.has_seo else {}),
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
        return out | language_schema.build_untranslated_argument(self.languages)

    # -- what the routes do

    def list_terms(self, call: Call) -> ListPage[Term]:
        args = call.args
        size, number = args["per_page"], args["page"]
        if given_offset := args.get("offset"):
            number = max(-(-given_offset // size), 0) + 1
        filters = TermListFilters(
            include=args["include"], exclude=args["exclude"], slugs=args.get("slug") or (),
            search=args.get("search") or "", parent=args.get("parent"), record=args["post"] or 0,
            hide_empty=args["hide_empty"], untranslated_in=args.get("untranslated_in") or "",
            orderby=args["orderby"], descending=args["order"] == "desc", limit=size,
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
            parent=args.get("parent") or 0, language=term_language.choose_term_language(work, self.taxonomy, args),
            meta=self._merge_own_fields(call, None),
        )  # fmt: skip
        meta = term.meta
        term = self._share_own_fields(call, term_language.link_term(work, self.taxonomy, term, args), meta)
        term = self._save_seo(call, term)
        # `Allow` is computed for the editing view, which those who may only add tags do not have.
        args["context"] = EDIT
        return term

    def update_term(self, call: Call, term: Term) -> Term:
        self.check_parent(call)
        given = {name: call.args.get(name) for name in ("name", "slug", "description", "parent")}
        term = term_language.apply_term_language(call.work, self.taxonomy, term, call.args)
        meta = self._merge_own_fields(call, term)
        term = term_rules.update_term(call.work, self.taxonomy, term, **given, meta=meta)
        term = self._save_seo(call, self._share_own_fields(call, term, term.meta))
        call.lookups["term"] = (call.args["id"], term)
        call.args["context"] = EDIT
        return term

    def _merge_own_fields(self, call: Call, term: Term | None) -> dict[str, Any] | None:
        """Return the stored values of own fields after a write; None where nothing changes."""
        if self.taxonomy.name not in self.site.custom_fields:
            return None
        stored, written = term.meta if term is not None else {}, self._extract_own_fields(call)
        meta = field_values.merge_owned_values(call.work, self.taxonomy.name, stored, written, creating=term is None)
        return None if meta == stored else meta

    def _share_own_fields(self, call: Call, term: Term, meta: Mapping[str, Any]) -> Term:
        """Write the values that all translations share to those of a term."""
        if self.taxonomy.name not in self.site.custom_fields:
            return term
        named = field_values.collect_given_values(self._extract_own_fields(call))
        values = shared_custom_fields.select_shared_values(call.work, self.taxonomy.name, meta, named)
        return shared_custom_fields.spread_term_values(call.work, term, values)

    def _extract_own_fields(self, call: Call) -> dict[str, Any]:
        return {name: call.args[name] for name in field_values.MEMBERS if name in call.args.given_names}

    def delete_term(self, call: Call, term: Term) -> None:
        term_rules.delete_term(call.work, self.taxonomy, term)
        call.lookups.clear()

    def _save_seo(self, call: Call, term: Term) -> Term:
        """Store what the client wrote for search engines, and return the new state of the term."""
        given = call.args.get("seo") if self.has_seo and "seo" in call.args.given_names else None
        return term_rules.save_term_seo(call.work, self.taxonomy, term, given) if isinstance(given, dict) else term

    def check_parent(self, call: Call) -> None:
        """Raise TaxonomyNotHierarchical for a parent in a taxonomy without a tree."""
        if not self.taxonomy.hierarchical and call.args.get("parent") is not None:
            raise TaxonomyNotHierarchical(taxonomy=self.taxonomy.label)

    def compute_state(self, term: Term, view: Any) -> str:
        """Return the state of a term."""
        return compute_term_state(term, view)

    def build_links(self, call: Call, term: Term) -> Links:
        """Return the links of a term."""
        work, taxonomy = call.work, self.taxonomy
        collection = work.api(taxonomy.path)
        may = ["GET"]
        if may_edit_terms(work.user, taxonomy, term.language):
            may += CHANGE
        if self.may_delete_term(work, term):
            may += REMOVE
        links: Links = {
            "self": [build_link(f"{collection}/{term.id}", targetHints={"allow": may})],
            "collection": [build_link(collection)],
            "about": [build_link(work.api(f"/cms/v2/taxonomies/{taxonomy.name}"))],
        }
        own = self.site.custom_fields.get(taxonomy.name, ())
        links.update(reference_links.build_reference_links(work, own, term.meta))
        if term.parent:
            links["up"] = [build_link(f"{collection}/{term.parent}", embeddable=True)]
        if self.types:
            links["cms:post_type"] = [
                build_link(work.api(f"{type.path}?{taxonomy.base}={term.id}")) for type in self.types
            ]
            links["curies"] = CURIES
        return links


_GETTERS: dict[str, MemberGetter] = {
    **read_attributes("id", "count", "description", "name", "slug", "taxonomy", "parent"),
    "meta": lambda term, view: view.serialize_meta(term),
    "ext": lambda term, view: view.serialize_own_fields(term),
    "seo": lambda term, view: view.get_seo(term),
    "link": lambda term, view: view.addresses[term.id],
    **language_schema.TERM_GETTERS,
}
