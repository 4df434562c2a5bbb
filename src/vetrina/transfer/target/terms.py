"""Terms of the source: those that have the slug here already are found again, the others are made."""

from __future__ import annotations

from sqlalchemy import bindparam, select

from vetrina.backends.database import Statement
from vetrina.backends.tables.terms import term as table
from vetrina.content.menus import rules as menus
from vetrina.content.terms import rules as term_rules, store as term_store, translations as term_translations
from vetrina.content.terms.store import Term
from vetrina.content.translations.modes import build_element_name
from vetrina.content.translations.record_translations import LanguageTaken
from vetrina.content.types.model import Taxonomy
from vetrina.content.types.registry import MENU
from vetrina.kernel import slugs

from .extra_fields import merge_term_fields
from .incoming_record import ANOTHER_TRANSLATION, IncomingRecord
from .journal import TERM
from .outcome import Written

_BY_SLUG = Statement(
    select(table.c.id).where(
        table.c.taxonomy == bindparam("taxonomy"),
        table.c.language == bindparam("language"),
        table.c.slug == bindparam("slug"),
    )
)


def write_term(one: IncomingRecord, taxonomy: Taxonomy) -> Written:
    """Write a term. Raises EmptyTermName, TermExists, DuplicateTermSlug, RecordSkipped."""
    work = one.work
    language = one.choose_language(build_element_name(taxonomy))
    slug = slugs.slugify(one.get_text("slug"))
    parent = one.resolve(TERM, one.values.get("parent"), "parent") if taxonomy.hierarchical else 0
    old = _find_old(one, taxonomy)
    if old is None and slug:
        found = work.tx.value(_BY_SLUG, taxonomy=taxonomy.name, language=language, slug=slug)
        if found is not None:
            return Written(int(found), adopted=True)
    name, description = one.get_text("name"), one.get_text("description")
    meta = merge_term_fields(one, taxonomy, old.meta if old else {})
    if old is not None:
        own = None if slug == old.slug else slug
        changed = term_rules.update_term(
            work, taxonomy, old, name=name, slug=own, description=description, parent=parent, meta=meta
        )
        return Written(_link_translations(one, changed).id)
    new = term_rules.create_term(
        work, taxonomy, name, slug=slug, description=description, parent=parent, language=language, meta=meta,
        id=one.choose_id(lambda id: term_store.find_term(work.tx, id) is not None),
    )  # fmt: skip
    return Written(_link_translations(one, new).id)


def write_menu(one: IncomingRecord) -> Written:
    """Write a menu with its places. Raises what `write_term` raises."""
    written = write_term(one, MENU)
    menu = term_store.find_term(one.work.tx, written.target)
    assert menu is not None, "it was just written"
    places = [place for place in one.list_ids("locations") if place in one.work.site.profile.menu_locations]
    if places:
        menus.set_menu_locations(one.work, menu, places)
    if one.values.get("auto_add"):
        menus.set_auto_add(one.work, menu, True)
    return written


def _find_old(one: IncomingRecord, taxonomy: Taxonomy) -> Term | None:
    """Return the term that is written again: that of an earlier run, or the default one that every site begins with."""
    work = one.work
    old = term_store.find_term(work.tx, one.target) if one.target else None
    if old is None and one.keep_ids and taxonomy.default_option and work.option(taxonomy.default_option) == one.own_id:
        old = term_store.find_term(work.tx, one.own_id)
    return old if old is not None and old.taxonomy == taxonomy.name else None


def _link_translations(one: IncomingRecord, new: Term) -> Term:
    """Put a term into the group of those of its translations that have come."""
    for other in one.list_translations(TERM):
        found = term_store.find_term(one.work.tx, other)
        if found is None or (found.taxonomy, found.translations) == (new.taxonomy, new.translations):
            continue
        if found.taxonomy == new.taxonomy and found.language != new.language:
            try:
                return term_translations.join_term_group(one.work, new, found.translations, one.source_language)
            except LanguageTaken:
                one.notes[ANOTHER_TRANSLATION] += 1
    return new
