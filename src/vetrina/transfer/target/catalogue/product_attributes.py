"""The attributes of a product, the values it has of each, and the choices that its variations make of them.

The source names values by their names, sometimes by their slugs; values of shared attributes are terms here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from sqlalchemy import bindparam, select

from vetrina.backends.database import Statement
from vetrina.backends.statement_cache import InList, encode_list
from vetrina.backends.tables.terms import term as table
from vetrina.content.terms import rules as term_rules, store as term_store
from vetrina.content.terms.store import TERM_COLUMNS, Term
from vetrina.content.text.sanitizing import sanitize_plain_text, sanitize_term_name
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel import slugs
from vetrina.shop.attributes import rules as shared_attributes
from vetrina.shop.products.model import Product
from vetrina.transfer.target.incoming_record import IncomingRecord
from vetrina.transfer.target.journal import ATTRIBUTE
from vetrina.transfer.target.member_values import list_objects, list_texts, read_flag, read_number, read_text

_BY_NAME: Final = Statement(
    select(*TERM_COLUMNS)
    .where(table.c.taxonomy == bindparam("taxonomy"), InList(table.c.name_key, "keys"))
    .order_by(table.c.id)
)


def write_attributes(one: IncomingRecord, id: int, held: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Give a product the values of its shared attributes, and return all its attributes as they are stored.

    id: of the product here. held: the attributes that it has had.
    """
    work = one.work
    known = shared_attributes.load_attributes(work)
    found: dict[str, dict[str, Any]] = {}
    for given in list_objects(one.values.get("attributes")):
        options = [text for option in list_texts(given.get("options")) if (text := sanitize_plain_text(option).strip())]
        kept = {
            "position": abs(read_number(given.get("position"))),
            "visible": read_flag(given.get("visible")),
            "variation": read_flag(given.get("variation")),
        }
        name = sanitize_plain_text(read_text(given.get("name")))
        if given.get("id"):
            shared = known.get(one.resolve(ATTRIBUTE, given["id"], "attribute"))
            if shared is not None and options:
                terms = [_find_or_create_term(work, shared.taxonomy, text).id for text in options]
                term_store.assign_terms(work, id, shared_attributes.build_attribute_taxonomy(shared), terms)
                found[shared.taxonomy] = {
                    "id": shared.id, "key": shared.taxonomy, "name": shared.name, **kept, "options": [],
                }  # fmt: skip
        elif name:
            key = slugs.slugify(name)
            found[key] = {"id": 0, "key": key, "name": name, **kept, "options": options}
    for before in held:
        if before["id"] and before["key"] not in found:
            term_store.assign_terms(work, id, shared_attributes.build_named_taxonomy(before["key"]), ())
    return sorted(found.values(), key=lambda kept: int(kept["position"]))


def read_choices(one: IncomingRecord, above: Product) -> dict[str, str]:
    """Return the choices of a variation by the keys of its product's attributes; a missing one may have any value."""
    found = {kept["key"]: value for kept, value in _iterate_options(one, "attributes", above.attributes, above.id)}
    return {kept["key"]: found[kept["key"]] for kept in above.attributes if kept["key"] in found}


def read_defaults(one: IncomingRecord, own: Sequence[Mapping[str, Any]], id: int) -> list[dict[str, Any]]:
    """Return the default choices of a product as they are stored. own: its attributes. id: of it here."""
    return [
        {"id": kept["id"], "key": kept["key"], "name": kept["name"], "value": value}
        for kept, value in _iterate_options(one, "default_attributes", own, id)
    ]


def _iterate_options(
    one: IncomingRecord, member: str, own: Sequence[Mapping[str, Any]], product: int
) -> Iterable[tuple[Mapping[str, Any], str]]:
    """Give the attributes of a product that a member names, each with the value that is chosen of it."""
    given = list_objects(one.values.get(member))
    if not given:
        return
    known = shared_attributes.load_attributes(one.work)
    terms = term_store.list_terms_by_record(one.work.tx, (product,)).get(product, [])
    variable = {kept["key"]: kept for kept in own if kept["variation"]}
    for choice in given:
        text = sanitize_plain_text(read_text(choice.get("option"))).strip()
        if not text:
            continue
        kept = _find_attribute(one, choice, variable, known)
        if kept is None:
            one.notes["a choice is of an attribute that its product does not vary by: left out"] += 1
        else:
            yield kept, _find_option(kept, text, terms) if kept["id"] else text


def _find_attribute(
    one: IncomingRecord, given: Mapping[str, Any], variable: Mapping[str, Mapping[str, Any]],
    known: Mapping[int, shared_attributes.ProductAttribute],
) -> Mapping[str, Any] | None:  # fmt: skip
    """Return the attribute that is named by its id, or else by its slug or name."""
    if given.get("id"):
        shared = known.get(one.resolve(ATTRIBUTE, given["id"], "attribute"))
        return variable.get(shared.taxonomy) if shared else None
    keys = [slugs.slugify(read_text(given.get(name))) for name in ("slug", "name")]
    candidates = [key for base in keys for key in (base, shared_attributes.TAXONOMY_PREFIX + base) if base]
    return next((variable[key] for key in candidates if key in variable), None)


def _find_option(kept: Mapping[str, Any], text: str, terms: Sequence[Term]) -> str:
    """Return the slug of a value of a shared attribute; terms: those that the product has."""
    name, taxonomy = sanitize_term_name(text), kept["key"]
    named = (term.slug for term in terms if term.taxonomy == taxonomy and term.name == name)
    return next(named, slugs.slugify(text))


def _find_or_create_term(work: UnitOfWork, taxonomy: str, text: str) -> Term:
    """Return the value of an attribute that has a name, or else its slug; a new one where none has."""
    name = sanitize_term_name(text)
    rows = work.tx.all(_BY_NAME, taxonomy=taxonomy, keys=encode_list((term_store.build_name_key(name),)))
    found = next((term for term in map(term_store.row_to_term, rows) if term.name == name), None)
    if found is not None:
        return found
    slug = slugs.slugify(text)
    by_slug = shared_attributes.load_terms_by_slug(work, ((taxonomy, slug),)).get((taxonomy, slug))
    if by_slug is not None:
        return by_slug
    try:
        return term_rules.create_term(work, shared_attributes.build_named_taxonomy(taxonomy), text)
    except term_rules.TermExists as taken:
        return term_store.find_terms(work.tx, (taken.data["term_id"],))[taken.data["term_id"]]
