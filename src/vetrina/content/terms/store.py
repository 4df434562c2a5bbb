"""Terms: reading them, which records have them, how often they are used, where their public pages are.

Not here: writing terms (content/terms/rules.py), lists with filters (content/terms/listing.py), who may do what
(namespaces). Rules: facts, "Terms" and "Who may do what"; names in a record's answer stand in the order of their folded
form.
"""

from __future__ import annotations

import html
from collections.abc import Iterable, Sequence
from typing import Any

import msgspec
import orjson
from sqlalchemy import bindparam, delete, exists, func, insert, select, update

from vetrina.backends.database import Row, Statement, Tx
from vetrina.backends.id_sequences import next_number
from vetrina.backends.statement_cache import Among, listed
from vetrina.backends.tables.core import record, record_term
from vetrina.backends.tables.core import term as table
from vetrina.content.translations.modes import Mode, element_of, mode
from vetrina.content.types.model import Taxonomy
from vetrina.core.unit_of_work import Work
from vetrina.kernel.folding import sort_key

__all__ = [
    "COLUMNS", "Term", "address", "addresses", "assign", "by_id", "by_ids", "descendants", "ensure_default", "from_row",
    "name_key", "of_records", "recount",
]  # fmt: skip


class Term(msgspec.Struct, frozen=True):
    """One term of a taxonomy.

    language, translations: its language, and the group whose members say the same in other languages.
    name, description: as answers show them. slug: unique in its taxonomy and language.
    parent: the number of the term above, 0 at the top. count: how many public records have it.
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


COLUMNS = (
    table.c.id, table.c.taxonomy, table.c.language, table.c.translations, table.c.name, table.c.slug,
    table.c.description, table.c.parent, table.c.count, table.c.meta,
    table.c.source_language,
)  # fmt: skip

_BY_ID = Statement(select(*COLUMNS).where(table.c.id == bindparam("id")))
_BY_IDS = Statement(select(*COLUMNS).where(Among(table.c.id, "ids")))
_OF_RECORDS = Statement(
    select(record_term.c.record, *COLUMNS)
    .join(table, table.c.id == record_term.c.term)
    .where(Among(record_term.c.record, "records"))
    .order_by(record_term.c.record, table.c.name_key, table.c.id)
)
_KNOWN = Statement(select(table.c.id).where(Among(table.c.id, "ids"), table.c.taxonomy == bindparam("taxonomy")))
_ASSIGNED = Statement(
    select(record_term.c.term)
    .join(table, table.c.id == record_term.c.term)
    .where(record_term.c.record == bindparam("record"), table.c.taxonomy == bindparam("taxonomy"))
)
_UNASSIGN = Statement(
    delete(record_term).where(record_term.c.record == bindparam("record"), Among(record_term.c.term, "ids"))
)
_ASSIGN = Statement(
    insert(record_term).from_select(
        ["record", "term", "type", "status", "language", "date"],
        select(record.c.id, table.c.id, record.c.type, record.c.status, record.c.language, record.c.date)
        .select_from(record.join(table, table.c.id == bindparam("term")))
        .where(record.c.id == bindparam("record")),
    )
)
_RECOUNT = Statement(
    update(table)
    .where(Among(table.c.id, "ids"))
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
        Among(table.c.id, "ids"),
        exists().where(record.c.id == bindparam("record"), record.c.status == "publish"),
    )
    .values(count=table.c.count + 1)
)


def _beneath() -> Any:
    start = select(table.c.id).where(table.c.taxonomy == bindparam("taxonomy"), Among(table.c.parent, "ids"))
    found = start.cte("beneath", recursive=True)
    further = select(table.c.id).where(table.c.taxonomy == bindparam("taxonomy"), table.c.parent == found.c.id)
    # UNION, not UNION ALL: a circle in imported data would else never end.
    return select(found.union(further).c.id)


def _above() -> Any:
    start = select(table.c.id, table.c.slug, table.c.parent).where(Among(table.c.id, "ids"))
    found = start.cte("above", recursive=True)
    further = select(table.c.id, table.c.slug, table.c.parent).where(table.c.id == found.c.parent)
    whole = found.union(further)
    return select(whole.c.id, whole.c.slug, whole.c.parent)


_BENEATH = Statement(_beneath())
_ABOVE = Statement(_above())
_LAST_ID = Statement(select(func.max(table.c.id)))
_INSERT_DEFAULT = Statement(
    insert(table).values(
        id=bindparam("id"),
        taxonomy=bindparam("taxonomy"),
        language=bindparam("language"),
        translations=bindparam("id"),
        name="Uncategorized",
        name_key=bindparam("name_key"),
        slug="uncategorized",
        description="",
        parent=0,
        count=0,
        meta="{}",
        source_language="",
    )
)


def name_key(name: str) -> str:
    """Return the form in which a stored name is sorted, searched and compared."""
    return sort_key(html.unescape(name))


def from_row(row: Row) -> Term:
    """Return the term of a row of `COLUMNS`."""
    meta = row[-2]
    return Term(*(*row[:-2], {} if meta == "{}" else orjson.loads(meta), row[-1]))


def by_id(tx: Tx, id: int) -> Term | None:
    """Return a term of any taxonomy and language."""
    row = tx.first(_BY_ID, id=id)
    return None if row is None else from_row(row)


def by_ids(tx: Tx, ids: Sequence[int]) -> dict[int, Term]:
    """Return the terms with some numbers, of any taxonomy and language, by number."""
    return {row[0]: from_row(row) for row in tx.all(_BY_IDS, ids=listed(ids))} if ids else {}


def of_records(tx: Tx, ids: Sequence[int]) -> dict[int, list[Term]]:
    """Return the terms of each record in the order of their names, all taxonomies together; every record has a list."""
    found: dict[int, list[Term]] = {id: [] for id in ids}
    if found:
        for row in tx.all(_OF_RECORDS, records=listed(found)):
            found[row[0]].append(from_row(row[1:]))
    return found


def assign(work: Work, record_id: int, taxonomy: Taxonomy, ids: Sequence[int]) -> bool:
    """Give a record exactly these terms of a taxonomy and return whether that changed anything.

    ids: numbers that are unknown or of another taxonomy are passed over; the language does not matter.
    """
    tx = work.tx
    wanted = {row[0] for row in tx.all(_KNOWN, ids=listed(ids), taxonomy=taxonomy.name)} if ids else set()
    had = {row[0] for row in tx.all(_ASSIGNED, record=record_id, taxonomy=taxonomy.name)}
    gone, come = had - wanted, wanted - had
    if gone:
        tx.run(_UNASSIGN, record=record_id, ids=listed(gone))
    if come:
        tx.run_each(_ASSIGN, [{"record": record_id, "term": id} for id in come])
        # Counting anew would read every record of the default category at each new post.
        tx.run(_COUNT_ONE_MORE, record=record_id, ids=listed(come))
    recount(work, gone)
    return bool(gone or come)


def recount(work: Work, term_ids: Iterable[int]) -> None:
    """Count anew how many public records have these terms; asked for when a record's status or terms changed."""
    ids = list(term_ids)
    if ids:
        work.tx.run(_RECOUNT, ids=listed(ids))


def descendants(tx: Tx, taxonomy_name: str, ids: Iterable[int]) -> set[int]:
    """Return these terms and all that stand beneath them."""
    wanted = set(ids)
    return wanted | {row[0] for row in tx.all(_BENEATH, taxonomy=taxonomy_name, ids=listed(wanted))}


def parents_of(tx: Tx, ids: Iterable[int]) -> dict[int, int]:
    """Return the parent of each of these terms and of all that stand above them, by number; 0 at the top."""
    wanted = list(ids)
    return {row[0]: row[2] for row in tx.all(_ABOVE, ids=listed(wanted))} if wanted else {}


def address(work: Work, term: Term) -> str:
    """Return the address of a term's public page."""
    return addresses(work, (term,))[term.id]


def addresses(work: Work, terms: Sequence[Term]) -> dict[int, str]:
    """Return the addresses of several terms with at most one query; nested ones hold the slugs of those above."""
    taxonomies = work.frame.taxonomies
    above: dict[int, tuple[str, int]] = {}
    parents = {term.parent for term in terms if term.parent and taxonomies[term.taxonomy].nested_address}
    if parents:
        above = {id: (slug, parent) for id, slug, parent in work.tx.all(_ABOVE, ids=listed(parents))}
    out = {}
    for term in terms:
        taxonomy = taxonomies[term.taxonomy]
        shared = mode(work, element_of(taxonomy)) is Mode.NOT_TRANSLATED
        home = work.home() if shared else work.home(term.language)
        if not taxonomy.directory:
            out[term.id] = f"{home}/?taxonomy={taxonomy.name}&term={term.slug}"
            continue
        path, parent, passed = term.slug, term.parent, {term.id}
        while taxonomy.nested_address and parent in above and parent not in passed:
            passed.add(parent)
            slug, parent = above[parent]
            path = f"{slug}/{path}"
        out[term.id] = f"{home}/{taxonomy.directory}/{path}/"
    return out


def ensure_default(work: Work) -> None:
    """Make the category that posts without one get; used when a site is made, so that its number is 1."""
    if work.tx.value(_LAST_ID) is None:
        taxonomy = next(one for one in work.frame.taxonomies.values() if one.default_option)
        id = next_number(work.tx, "term")
        language = work.frame.profile.default_language
        work.tx.run(
            _INSERT_DEFAULT, id=id, taxonomy=taxonomy.name, language=language, name_key=name_key("Uncategorized")
        )
        work.note(taxonomy.name, id, "created")
