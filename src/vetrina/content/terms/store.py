"""Terms: reading them, assigning them to records, counting their use, the URLs of their pages.

Not here: writing terms (content/terms/rules.py), lists with filters (content/terms/listing.py), permissions
(content/terms/permissions.py). Rules: docs/rules/terms.md, 1; docs/rules/records.md, 10; the terms of a record are in
the order of their folded names.
"""

from __future__ import annotations

import html
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import msgspec
from sqlalchemy import bindparam, delete, exists, func, insert, select, update

from vetrina.backends.database import Statement, Transaction
from vetrina.backends.id_sequences import allocate_id
from vetrina.backends.statement_cache import InList, encode_list
from vetrina.backends.store import JSON_OBJECT, Store
from vetrina.backends.tables.records import record
from vetrina.backends.tables.terms import record_term, term as table
from vetrina.content.translations.modes import TranslationMode, build_element_name, get_translation_mode
from vetrina.content.types.model import Taxonomy
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel.folding import build_sort_key

if TYPE_CHECKING:
    from vetrina.content.records.model import Record


class Term(msgspec.Struct, frozen=True):
    """One term of a taxonomy.

    language, translations: its language, and the id of its translation group. name, description: as in responses.
    slug: unique in its taxonomy and language. parent: id of the term above, 0 at the top. count: of its public records.
    source_language: what it was translated from, "" for the original of its group (content/terms/translations.py).
    """

    id: int
    taxonomy: str
    language: str
    translations: int
    name: str
    slug: str
    description: str
    parent: int
    count: int
    meta: dict[str, Any]
    source_language: str = ""


def build_name_key(name: str) -> str:
    """Return the form in which a stored name is sorted, searched and compared."""
    return build_sort_key(html.unescape(name))


STORE = Store(
    table,
    Term,
    {"meta": JSON_OBJECT},
    compute=lambda term: {"name_key": build_name_key(term.name)},
    compute_from=("name",),
)
TERM_COLUMNS, row_to_term = STORE.columns, STORE.of_row

_OF_RECORDS = Statement(
    select(record_term.c.record, *TERM_COLUMNS)
    .join(table, table.c.id == record_term.c.term)
    .where(InList(record_term.c.record, "records"))
    .order_by(record_term.c.record, table.c.name_key, table.c.id)
)
_SELECT_KNOWN = Statement(
    select(*TERM_COLUMNS).where(InList(table.c.id, "ids"), table.c.taxonomy == bindparam("taxonomy"))
)
_SELECT_ASSIGNED = Statement(
    select(record_term.c.term)
    .join(table, table.c.id == record_term.c.term)
    .where(record_term.c.record == bindparam("record"), table.c.taxonomy == bindparam("taxonomy"))
)
_UNASSIGN = Statement(
    delete(record_term).where(record_term.c.record == bindparam("record"), InList(record_term.c.term, "ids"))
)
_ASSIGN = Statement(
    insert(record_term).from_select(
        ["record", "term", "type", "status", "language", "date"],
        select(record.c.id, table.c.id, record.c.type, record.c.status, record.c.language, record.c.date)
        .select_from(record.join(table, table.c.id == bindparam("term")))
        .where(record.c.id == bindparam("record")),
    )
)
_ASSIGN_NEW = Statement(
    insert(record_term).values({column.name: bindparam(column.name) for column in record_term.c}).inline()
)
_COUNT_NEW = Statement(
    update(table).where(table.c.id == bindparam("of")).values(count=table.c.count + bindparam("more"))
)
_RECOUNT = Statement(
    update(table)
    .where(InList(table.c.id, "ids"))
    .values(
        count=select(func.count())
        .select_from(record_term)
        .where(record_term.c.term == table.c.id, record_term.c.status == "publish")
        .scalar_subquery()
    )
)
_COUNT_ONE_MORE = Statement(
    update(table)
    .where(
        InList(table.c.id, "ids"),
        exists().where(record.c.id == bindparam("record"), record.c.status == "publish"),
    )
    .values(count=table.c.count + 1)
)


def _select_descendants() -> Any:
    start = select(table.c.id).where(table.c.taxonomy == bindparam("taxonomy"), InList(table.c.parent, "ids"))
    found = start.cte("beneath", recursive=True)
    further = select(table.c.id).where(table.c.taxonomy == bindparam("taxonomy"), table.c.parent == found.c.id)
    # UNION, not UNION ALL: a cycle in imported data would never end.
    return select(found.union(further).c.id)


def _select_ancestors() -> Any:
    start = select(table.c.id, table.c.slug, table.c.parent).where(InList(table.c.id, "ids"))
    found = start.cte("above", recursive=True)
    further = select(table.c.id, table.c.slug, table.c.parent).where(table.c.id == found.c.parent)
    whole = found.union(further)
    return select(whole.c.id, whole.c.slug, whole.c.parent)


_SELECT_BENEATH = Statement(_select_descendants())
_SELECT_ABOVE = Statement(_select_ancestors())
_LAST_ID = Statement(select(func.max(table.c.id)))


def find_term(tx: Transaction, id: int) -> Term | None:
    """Return a term of any taxonomy and language."""
    return STORE.find(tx, id)


def find_terms(tx: Transaction, ids: Sequence[int]) -> dict[int, Term]:
    """Return the terms with these ids, of any taxonomy and language, by id."""
    return STORE.load_by_ids(tx, ids) if ids else {}


def list_terms_by_record(tx: Transaction, ids: Sequence[int]) -> dict[int, list[Term]]:
    """Return the terms of each record in the order of their names, all taxonomies together; every record has a list."""
    found: dict[int, list[Term]] = {id: [] for id in ids}
    if found:
        for row in tx.all(_OF_RECORDS, records=encode_list(found)):
            found[row[0]].append(row_to_term(row[1:]))
    return found


def expect_terms_by_record(tx: Transaction, ids: Sequence[int]) -> None:
    """Have the terms of records read with what is asked of the database next."""
    tx.expect(_OF_RECORDS, records=encode_list(dict.fromkeys(ids)))


def expect_known_terms(tx: Transaction, taxonomy: Taxonomy, ids: Sequence[int]) -> None:
    """Have it looked up with what is asked of the database next which of some terms `assign_terms` can assign."""
    if any(tx.recall(table, id) is None for id in ids):
        tx.expect(_SELECT_KNOWN, ids=encode_list(ids), taxonomy=taxonomy.name)


def assign_terms(work: UnitOfWork, record_id: int, taxonomy: Taxonomy, ids: Sequence[int]) -> bool:
    """Set the terms of a record in a taxonomy and return whether that changed anything.

    ids: unknown ones and those of another taxonomy are ignored; the language does not matter.
    """
    tx = work.tx
    wanted = {term.id for term in _load_known_terms(tx, taxonomy, ids)}
    had = {row[0] for row in tx.all(_SELECT_ASSIGNED, record=record_id, taxonomy=taxonomy.name)}
    removed, added = had - wanted, wanted - had
    if removed:
        tx.run(_UNASSIGN, record=record_id, ids=encode_list(removed))
    if added:
        tx.run_each(_ASSIGN, [{"record": record_id, "term": id} for id in added])
        # Recounting would read every record of the default category for each new post.
        tx.run(_COUNT_ONE_MORE, record=record_id, ids=encode_list(added))
    recount_terms(work, removed)
    if removed or added:
        work.lookups.pop(_build_lookup_key(record_id), None)
    return bool(removed or added)


def assign_first_terms(work: UnitOfWork, new: Record, taxonomy: Taxonomy, ids: Sequence[int]) -> list[Term]:
    """Do what `assign_terms` does for a record without any terms of the taxonomy, and return those that it has now."""
    found = _load_known_terms(work.tx, taxonomy, ids)
    if not found:
        return []
    shared = {"type": new.type, "status": new.status, "language": new.language, "date": new.date}
    work.tx.run_each(_ASSIGN_NEW, [{"record": new.id, "term": one.id, **shared} for one in found])
    if new.status != "publish":
        return found
    counted = [msgspec.structs.replace(one, count=one.count + 1) for one in found]
    for one in counted:
        work.tx.add_later(table, _COUNT_NEW, "more", of=one.id, more=1)
        work.tx.keep(table, one.id, one)
    return counted


def _load_known_terms(tx: Transaction, taxonomy: Taxonomy, ids: Sequence[int]) -> list[Term]:
    """Return those of some terms that are of a taxonomy."""
    known: list[Term | None] = [tx.recall(table, id) for id in dict.fromkeys(ids)]
    if None not in known:
        return [one for one in known if one is not None and one.taxonomy == taxonomy.name]
    found = [row_to_term(row) for row in tx.all(_SELECT_KNOWN, ids=encode_list(ids), taxonomy=taxonomy.name)]
    for one in found:
        tx.keep(table, one.id, one)
    return found


def remember_terms(work: UnitOfWork, new: Record, terms: Iterable[Term]) -> None:
    """Keep the terms of a new record for `load_record_terms`."""
    work.lookups[_build_lookup_key(new.id)] = sorted(terms, key=lambda one: (build_name_key(one.name), one.id))


def load_record_terms(work: UnitOfWork, ids: Sequence[int]) -> dict[int, list[Term]]:
    """Return what `list_terms_by_record` returns; those of a record that was just created are known."""
    if len(ids) == 1 and (known := work.lookups.get(_build_lookup_key(ids[0]))) is not None:
        return {ids[0]: known}
    return list_terms_by_record(work.tx, ids)


def _build_lookup_key(record_id: int) -> str:
    return f"terms of {record_id}"


def recount_terms(work: UnitOfWork, term_ids: Iterable[int]) -> None:
    """Count the public records of these terms again, after the status or the terms of a record changed."""
    ids = list(term_ids)
    if ids:
        work.tx.run(_RECOUNT, ids=encode_list(ids))


def list_descendant_ids(tx: Transaction, taxonomy_name: str, ids: Iterable[int]) -> set[int]:
    """Return these terms and all their descendants."""
    wanted = set(ids)
    return wanted | {row[0] for row in tx.all(_SELECT_BENEATH, taxonomy=taxonomy_name, ids=encode_list(wanted))}


def load_term_parents(tx: Transaction, ids: Iterable[int]) -> dict[int, int]:
    """Return the parents of these terms and of all their ancestors, by id; 0 at the top."""
    wanted = list(ids)
    return {row[0]: row[2] for row in tx.all(_SELECT_ABOVE, ids=encode_list(wanted))} if wanted else {}


def build_term_url(work: UnitOfWork, term: Term) -> str:
    """Return the URL of a term's public page."""
    return build_term_urls(work, (term,))[term.id]


def build_term_urls(work: UnitOfWork, terms: Sequence[Term]) -> dict[int, str]:
    """Return the URLs of several terms with at most one query; nested ones contain the slugs of their ancestors."""
    taxonomies = work.site.taxonomies
    above: dict[int, tuple[str, int]] = {}
    parents = {term.parent for term in terms if term.parent and taxonomies[term.taxonomy].nested_address}
    if parents:
        above = {id: (slug, parent) for id, slug, parent in work.tx.all(_SELECT_ABOVE, ids=encode_list(parents))}
    out = {}
    for term in terms:
        taxonomy = taxonomies[term.taxonomy]
        shared = get_translation_mode(work, build_element_name(taxonomy)) is TranslationMode.NOT_TRANSLATED
        home = work.home() if shared else work.home(term.language)
        if not taxonomy.directory:
            out[term.id] = f"{home}/?taxonomy={taxonomy.name}&term={term.slug}"
            continue
        path, parent, passed = term.slug, term.parent, {term.id}
        while taxonomy.nested_address and parent in above and parent not in passed:
            passed.add(parent)
            slug, parent = above[parent]
            path = f"{slug}/{path}"
        work.uses_items(taxonomy.name, passed)
        out[term.id] = f"{home}/{taxonomy.directory}/{path}/"
    return out


def create_default_category(work: UnitOfWork) -> None:
    """Create the category of posts without one; part of creating a site, so that its id is 1."""
    if work.tx.value(_LAST_ID) is None:
        taxonomy = next(one for one in work.site.taxonomies.values() if one.default_option)
        id, language = allocate_id(work.tx, "term"), work.site.profile.default_language
        STORE.insert(work.tx, Term(id, taxonomy.name, language, id, "Uncategorized", "uncategorized", "", 0, 0, {}))
        work.note(taxonomy.name, id, "created")
