"""What must be true of stored data, rule by rule, and what breaks it.

The tables' own keys cover less than the domain promises: authors and parents are numbers without a key, counts and
folded copies are kept by hand. Not here: how findings are shown (cli/check.py).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import orjson
from sqlalchemy import ColumnElement, and_, bindparam, case, exists, func, literal, or_, select, text, union_all

from vetrina.backends.database import Statement
from vetrina.backends.tables import (
    account,
    comment,
    counter,
    job,
    media,
    menu_item,
    option,
    record,
    record_term,
    revision,
    searchable,
    tally,
    term,
)
from vetrina.backends.tables_catalogue import product
from vetrina.backends.tables_orders import outbox_mail
from vetrina.domain.content.types import ATTACHMENT, MENU_ITEM
from vetrina.domain.shop.kinds import PRODUCT, VARIATION
from vetrina.kernel.folding import fold, sort_key

from .media import orphans
from .media.filenames import FOLDER
from .work import Work

__all__ = ["QUICK", "RULES", "Rule"]


@dataclass(frozen=True)
class Rule:
    """One rule. says: the rule as a sentence; broken: what breaks it, a line each."""

    says: str
    broken: Callable[[Work], Iterator[str]]


def _select(says: str, statement: Any, line: str) -> Rule:
    """Return a rule whose statement selects what breaks it; line: how a row reads, with holes for its columns."""
    prepared = Statement(statement)
    return Rule(says, lambda work: (line.format(*row) for row in work.tx.all(prepared)))


_above = record.alias("above")
_above_term = term.alias("above_term")
_revisions = (
    select(revision.c.parent, func.count().label("number"), func.max(revision.c.id).label("last"))
    .group_by(revision.c.parent)
    .subquery()
)
_used = (
    select(record_term.c.term, func.count().label("number"))
    .join(record, record.c.id == record_term.c.record)
    .where(record.c.status == "publish")
    .group_by(record_term.c.term)
    .subquery()
)


def _texts(key: ColumnElement[Any], column: ColumnElement[Any]) -> Statement:
    # Most are empty, and not read.
    return Statement(select(key, column).where(column != "{}"))


# What is stored as JSON, and as what of it.
_JSON: tuple[tuple[str, type, Statement], ...] = (
    ("the meta of record", dict, _texts(record.c.id, record.c.meta)),
    ("the meta of revision", dict, _texts(revision.c.id, revision.c.meta)),
    ("the meta of term", dict, _texts(term.c.id, term.c.meta)),
    ("the meta of comment", dict, _texts(comment.c.id, comment.c.meta)),
    ("the classes of menu item", list, _texts(menu_item.c.record, menu_item.c.classes)),
    ("the relations of menu item", list, _texts(menu_item.c.record, menu_item.c.xfn)),
    ("the meta of account", dict, _texts(account.c.id, account.c.meta)),
    ("the capabilities of account", dict, _texts(account.c.id, account.c.capabilities)),
    ("the roles of account", list, _texts(account.c.id, account.c.roles)),
    ("the sizes of media", dict, _texts(media.c.record, media.c.sizes)),
    ("the details of media", dict, _texts(media.c.record, media.c.details)),
    ("the arguments of job", object, _texts(job.c.id, job.c.arguments)),
    ("the value of option", object, _texts(option.c.name, option.c.value)),
)


def _not_json(work: Work) -> Iterator[str]:
    for what, kind, statement in _JSON:
        for key, value in work.tx.all(statement):
            try:
                found = orjson.loads(value)
            except orjson.JSONDecodeError:
                yield f"{what} {key} is no JSON"
            else:
                if not isinstance(found, kind):
                    yield f"{what} {key} is {value[:40]}"


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
_COPIED = ("type", "status", "language", "date")


def _highest(name: str, *columns: ColumnElement[Any]) -> Any:
    """Select a counter that stands below a number in use."""
    highest = select(func.max(union_all(*(select(column.label("id")) for column in columns)).subquery().c.id))
    value = func.coalesce(select(counter.c.value).where(counter.c.name == name).scalar_subquery(), 0)
    return select(literal(name), value, highest.scalar_subquery()).where(value < highest.scalar_subquery())


def _groups_of_several(what: str, table: Any, kind: ColumnElement[Any]) -> Any:
    """Select the groups whose members are of several kinds."""
    return (
        select(literal(what), table.c.translations, func.min(kind), func.max(kind))
        .group_by(table.c.translations)
        .having(func.min(kind) != func.max(kind))
    )


def _groups_without_one_original(what: str, table: Any) -> Any:
    originals = func.sum(case((table.c.source_language == "", 1), else_=0))
    return select(literal(what), table.c.translations, originals).group_by(table.c.translations).having(originals != 1)


def _same_language(what: str, table: Any) -> Any:
    return (
        select(literal(what), table.c.translations, func.count(), table.c.language)
        .group_by(table.c.translations, table.c.language)
        .having(func.count() > 1)
    )


_FOLDED = Statement(
    select(record.c.id, record.c.title, record.c.title_key, searchable.c.title).outerjoin(
        searchable, searchable.c.record == record.c.id
    )
)
_COMMENTS = Statement(
    select(comment.c.id, comment.c.author_email, comment.c.email_key, comment.c.content, comment.c.search_key)
)
_IS_TERM = Statement(select(exists().where(term.c.id == bindparam("id"), term.c.taxonomy == bindparam("taxonomy"))))
_HELD = Statement(
    select(record.c.type, term.c.taxonomy, func.count(), func.min(record.c.id))
    .join(record_term, record_term.c.record == record.c.id)
    .join(term, term.c.id == record_term.c.term)
    .group_by(record.c.type, term.c.taxonomy)
)
# A server looks after its own files and keys.
_INTACT = Statement(lambda kind: text("PRAGMA integrity_check" if kind == "sqlite" else "SELECT 'ok'"))
_DANGLING = Statement(
    lambda kind: text("PRAGMA foreign_key_check") if kind == "sqlite" else select(literal(0)).where(literal(1) == 0)
)


_FILES = Statement(select(media.c.record, media.c.file, media.c.original, media.c.sizes).order_by(media.c.record))


def _damaged(work: Work) -> Iterator[str]:
    return (str(row[0]) for row in work.tx.all(_INTACT) if row[0] != "ok")


def _dangling(work: Work) -> Iterator[str]:
    return (f"{row[0]}: row {row[1]} points to no {row[2]}" for row in work.tx.all(_DANGLING))


def _unfolded(work: Work) -> Iterator[str]:
    for id, title, key, copy in work.tx.all(_FOLDED):
        if sort_key(title) != key:
            yield f"record {id} is sorted by {key!r}, its title is {title!r}"
        if copy is None:
            yield f"record {id} is not found by any search"
        elif copy != fold(title):
            yield f"record {id} is found by {copy!r}, its title is {title!r}"


def _unfolded_comments(work: Work) -> Iterator[str]:
    for id, email, email_key, content, search_key in work.tx.all(_COMMENTS):
        if email.lower() != email_key or not search_key.endswith(fold(content)):
            yield f"comment {id} is found by {email_key!r} and {search_key[:40]!r}"


def _without_default(work: Work) -> Iterator[str]:
    for taxonomy in work.frame.taxonomies.values():
        if taxonomy.default_option:
            id = work.option(taxonomy.default_option)
            if not work.tx.value(_IS_TERM, id=id, taxonomy=taxonomy.name):
                yield f"the option {taxonomy.default_option} says {id!r}, which is no {taxonomy.name}"


def _foreign_terms(work: Work) -> Iterator[str]:
    for type, taxonomy, number, first in work.tx.all(_HELD):
        known = work.frame.types.get(type)
        if known is not None and taxonomy not in known.taxonomies and not taxonomy.startswith("pa_"):
            yield f"{number} records of the type {type} have terms of {taxonomy}, the first is {first}"


def _missing_files(work: Work) -> Iterator[str]:
    files = work.frame.files
    # To ask another machine for one file after the other would take too long.
    listed = None if files.near else {one.name for one in files.listed(FOLDER)}
    for id, file, original, sizes in work.tx.all(_FILES):
        folder = file.rpartition("/")[0]
        beside = [f"{folder}/{one['file']}" for one in orjson.loads(sizes).values()]
        for path in dict.fromkeys((file, original, *beside)):
            name = FOLDER + path
            if path and ((files.size(name) is None) if listed is None else name not in listed):
                yield f"the file {path} of attachment {id} is missing"


def _orphans(work: Work) -> Iterator[str]:
    return (f"the file {name} belongs to no record" for name in orphans.orphans(work))


_STUCK = Statement(
    select(outbox_mail.c.id, outbox_mail.c.kind)
    .where(outbox_mail.c.state == "waiting", outbox_mail.c.created < bindparam("before"))
    .order_by(outbox_mail.c.id)
)
_MAIL_LATE = 86_400  # seconds


def _stuck_mails(work: Work) -> Iterator[str]:
    for id, kind in work.tx.all(_STUCK, before=work.now - _MAIL_LATE):
        yield f"mail {id} ({kind}) waits for more than a day; `vetrina jobs` says why"


def _rules() -> Iterable[Rule]:
    yield Rule("The database file is whole.", _damaged)
    yield Rule("Rows point to rows that are there.", _dangling)
    # The interface leaves the records of a removed account in the trash, under its number.
    yield _select(
        "The author of a record is an account.",
        select(record.c.id, record.c.author).where(
            record.c.status != "trash", ~exists().where(account.c.id == record.c.author)
        ),
        "record {0} is by {1}",
    )
    yield _select(
        "The parent of a record is a record.",
        select(record.c.id, record.c.parent).where(
            # What a file hangs on may be named before it is there; the interface takes any number.
            record.c.parent != 0,
            record.c.type != ATTACHMENT.name,
            ~exists().where(_above.c.id == record.c.parent),
        ),
        "record {0} stands under {1}",
    )
    yield _select(
        "A record knows its revisions.",
        select(
            record.c.id, record.c.revisions, record.c.last_revision,
            func.coalesce(_revisions.c.number, 0), func.coalesce(_revisions.c.last, 0),
        )
        .outerjoin(_revisions, _revisions.c.parent == record.c.id)
        .where(
            or_(
                record.c.revisions != func.coalesce(_revisions.c.number, 0),
                record.c.last_revision != func.coalesce(_revisions.c.last, 0),
            )
        ),
        "record {0} counts {1} with {2} as the last; there are {3} and {4}",
    )  # fmt: skip
    yield _select("Totals of lists are known.", _TALLY, "{4} records {0} {1} {2} by {3} are known; there are {5}")
    yield _select(
        "Terms are linked to records as they are.",
        select(record_term.c.record, record_term.c.term)
        .join(record, record.c.id == record_term.c.record)
        .where(or_(*(record_term.c[name] != record.c[name] for name in _COPIED))),
        "the link of record {0} to term {1} says otherwise than the record",
    )
    yield Rule("What lists sort by and searches read follows from the titles.", _unfolded)
    yield _select(
        "A group of translations has one record and one term a language.",
        union_all(_same_language("records", record), _same_language("terms", term)),
        "group {1} has {2} {0} in {3}",
    )
    yield _select(
        "A group of translations has members of one type or taxonomy.",
        union_all(
            _groups_of_several("records", record, record.c.type), _groups_of_several("terms", term, term.c.taxonomy)
        ),
        "group {1} of {0} has members of {2} and of {3}",
    )
    yield _select(
        "A group of translations has one original.",
        union_all(_groups_without_one_original("records", record), _groups_without_one_original("terms", term)),
        "group {1} of {0} has {2} originals",
    )
    yield _select(
        "The parent of a term is a term of its taxonomy.",
        select(term.c.id, term.c.parent).where(
            term.c.parent != 0,
            ~exists().where(and_(_above_term.c.id == term.c.parent, _above_term.c.taxonomy == term.c.taxonomy)),
        ),
        "term {0} stands under {1}",
    )
    yield _select(
        "A term counts its public records.",
        select(term.c.id, term.c.count, func.coalesce(_used.c.number, 0))
        .outerjoin(_used, _used.c.term == term.c.id)
        .where(term.c.count != func.coalesce(_used.c.number, 0)),
        "term {0} counts {1}; there are {2}",
    )
    yield Rule("Records have terms of their own taxonomies.", _foreign_terms)
    yield Rule("There is a default term for records without one.", _without_default)
    yield _select(
        "No number is given out twice.",
        union_all(
            _highest("record", record.c.id, revision.c.id),
            _highest("term", term.c.id),
            _highest("account", account.c.id),
            _highest("comment", comment.c.id),
        ),
        "the counter {0} stands at {1}, the highest number is {2}",
    )
    yield _select(
        "An item of a menu says what it points to.",
        select(record.c.id).where(record.c.type == MENU_ITEM.name, ~exists().where(menu_item.c.record == record.c.id)),
        "menu item {0} points to nothing",
    )
    yield _select(
        "An attachment knows its file.",
        select(record.c.id).where(record.c.type == ATTACHMENT.name, ~exists().where(media.c.record == record.c.id)),
        "attachment {0} has no file",
    )
    yield _select(
        "A product says what it is and costs.",
        select(record.c.type, record.c.id).where(
            or_(record.c.type == PRODUCT.name, record.c.type == VARIATION.name),
            ~exists().where(product.c.record == record.c.id),
        ),
        "{0} {1} has no row among the products",
    )
    yield _select(
        "A variation belongs to a product.",
        select(record.c.id).where(
            record.c.type == VARIATION.name,
            ~exists().where(_above.c.id == record.c.parent, _above.c.type == PRODUCT.name),
        ),
        "variation {0} has no product",
    )
    yield Rule("The files of attachments are there.", _missing_files)
    yield Rule("Files belong to records (`vetrina check --repair` removes others).", _orphans)
    yield Rule("What comments are found by follows from them.", _unfolded_comments)
    yield Rule("What is stored as JSON is JSON.", _not_json)
    yield Rule("Mails go out.", _stuck_mails)


RULES: tuple[Rule, ...] = tuple(_rules())
# Those that ask the database only, and need not read all of it.
QUICK: tuple[Rule, ...] = tuple(one for one in RULES if one.broken not in (_missing_files, _orphans, _damaged))
