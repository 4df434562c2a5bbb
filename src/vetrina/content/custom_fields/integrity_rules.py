"""Integrity rules of own fields: stored values that the profile's declaration no longer allows, and names of nothing.

Nothing is repaired: a value is lost only where somebody writes another one. Rules: docs/rules/custom_fields.md, 10.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import orjson
from sqlalchemy import bindparam, select

from vetrina.backends.database import Statement
from vetrina.backends.tables.accounts import account
from vetrina.backends.tables.records import record
from vetrina.backends.tables.terms import term
from vetrina.content.custom_fields.declaration import USERS
from vetrina.content.custom_fields.field_values import list_stored_faults
from vetrina.content.custom_fields.model import CustomField
from vetrina.content.custom_fields.references import Reference, find_missing_references, list_references
from vetrina.content.options_pages.rules import iterate_stored_values
from vetrina.core.integrity.rule import IntegrityRule
from vetrina.core.unit_of_work import UnitOfWork

_PART: Final = 1000  # rows that are read at a time
Owned = tuple[str, Mapping[str, Any]]  # what has the values, and its stored meta


def _build_part(table: Any, kind: Any) -> Statement:
    statement = select(table.c.id, table.c.meta).where(table.c.id > bindparam("after"), table.c.meta != "{}")
    if kind is not None:
        statement = statement.where(kind == bindparam("kind"))
    return Statement(statement.order_by(table.c.id).limit(bindparam("most")))


_RECORDS: Final = _build_part(record, record.c.type)
_TERMS: Final = _build_part(term, term.c.taxonomy)
_ACCOUNTS: Final = _build_part(account, None)


def _iterate_misfits(work: UnitOfWork) -> Iterator[str]:
    for fields, part in _iterate_parts(work):
        for what, meta in part:
            for field in fields:
                if field.name in meta:
                    for name, message in list_stored_faults(field, meta[field.name]):
                        yield f"{what}: {message if name in message else f'{name}: {message}'}"


def _iterate_lost_references(work: UnitOfWork) -> Iterator[str]:
    for fields, part in _iterate_parts(work):
        named: list[tuple[str, Reference]] = [
            (what, one)
            for what, meta in part
            for field in fields
            for one in list_references(field, meta.get(field.name), field.name)
        ]
        lost = {*find_missing_references(work, [one for _, one in named])}
        for what, one in named:
            if one in lost:
                yield f"{what}: {one.name} names {one.field.target} {one.id}, which is not there"


def _iterate_parts(work: UnitOfWork) -> Iterator[tuple[tuple[CustomField, ...], Sequence[Owned]]]:
    """Yield what has own fields with its stored values, in parts of one kind."""
    for owner, fields in work.site.custom_fields.items():
        if owner in work.site.profile.options_pages:
            yield fields, [(f"options page {owner}{at}", values) for at, values in iterate_stored_values(work, owner)]
            continue
        statement = _ACCOUNTS if owner == USERS else _RECORDS if owner in work.site.types else _TERMS
        kind = {} if owner == USERS else {"kind": owner}
        after = 0
        while rows := work.tx.all(statement, after=after, most=_PART, **kind):
            yield fields, [(f"{owner} {id}", orjson.loads(meta)) for id, meta in rows]
            after = rows[-1][0]


RULES: tuple[IntegrityRule, ...] = (
    IntegrityRule(
        "own-fields", "Values of own fields are as the profile declares them.", _iterate_misfits,
        "Write other values, or change the profile back.", quick=False,
    ),
    IntegrityRule(
        "own-relations", "What own fields name is there.", _iterate_lost_references,
        "Write other values.", quick=False,
    ),
)  # fmt: skip
