"""How much is stored of what a profile may take away: records, terms, values of own fields, accounts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import orjson
from sqlalchemy import bindparam, distinct, func, select

from vetrina.backends.database import Statement
from vetrina.backends.tables.accounts import account
from vetrina.backends.tables.records import record, tally
from vetrina.backends.tables.terms import record_term, term
from vetrina.content.custom_fields.declaration import USERS
from vetrina.content.options_pages.rules import iterate_stored_values
from vetrina.core.unit_of_work import UnitOfWork

_PART: Final = 1000  # rows that are read at a time

_RECORDS = select(func.coalesce(func.sum(tally.c.count), 0))
_RECORDS_OF_TYPE: Final = Statement(_RECORDS.where(tally.c.type == bindparam("type")))
_RECORDS_IN_LANGUAGE: Final = Statement(_RECORDS.where(tally.c.language == bindparam("language")))
_TERMS = select(func.count()).select_from(term)
_TERMS_OF_TAXONOMY: Final = Statement(_TERMS.where(term.c.taxonomy == bindparam("taxonomy")))
_TERMS_IN_LANGUAGE: Final = Statement(_TERMS.where(term.c.language == bindparam("language")))
_SORTED_RECORDS: Final = Statement(
    select(func.count(distinct(record_term.c.record)))
    .select_from(record_term.join(term, term.c.id == record_term.c.term))
    .where(term.c.taxonomy == bindparam("taxonomy"), record_term.c.type == bindparam("type"))
)
_ROLES: Final = Statement(select(account.c.roles, func.count()).group_by(account.c.roles))


def count_records(work: UnitOfWork, type: str) -> int:
    """Return how many records of a type there are, those in the trash included."""
    return int(work.tx.value(_RECORDS_OF_TYPE, type=type))


def count_terms(work: UnitOfWork, taxonomy: str) -> int:
    """Return how many terms a taxonomy has."""
    return int(work.tx.value(_TERMS_OF_TAXONOMY, taxonomy=taxonomy))


def count_sorted_records(work: UnitOfWork, type: str, taxonomy: str) -> int:
    """Return how many records of a type have terms of a taxonomy."""
    return int(work.tx.value(_SORTED_RECORDS, type=type, taxonomy=taxonomy))


def count_in_language(work: UnitOfWork, language: str) -> dict[str, int]:
    """Return how many records and terms are in a language."""
    return {
        "records": int(work.tx.value(_RECORDS_IN_LANGUAGE, language=language)),
        "terms": int(work.tx.value(_TERMS_IN_LANGUAGE, language=language)),
    }


def count_accounts(work: UnitOfWork, role: str) -> int:
    """Return how many accounts have a role."""
    return sum(count for roles, count in work.tx.all(_ROLES) if role in orjson.loads(roles))


def count_page_values(work: UnitOfWork, page: str) -> int:
    """Return how many values of an options page are stored."""
    return sum(len(values) for _, values in iterate_stored_values(work, page))


def count_field_values(work: UnitOfWork, owner: str, field: str) -> int:
    """Return how many records, terms, accounts or parts of an options page have a value in an own field.

    owner: the name of the type, taxonomy or options page, or `user`.
    """
    return sum(1 for meta in _iterate_meta(work, owner, field) if field in meta)


def _iterate_meta(work: UnitOfWork, owner: str, field: str) -> Iterator[dict[str, Any]]:
    """Yield the stored values of what may have some in a field."""
    if owner in work.site.profile.options_pages:
        yield from (dict(values) for _, values in iterate_stored_values(work, owner))
        return
    statement, kind = _find_statement(work, owner)
    named = f'%"{field.replace("_", "!_")}"%'
    after = 0
    while rows := work.tx.all(statement, named=named, after=after, most=_PART, **kind):
        yield from (orjson.loads(meta) for _, meta in rows)
        after = rows[-1][0]


def _find_statement(work: UnitOfWork, owner: str) -> tuple[Statement, dict[str, str]]:
    if owner == USERS:
        return _ACCOUNTS_META, {}
    return (_RECORDS_META if owner in work.site.types else _TERMS_META), {"kind": owner}


def _build_part(table: Any, kind: Any) -> Statement:
    # The text is looked at first, so that only what may have the field is decoded.
    wanted = select(table.c.id, table.c.meta).where(
        table.c.id > bindparam("after"), table.c.meta.like(bindparam("named"), escape="!")
    )
    if kind is not None:
        wanted = wanted.where(kind == bindparam("kind"))
    return Statement(wanted.order_by(table.c.id).limit(bindparam("most")))


_RECORDS_META: Final = _build_part(record, record.c.type)
_TERMS_META: Final = _build_part(term, term.c.taxonomy)
_ACCOUNTS_META: Final = _build_part(account, None)
