"""Rules of terms: create, change and delete them, and their slugs.

Not here: which records have a term (content/terms/store.py), permissions (content/terms/permissions.py).
Rules: docs/rules/terms.md, 2 to 5; names are unique below one parent in one language, slugs in a whole taxonomy and
language.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
from sqlalchemy import bindparam, delete, exists, insert, select, update

from vetrina.backends.database import Statement
from vetrina.backends.id_sequences import claim_id
from vetrina.backends.tables.terms import record_term, term as table
from vetrina.content.menus import item_links
from vetrina.content.redirects import term_moves
from vetrina.content.seo.fields import merge_seo_fields
from vetrina.content.terms import translations
from vetrina.content.terms.store import (
    STORE,
    Term,
    build_name_key,
    build_term_url,
    find_term,
    list_descendant_ids,
    recount_terms,
)
from vetrina.content.text import sanitizing
from vetrina.content.translations.modes import TranslationMode, build_element_name, get_translation_mode
from vetrina.content.types.model import Taxonomy
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel import slugs
from vetrina.kernel.errors import ApiError


class EmptyTermName(ApiError):
    """The name is empty without tags and blanks around it."""

    code = "empty_term_name"
    message = "A term needs a name; tags and blanks alone are none."


class TermExists(ApiError):
    """The name is taken below the same parent; the response names the term that has it."""

    code = "term_exists"
    message = "The name {name!r} is taken by term {term_id}. Use that term, or send a slug of its own."

    def __init__(self, name: str, term_id: int) -> None:
        super().__init__(name=name, term_id=term_id, data={"term_id": term_id})
        self._term_id = term_id

    def body(self) -> dict[str, Any]:
        # Clients read the id from either member, and the second one has it twice.
        return {**super().body(), "additional_data": [self._term_id, self._term_id]}


class DuplicateTermSlug(ApiError):
    """A change sets the slug of another term."""

    code = "duplicate_term_slug"
    message = "The slug {slug!r} is that of term {owner}. Send another slug."


class InvalidTermParent(ApiError):
    """The parent is not a term of this taxonomy."""

    code = "rest_term_invalid"
    message = "There is no term {parent} that could be the parent. Send a term of the same taxonomy, or 0."


class TaxonomyNotHierarchical(ApiError):
    """Terms of this taxonomy have no parents."""

    code = "rest_taxonomy_not_hierarchical"
    message = "Terms of {taxonomy} cannot have a parent. Leave `parent` out."


_NAMESAKES = Statement(
    select(table.c.id, table.c.name, table.c.slug)
    .where(
        table.c.taxonomy == bindparam("taxonomy"),
        table.c.language == bindparam("language"),
        table.c.name_key == bindparam("name_key"),
        table.c.parent == bindparam("parent"),
    )
    .order_by(table.c.id)
)
_OWNER = Statement(
    select(table.c.id, table.c.parent).where(
        table.c.taxonomy == bindparam("taxonomy"),
        table.c.language == bindparam("language"),
        table.c.slug == bindparam("slug"),
    )
)
_SLUGS_FROM = Statement(
    select(table.c.slug).where(
        table.c.taxonomy == bindparam("taxonomy"),
        table.c.language == bindparam("language"),
        table.c.slug >= bindparam("first"),
        table.c.slug < bindparam("last"),
    )
)
_MOVE_UP = Statement(
    update(table)
    .where(table.c.taxonomy == bindparam("of_taxonomy"), table.c.parent == bindparam("gone"))
    .values(parent=bindparam("above"))
)
_COPIES = ("type", "status", "language", "date")
_other = record_term.alias("other")
_FALL_BACK = Statement(
    insert(record_term).from_select(
        ["record", "term", *_COPIES],
        select(
            record_term.c.record,
            bindparam("fallback", literal_execute=False).label("term"),
            *(record_term.c[name] for name in _COPIES),
        ).where(
            record_term.c.term == bindparam("gone"),
            ~exists()
            .select_from(_other.join(table, table.c.id == _other.c.term))
            .where(
                _other.c.record == record_term.c.record,
                _other.c.term != bindparam("gone"),
                table.c.taxonomy == bindparam("taxonomy"),
            ),
        ),
    )
)
_UNASSIGN_ALL = Statement(delete(record_term).where(record_term.c.term == bindparam("gone")))

_SUFFIX = 10  # characters at the end of a slug, for a number


def create_term(
    work: UnitOfWork,
    taxonomy: Taxonomy,
    name: str,
    *,
    slug: str = "",
    description: str = "",
    parent: int = 0,
    language: str = "",
    meta: dict[str, Any] | None = None,
    id: int = 0,
) -> Term:
    """Create a term.

    slug: empty to make one from the name. parent: 0 for the top level. language: that of the work by default; terms of
    a taxonomy that is not translated have the site's. meta: the stored values of its own fields.
    id: a free one that it takes, 0 for the next one. Raises EmptyTermName, InvalidTermParent, TermExists.
    """
    language = language or work.language
    if _is_shared(work, taxonomy):
        language = work.site.profile.default_language
    name = _validate_name(name)
    _check_parent(work, taxonomy, parent)
    own = slugs.slugify(slug)
    wanted = own or slugs.slugify(name)
    _refuse_namesake(work, taxonomy, language, name, parent, own, wanted)
    id = claim_id(work.tx, id, "term")
    term = Term(
        id=id, taxonomy=taxonomy.name, language=language, translations=id, name=name,
        slug=find_free_term_slug(work, taxonomy, language, wanted or str(id), parent),
        description=sanitizing.sanitize_term_description(description), parent=parent, count=0,
        meta=meta or {},
    )  # fmt: skip
    STORE.insert(work.tx, term)
    work.note(taxonomy.name, id, "created")
    return term


def update_term(
    work: UnitOfWork,
    taxonomy: Taxonomy,
    term: Term,
    *,
    name: str | None = None,
    slug: str | None = None,
    description: str | None = None,
    parent: int | None = None,
    meta: dict[str, Any] | None = None,
) -> Term:
    """Change what is not None and return the new state of the term.

    slug: an empty one is made from the name again. parent: the term itself or a descendant means the top level.
    meta: the stored values of its own fields. Raises EmptyTermName, InvalidTermParent, DuplicateTermSlug.
    """
    if (name, slug, description, parent, meta) == (None, None, None, None, None):
        return term
    new_name = term.name if name is None else _validate_name(name)
    new_parent = term.parent
    if parent is not None:
        _check_parent(work, taxonomy, parent)
        new_parent = 0 if parent in list_descendant_ids(work.tx, taxonomy.name, (term.id,)) else parent
    new_slug = term.slug
    if slug is not None:
        new_slug = _resolve_changed_slug(work, taxonomy, term, slugs.slugify(slug), new_name, new_parent)
    new_description = term.description if description is None else sanitizing.sanitize_term_description(description)
    new = msgspec.structs.replace(
        term, name=new_name, slug=new_slug, description=new_description, parent=new_parent,
        meta=term.meta if meta is None else meta,
    )  # fmt: skip
    moves = (new.slug, new.parent) != (term.slug, term.parent) and _has_page(work, taxonomy)
    link = build_term_url(work, term) if moves else ""
    STORE.update(work.tx, term, new)
    work.note(taxonomy.name, term.id, "changed")
    if moves:
        term_moves.remember_old_term_address(work, link, build_term_url(work, new), shared=_is_shared(work, taxonomy))
    return new


def _has_page(work: UnitOfWork, taxonomy: Taxonomy) -> bool:
    # Values of a shop's attributes have no page of their own.
    return bool(taxonomy.directory) and taxonomy.name in work.site.taxonomies


def _is_shared(work: UnitOfWork, taxonomy: Taxonomy) -> bool:
    """Return whether the terms of a taxonomy are the same in all languages."""
    return get_translation_mode(work, build_element_name(taxonomy)) is TranslationMode.NOT_TRANSLATED


def save_term_seo(work: UnitOfWork, taxonomy: Taxonomy, term: Term, given: Mapping[str, Any]) -> Term:
    """Store what search engines are told of a term and return its new state. Raises InvalidParam."""
    new = msgspec.structs.replace(term, meta=merge_seo_fields(work, term.meta, given))
    if STORE.update(work.tx, term, new):
        work.note(taxonomy.name, term.id, "changed")
    return new


def delete_term(work: UnitOfWork, taxonomy: Taxonomy, term: Term) -> None:
    """Delete a term for good: its children move up, records left without any get the default term.

    Its translations are deleted too where they go together.
    """
    together: list[Term] = []
    if work.option("translation_removes_terms"):
        kept = work.option(taxonomy.default_option) if taxonomy.default_option else 0
        together = [one for one in translations.load_term_group(work, term).values() if one.id not in (term.id, kept)]
    _delete_one(work, taxonomy, term)
    for one in together:
        _delete_one(work, taxonomy, one)


def _delete_one(work: UnitOfWork, taxonomy: Taxonomy, term: Term) -> None:
    tx = work.tx
    before = None
    if _has_page(work, taxonomy):
        before = {"link": build_term_url(work, term), "lang": term.language, "transition": "removed"}
        term_moves.forget_term_addresses(work, before["link"], shared=_is_shared(work, taxonomy))
    tx.run(_MOVE_UP, of_taxonomy=taxonomy.name, gone=term.id, above=term.parent)
    fallback = find_term(tx, work.option(taxonomy.default_option)) if taxonomy.default_option else None
    moved = 0
    if fallback is not None and fallback.id != term.id:
        moved = tx.run_and_count(_FALL_BACK, gone=term.id, fallback=fallback.id, taxonomy=taxonomy.name)
    tx.run(_UNASSIGN_ALL, gone=term.id)
    item_links.delete_items_of_original(work, "taxonomy", term.id)
    STORE.delete(tx, term.id)
    translations.promote_next_original_term(work, term)
    if fallback is not None and moved:
        recount_terms(work, (fallback.id,))
    work.note(taxonomy.name, term.id, "removed", before)
    work.describe(taxonomy.name, term.id, term.name)


def _validate_name(name: str) -> str:
    stored = sanitizing.sanitize_term_name(name)
    if not stored:
        raise EmptyTermName
    return stored


def _check_parent(work: UnitOfWork, taxonomy: Taxonomy, parent: int) -> None:
    if parent:
        above = find_term(work.tx, parent)
        if above is None or above.taxonomy != taxonomy.name:
            raise InvalidTermParent(parent=parent)


def _refuse_namesake(
    work: UnitOfWork, taxonomy: Taxonomy, language: str, name: str, parent: int, own: str, wanted: str
) -> None:
    """Raise TermExists for a term with the name of another one, unless it has a free slug of its own."""
    rows = work.tx.all(
        _NAMESAKES, taxonomy=taxonomy.name, language=language, name_key=build_name_key(name), parent=parent
    )
    # The key has no accents either, but "più" and "piu" are different names.
    same = [row for row in rows if row[1].casefold() == name.casefold()]
    if not same:
        return
    if own and own not in {row[2] for row in same}:
        owner = work.tx.first(_OWNER, taxonomy=taxonomy.name, language=language, slug=wanted)
        if owner is None or (taxonomy.hierarchical and owner[1] != parent):
            return
    raise TermExists(name, same[0][0])


def _resolve_changed_slug(work: UnitOfWork, taxonomy: Taxonomy, term: Term, own: str, name: str, parent: int) -> str:
    wanted = own or slugs.slugify(name) or str(term.id)
    if wanted == term.slug:
        return wanted
    owner = work.tx.first(_OWNER, taxonomy=taxonomy.name, language=term.language, slug=wanted)
    if owner is None:
        return wanted
    if own and parent == term.parent:
        raise DuplicateTermSlug(slug=wanted, owner=owner[0])
    return find_free_term_slug(work, taxonomy, term.language, wanted, parent, term.slug)


def find_free_term_slug(
    work: UnitOfWork, taxonomy: Taxonomy, language: str, slug: str, parent: int, kept: str = ""
) -> str:
    """Return the first free one of: the slug, the slug with those of its ancestors, the slug with a number."""

    def free(candidate: str) -> bool:
        owner = work.tx.first(_OWNER, taxonomy=taxonomy.name, language=language, slug=candidate)
        return owner is None or candidate == kept

    if free(slug):
        return slug
    passed: set[int] = set()
    while taxonomy.hierarchical and parent and parent not in passed:
        passed.add(parent)
        above = find_term(work.tx, parent)
        if above is None:
            break
        slug, parent = slugs.shorten_slug(f"{slug}-{above.slug}", slugs.MAX_SLUG_BYTES), above.parent
        if free(slug):
            return slug
    # One query for all slugs with this start: with a hundred terms of one slug it would take a hundred otherwise.
    first = slugs.shorten_slug(slug, slugs.MAX_SLUG_BYTES - _SUFFIX)
    rows = work.tx.all(_SLUGS_FROM, taxonomy=taxonomy.name, language=language, first=first, last=first + "\x7f")
    taken = {row[0] for row in rows} - {kept}
    return slugs.find_free_slug(slug, (taken | {slug}).__contains__)
