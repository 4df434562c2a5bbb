"""What the values of own fields refer to: records, files, terms and users, by their ids.

Not here: links of a response (reference_links.py beside this). Rules: docs/rules/custom_fields.md, 5.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from sqlalchemy import select

from vetrina.access.users import rights as user_rights, rules as users
from vetrina.backends.database import Statement
from vetrina.backends.statement_cache import InList, encode_list
from vetrina.backends.tables.accounts import account
from vetrina.backends.tables.records import media, record
from vetrina.backends.tables.terms import term
from vetrina.content.custom_fields.declaration import USERS
from vetrina.content.custom_fields.model import CustomField
from vetrina.content.records import model as record_model, visibility
from vetrina.content.terms import store as term_store
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel.errors import Fault

_IMAGES: Final = Statement(select(media.c.record).where(InList(media.c.record, "ids"), media.c.kind == "image"))
_RECORDS: Final = Statement(select(record.c.id, record.c.type).where(InList(record.c.id, "ids")))
_TERMS: Final = Statement(select(term.c.id, term.c.taxonomy).where(InList(term.c.id, "ids")))
_ACCOUNTS: Final = Statement(select(account.c.id).where(InList(account.c.id, "ids")))


class Reference(NamedTuple):
    """An id in a value, and the field that holds it. name: as the request calls it."""

    field: CustomField
    id: int
    name: str


def list_references(field: CustomField, value: Any, name: str) -> list[Reference]:
    """Return the ids in a stored value of a field, also in what it holds; what does not fit is passed over."""
    return list(_iterate_references(field, value, name))


def _iterate_references(field: CustomField, value: Any, name: str) -> Iterator[Reference]:
    if isinstance(value, (list, tuple)):
        for at, one in enumerate(value):
            yield from _iterate_references(field, one, f"{name}[{at}]")
    elif isinstance(value, Mapping):
        for inside in field.fields:
            yield from _iterate_references(inside, value.get(inside.name), f"{name}.{inside.name}")
    elif field.target and isinstance(value, int) and not isinstance(value, bool):
        yield Reference(field, value, name)


def find_reference_faults(work: UnitOfWork, named: Sequence[Reference]) -> dict[str, Fault]:
    """Return why references are refused, by name: there is no such thing, or the caller may not see it."""
    seen = _find_visible(work, named)
    images = _find_images(work, [one for one in named if one.field.type in ("image", "gallery")])
    out = {}
    for one in named:
        if (one.field.target, one.id) not in seen:
            what = _describe_target(work, one.field)
            out[one.name] = Fault("rest_invalid_param", f"{one.name}: there is no {what} with the number {one.id}.")
        elif one.field.type in ("image", "gallery") and one.id not in images:
            out[one.name] = Fault("rest_invalid_param", f"{one.name}: the file {one.id} is no picture.")
    return out


def find_missing_references(work: UnitOfWork, named: Sequence[Reference]) -> list[Reference]:
    """Return the references to what is not there or of another type, whoever may see it."""
    ids = encode_list({one.id for one in named})
    there = {(type, id) for id, type in work.tx.all(_RECORDS, ids=ids)} if named else set()
    if any(one.field.target in work.site.taxonomies for one in named):
        there |= {(taxonomy, id) for id, taxonomy in work.tx.all(_TERMS, ids=ids)}
    if any(one.field.target == USERS for one in named):
        there |= {(USERS, row[0]) for row in work.tx.all(_ACCOUNTS, ids=ids)}
    return [one for one in named if (one.field.target, one.id) not in there]


def _find_visible(work: UnitOfWork, named: Sequence[Reference]) -> set[tuple[str, int]]:
    """Return those of the named things that are there and that the caller may see: target and id."""
    types, taxonomies = work.site.types, work.site.taxonomies
    seen: set[tuple[str, int]] = set()
    wanted = sorted({one.id for one in named if one.field.target in types})
    for found in record_model.find_records(work.tx, wanted).values() if wanted else ():
        type = types.get(found.type)
        if type is not None and found.status != "trash" and visibility.may_view_record(work, type, found):
            seen.add((type.name, found.id))
    wanted = sorted({one.id for one in named if one.field.target in taxonomies})
    seen |= {(found.taxonomy, found.id) for found in term_store.find_terms(work.tx, wanted).values()}
    for id in {one.id for one in named if one.field.target == USERS}:
        user = users.find_user(work.tx, id)
        if user is not None and user_rights.may_view_user(work, user):
            seen.add((USERS, id))
    return seen


def _find_images(work: UnitOfWork, named: Sequence[Reference]) -> set[int]:
    return {row[0] for row in work.tx.all(_IMAGES, ids=encode_list({one.id for one in named}))} if named else set()


def _describe_target(work: UnitOfWork, field: CustomField) -> str:
    if field.target == "attachment":
        return "picture" if field.type in ("image", "gallery") else "file"
    return f"{field.target!r} that you may see" if field.target in work.site.types else repr(field.target)
