"""Permissions of the term routes: who may list, see, create, change and remove terms, and the errors.

Not here: the routes (content/terms/routes.py). Rules: docs/rules/terms.md, 6 and 7.
"""

from __future__ import annotations

from typing import Any

from vetrina.access.roles.capabilities import (
    may_add_terms,
    may_delete_terms,
    may_edit_any_terms,
    may_edit_terms,
    may_read_record,
)
from vetrina.content.records import model as record_model
from vetrina.content.terms import store as term_store
from vetrina.content.terms.store import Term
from vetrina.content.types.model import Taxonomy
from vetrina.core.call import Call
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel.errors import ApiError, Failure, PermissionDenied
from vetrina.rest.coercion import coerce_integer
from vetrina.rest.fields import EDIT, EMBED


class TaxonomyTermNotFound(ApiError):
    """No term of this taxonomy has the id."""

    failure, code = Failure.NOT_FOUND, "rest_term_invalid"
    message = "There is no {singular} with the number {id}."


class ForbiddenTermContext(PermissionDenied):
    """The editing view is for those who may change the terms."""

    code = "rest_forbidden_context"
    message = "You may not see {label} in context edit; leave `context` out."


class CannotReadTermsOfRecord(PermissionDenied):
    """The caller may not see the record whose terms are listed, or it has no terms of this taxonomy."""

    code = "rest_forbidden_context"
    message = "You may not see the {label} of record {id}."


class TermFilterRecordNotFound(ApiError):
    """The filter `post` names no record."""

    code = "rest_post_invalid_id"
    message = "There is no record {id!r} whose terms could be listed."


class CannotCreateTerm(PermissionDenied):
    code = "rest_cannot_create"
    message = "You may not make {label}."


class CannotUpdateTerm(PermissionDenied):
    code = "rest_cannot_update"
    message = "You may not change this {singular}."


class CannotDeleteTerm(PermissionDenied):
    code = "rest_cannot_delete"
    message = "You may not remove this {singular}."


class TermPermissions:
    """Who may call the routes of one taxonomy."""

    def __init__(self, taxonomy: Taxonomy) -> None:
        # Counts depend on the records, and so does a list by record.
        self.kinds = (taxonomy.name, *taxonomy.types)
        self.taxonomy = taxonomy
        self.words: dict[str, Any] = {"label": taxonomy.label.lower(), "singular": taxonomy.singular.lower()}

    def get_term(self, call: Call) -> Term:
        """Return the term that the call addresses. Raises TaxonomyTermNotFound."""
        id = call.args.get("id")
        kept: tuple[Any, Term] | None = call.lookups.get("term")
        if kept is not None and kept[0] == id:
            return kept[1]
        work = call.work
        work.uses_items(self.taxonomy.name, (id,) if isinstance(id, int) else ())
        work.uses(*self.list_counted_kinds(call))
        term = term_store.find_term(work.tx, id) if isinstance(id, int) and id > 0 else None
        if term is None or term.taxonomy != self.taxonomy.name:
            raise TaxonomyTermNotFound(**self.words, id=id)
        call.lookups["term"] = (id, term)
        return term

    def list_counted_kinds(self, call: Call) -> tuple[str, ...]:
        """Return the kinds of the records that a response counts: terms tell how many have them, unless embedded."""
        return () if call.args.get("context") == EMBED else tuple(self.taxonomy.types)

    def require_list_permission(self, call: Call) -> None:
        """Everybody; the editing view is for those who edit such terms."""
        work = call.work
        if call.args.get("context") == EDIT and not may_edit_any_terms(work.user, self.taxonomy):
            raise ForbiddenTermContext(bool(work.user), **self.words)
        post = call.args.get("post")
        if post is None and coerce_integer(call.raw.get("post", 0)) is None and call.raw["post"]:
            raise TermFilterRecordNotFound(id=call.raw["post"])
        if post:
            self._require_record_permission(work, post)

    def _require_record_permission(self, work: UnitOfWork, id: int) -> None:
        found = record_model.find_record(work.tx, id)
        if found is None:
            raise TermFilterRecordNotFound(id=id)
        type = work.site.types.get(found.type)
        grouped = type is not None and self.taxonomy.name in type.taxonomies
        if (
            not grouped
            or type is None
            or not (work.is_previewed("record", id) or may_read_record(work.user, type, found))
        ):
            raise CannotReadTermsOfRecord(bool(work.user), **self.words, id=id)
        work.uses_items(found.type, (id,))

    def require_create_permission(self, call: Call) -> None:
        """Those who edit such terms; where terms form no tree, those who may assign them."""
        user = call.work.user
        # Everybody who writes may make tags; a tree of categories is for editors.
        language = call.args.get("lang") or call.work.language
        if not may_add_terms(user, self.taxonomy, language, as_tree=self.taxonomy.hierarchical):
            raise CannotCreateTerm(bool(user), **self.words)

    def require_read_permission(self, call: Call) -> None:
        """Everybody; the editing view is for those who edit such terms."""
        term, user = self.get_term(call), call.work.user
        if call.args.get("context") == EDIT and not may_edit_terms(user, self.taxonomy, term.language):
            raise ForbiddenTermContext(bool(user), **self.words)

    def require_update_permission(self, call: Call) -> None:
        """Those who edit such terms."""
        term, user = self.get_term(call), call.work.user
        languages = (term.language, call.args.get("lang") or term.language)
        if not all(may_edit_terms(user, self.taxonomy, language) for language in languages):
            raise CannotUpdateTerm(bool(user), **self.words)

    def require_delete_permission(self, call: Call) -> None:
        """Those who may remove this term."""
        if not self.may_delete_term(call.work, self.get_term(call)):
            raise CannotDeleteTerm(bool(call.work.user), **self.words)

    def may_delete_term(self, work: UnitOfWork, term: Term) -> bool:
        """Return whether the caller may delete a term; nobody may delete the default one of records."""
        return may_delete_terms(work.user, self.taxonomy, term.language) and not self._is_default_term(work, term)

    def _is_default_term(self, work: UnitOfWork, term: Term) -> bool:
        option = self.taxonomy.default_option
        return bool(option) and work.option(option) == term.id
