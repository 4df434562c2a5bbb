"""Integrity rules of records, their revisions and terms, of comments and menus.

Foreign keys cover less than the domain promises: authors and parents are ids without a key, counts and folded copies
are maintained by the code.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final

from sqlalchemy import (
    and_,
    bindparam,
    case,
    delete,
    exists,
    func,
    insert,
    literal,
    literal_column,
    or_,
    select,
    union_all,
    update,
)  # fmt: skip

from vetrina.backends.database import Statement
from vetrina.backends.tables.accounts import account
from vetrina.backends.tables.comments import comment
from vetrina.backends.tables.records import menu_item, record, revision, searchable, tally
from vetrina.backends.tables.terms import record_term, term
from vetrina.content.comments import model as comment_model
from vetrina.content.records import model as record_model
from vetrina.content.terms import store as term_store
from vetrina.content.types.registry import ATTACHMENT, MENU_ITEM
from vetrina.core.integrity.rule import IntegrityRule, build_row_iterator, build_select_rule
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel.folding import build_sort_key, fold_text

_LATE: Final = 3600  # seconds that a scheduled record may be late
_PART: Final = 500  # records repaired per batch

_above = record.alias("above")
_above_term = term.alias("above_term")
_revisions = (
    select(revision.c.parent, func.count().label("number"), func.max(revision.c.id).label("last"))
    .group_by(revision.c.parent)
    .subquery()
)
_number, _last = func.coalesce(_revisions.c.number, 0), func.coalesce(_revisions.c.last, 0)
_used = (
    select(record_term.c.term, func.count().label("number"))
    .join(record, record.c.id == record_term.c.record)
    .where(record.c.status == "publish")
    .group_by(record_term.c.term)
    .subquery()
)

# -- counts

_PLACE = (record.c.type, record.c.status, record.c.language, record.c.author)
_tallied = select(*_PLACE, func.count().label("number")).group_by(*_PLACE).subquery()
_SAME_PLACE = and_(*(tally.c[column.name] == _tallied.c[column.name] for column in _PLACE))
_TALLY = union_all(
    select(*(tally.c[column.name] for column in _PLACE), tally.c.count, func.coalesce(_tallied.c.number, 0))
    .outerjoin(_tallied, _SAME_PLACE)
    .where(tally.c.count != func.coalesce(_tallied.c.number, 0)),
    select(*(_tallied.c[column.name] for column in _PLACE), literal(0), _tallied.c.number).where(
        ~exists().where(_SAME_PLACE)
    ),
)
_NO_TALLY = Statement(delete(tally))
_TALLY_ANEW = Statement(
    insert(tally).from_select([column.name for column in tally.c], select(*_PLACE, func.count()).group_by(*_PLACE))
)


def _recount_tallies(work: UnitOfWork) -> None:
    work.tx.run(_NO_TALLY)
    work.tx.run(_TALLY_ANEW)


_own_count = select(func.count()).where(revision.c.parent == record.c.id).scalar_subquery()
_own_last = select(func.max(revision.c.id)).where(revision.c.parent == record.c.id).scalar_subquery()
_REVISIONS_ANEW = Statement(update(record).values(revisions=_own_count, last_revision=func.coalesce(_own_last, 0)))

_COPIED = ("type", "status", "language", "date")
_LINKS_ANEW = Statement(
    update(record_term).values(
        {name: select(record.c[name]).where(record.c.id == record_term.c.record).scalar_subquery() for name in _COPIED}
    )
)
_MISCOUNTED = (
    select(term.c.id, term.c.count, func.coalesce(_used.c.number, 0))
    .outerjoin(_used, _used.c.term == term.c.id)
    .where(term.c.count != func.coalesce(_used.c.number, 0))
)
_MISCOUNTED_ROWS = Statement(_MISCOUNTED)

# -- folded copies

_FOLDED = build_row_iterator(
    select(record.c.id, record.c.title, record.c.title_key, searchable.c.title).outerjoin(
        searchable, searchable.c.record == record.c.id
    ),
    record.c.id,
)
_NO_COPY = Statement(delete(searchable).where(searchable.c.record == bindparam("of")))
_KEY = Statement(update(record).where(record.c.id == bindparam("of")).values(title_key=bindparam("key")))


def _iterate_unfolded_records(work: UnitOfWork) -> Iterator[tuple[int, str]]:
    for id, title, key, copy in _FOLDED(work):
        if build_sort_key(title) != key:
            yield id, f"record {id} is sorted by {key!r}, its title is {title!r}"
        if copy is None:
            yield id, f"record {id} is not found by any search"
        elif copy != fold_text(title):
            yield id, f"record {id} is found by {copy!r}, its title is {title!r}"


def _refold_records(work: UnitOfWork) -> None:
    wrong = sorted({id for id, _ in _iterate_unfolded_records(work)})
    for at in range(0, len(wrong), _PART):
        for id, found in record_model.find_records(work.tx, wrong[at : at + _PART]).items():
            work.tx.run(_KEY, of=id, key=build_sort_key(found.title))
            record_model.update_search_text(work.tx, found)
            work.note(found.type, id, "changed")


_COMMENTS = build_row_iterator(
    select(comment.c.id, comment.c.author_email, comment.c.email_key, comment.c.content, comment.c.search_key),
    comment.c.id,
)


def _iterate_unfolded_comments(work: UnitOfWork) -> Iterator[tuple[int, str]]:
    for id, email, email_key, content, search_key in _COMMENTS(work):
        if email.lower() != email_key or not search_key.endswith(fold_text(content)):
            yield id, f"comment {id} is found by {email_key!r} and {search_key[:40]!r}"


def _refold_comments(work: UnitOfWork) -> None:
    for id, _ in list(_iterate_unfolded_comments(work)):
        found = comment_model.STORE.find(work.tx, id)
        if found is not None:
            comment_model.update_search_keys(work.tx, found)


# -- cycles


def _build_cycle_rule(name: str, pairs: Statement) -> IntegrityRule:
    def broken(work: UnitOfWork) -> Iterator[str]:
        above: dict[int, int] = dict(work.tx.all(pairs))
        sound: set[int] = set()
        for id in above:
            way: list[int] = []
            while id in above and id not in sound:
                if id in way:
                    yield f"{name} {' stands under '.join(map(str, [*way[way.index(id) :], id]))}"
                    break
                way.append(id)
                id = above[id]
            sound.update(way)

    return IntegrityRule(
        f"{name}-circles", f"No {name} stands above itself.", broken, "Give one of them another parent."
    )


_RECORDS_BENEATH = Statement(select(record.c.id, record.c.parent).where(record.c.parent != 0))
_TERMS_BENEATH = Statement(select(term.c.id, term.c.parent).where(term.c.parent != 0))

# -- translation groups


def _select_mixed_groups(name: str, table: Any, kind: Any) -> Any:
    """Select the translation groups whose members are of different kinds."""
    return (
        select(literal(name), table.c.translations, func.min(kind), func.max(kind))
        .group_by(table.c.translations)
        .having(func.min(kind) != func.max(kind))
    )


def _select_groups_without_original(name: str, table: Any) -> Any:
    originals = func.sum(case((table.c.source_language == "", 1), else_=0))
    return select(literal(name), table.c.translations, originals).group_by(table.c.translations).having(originals != 1)


# -- terms

_IS_TERM = Statement(select(exists().where(term.c.id == bindparam("id"), term.c.taxonomy == bindparam("taxonomy"))))
_HELD = Statement(
    select(record.c.type, term.c.taxonomy, func.count(), func.min(record.c.id))
    .join(record_term, record_term.c.record == record.c.id)
    .join(term, term.c.id == record_term.c.term)
    .group_by(record.c.type, term.c.taxonomy)
)


def _iterate_missing_defaults(work: UnitOfWork) -> Iterator[str]:
    for taxonomy in work.site.taxonomies.values():
        if taxonomy.default_option:
            id = work.option(taxonomy.default_option)
            if not work.tx.value(_IS_TERM, id=id, taxonomy=taxonomy.name):
                yield f"the option {taxonomy.default_option} says {id!r}, which is no {taxonomy.name}"


def _iterate_foreign_terms(work: UnitOfWork) -> Iterator[str]:
    for type, taxonomy, number, first in work.tx.all(_HELD):
        known = work.site.types.get(type)
        if known is not None and taxonomy not in known.taxonomies and not taxonomy.startswith("pa_"):
            yield f"{number} records of the type {type} have terms of {taxonomy}, the first is {first}"


# Worded like the condition of the partial index `record_due`.
_OVERDUE = Statement(
    select(record.c.id, record.c.date_gmt).where(
        record.c.status + literal_column("''") == literal_column("'future'"), record.c.date_gmt <= bindparam("before")
    )
)


def _iterate_overdue_records(work: UnitOfWork) -> Iterator[str]:
    for id, date in work.tx.all(_OVERDUE, before=work.now - _LATE):
        yield f"record {id} was to be published {(work.now - date) // 60} minutes ago"


_BACKUP = "Put a backup back, or write it again."


def _iterate_lines(found: Iterable[tuple[int, str]]) -> Iterator[str]:
    return (line for _, line in found)


RULES: tuple[IntegrityRule, ...] = (
    # The API leaves the records of a deleted account in the trash, under its id.
    build_select_rule(
        "authors",
        "The author of a record is an account.",
        select(record.c.id, record.c.author).where(
            record.c.status != "trash", ~exists().where(account.c.id == record.c.author)
        ),
        "record {0} is by {1}",
        "Give the record another author.",
    ),
    build_select_rule(
        "parents",
        "The parent of a record is a record.",
        select(record.c.id, record.c.parent).where(
            # The parent of a file may be set before it exists: the API accepts any id.
            record.c.parent != 0,
            record.c.type != ATTACHMENT.name,
            ~exists().where(_above.c.id == record.c.parent),
        ),
        "record {0} stands under {1}",
        "Give the record another parent, or none.",
    ),
    _build_cycle_rule("record", _RECORDS_BENEATH),
    build_select_rule(
        "revisions",
        "A record knows its revisions.",
        select(record.c.id, record.c.revisions, record.c.last_revision, _number, _last)
        .outerjoin(_revisions, _revisions.c.parent == record.c.id)
        .where(or_(record.c.revisions != _number, record.c.last_revision != _last)),
        "record {0} counts {1} with {2} as the last; there are {3} and {4}",
        "`--repair` counts them again.",
        lambda work: work.tx.run(_REVISIONS_ANEW),
    ),
    build_select_rule(
        "tallies",
        "Totals of lists are known.",
        _TALLY,
        "{4} records {0} {1} {2} by {3} are known; there are {5}",
        "`--repair` counts them again.",
        _recount_tallies,
    ),
    build_select_rule(
        "links",
        "Terms are linked to records as they are.",
        select(record_term.c.record, record_term.c.term)
        .join(record, record.c.id == record_term.c.record)
        .where(or_(*(record_term.c[name] != record.c[name] for name in _COPIED))),
        "the link of record {0} to term {1} says otherwise than the record",
        "`--repair` writes the links again.",
        lambda work: work.tx.run(_LINKS_ANEW),
    ),
    IntegrityRule(
        "folded-titles",
        "What lists sort by and searches read follows from the titles.",
        lambda work: _iterate_lines(_iterate_unfolded_records(work)),
        "`--repair` writes it again.",
        _refold_records,
    ),
    build_select_rule(
        "group-kinds",
        "A group of translations has members of one type or taxonomy.",
        union_all(
            _select_mixed_groups("records", record, record.c.type), _select_mixed_groups("terms", term, term.c.taxonomy)
        ),
        "group {1} of {0} has members of {2} and of {3}",
        "Take one of them out of the group.",
    ),
    build_select_rule(
        "group-originals",
        "A group of translations has one original.",
        union_all(_select_groups_without_original("records", record), _select_groups_without_original("terms", term)),
        "group {1} of {0} has {2} originals",
        "Say again which is translated from which.",
    ),
    build_select_rule(
        "term-parents",
        "The parent of a term is a term of its taxonomy.",
        select(term.c.id, term.c.parent).where(
            term.c.parent != 0,
            ~exists().where(and_(_above_term.c.id == term.c.parent, _above_term.c.taxonomy == term.c.taxonomy)),
        ),
        "term {0} stands under {1}",
        "Give the term another parent, or none.",
    ),
    _build_cycle_rule("term", _TERMS_BENEATH),
    build_select_rule(
        "term-counts",
        "A term counts its public records.",
        _MISCOUNTED,
        "term {0} counts {1}; there are {2}",
        "`--repair` counts them again.",
        lambda work: term_store.recount_terms(work, [row[0] for row in work.tx.all(_MISCOUNTED_ROWS)]),
    ),
    IntegrityRule("own-terms", "Records have terms of their own taxonomies.", _iterate_foreign_terms, _BACKUP),
    IntegrityRule(
        "default-terms",
        "There is a default term for records without one.",
        _iterate_missing_defaults,
        "Set the option to a term that is there.",
    ),
    build_select_rule(
        "menu-items",
        "An item of a menu says what it points to.",
        select(record.c.id).where(record.c.type == MENU_ITEM.name, ~exists().where(menu_item.c.record == record.c.id)),
        "menu item {0} points to nothing",
        "Remove the item.",
    ),
    IntegrityRule(
        "folded-comments",
        "What comments are found by follows from them.",
        lambda work: _iterate_lines(_iterate_unfolded_comments(work)),
        "`--repair` writes it again.",
        _refold_comments,
    ),
    IntegrityRule(
        "publication",
        "What was to be published by now is.",
        _iterate_overdue_records,
        "`vetrina serve` or `vetrina work` must run: it publishes it within a minute.",
    ),
)
