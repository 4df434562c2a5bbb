"""The attributes of one product: shared ones, whose options are terms, and local ones, whose options are text.

Stored for each: its key (the taxonomy's name, or the slug of a local name), its position and its flags; for local ones
also the options. Not here: the shared attributes themselves (shop/attributes/rules.py), combinations of options
(shop/variations/rules.py). Rules: docs/rules/variations.md, 2.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from vetrina.content.terms import rules as term_rules, store as term_store
from vetrina.content.terms.store import Term
from vetrina.content.text.sanitizing import sanitize_plain_text
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel import slugs
from vetrina.shop.attributes import rules as attributes
from vetrina.shop.attributes.rules import ProductAttribute
from vetrina.shop.products.model import Product


def parse_product_attributes(work: UnitOfWork, given: Sequence[Any]) -> list[dict[str, Any]]:
    """Return the attributes in a write of a product in stored form; `options` holds text for all of them."""
    known: dict[int, ProductAttribute] | None = None
    out: list[dict[str, Any]] = []
    for one in given:
        if not isinstance(one, Mapping):
            continue
        id, name = one.get("id") or 0, sanitize_plain_text(str(one.get("name") or ""))
        options = [text for option in one.get("options") or () if (text := sanitize_plain_text(str(option)).strip())]
        kept = {
            "position": abs(one.get("position") or 0),
            "visible": bool(one.get("visible")),
            "variation": bool(one.get("variation")),
        }
        if id:
            known = attributes.load_attributes(work) if known is None else known
            shared = known.get(id)
            if shared is not None and options:
                out.append({"id": id, "key": shared.taxonomy, "name": shared.name, **kept, "options": options})
        elif name and "options" in one:
            out.append({"id": 0, "key": slugs.slugify(name), "name": name, **kept, "options": options})
    unique = {one["key"]: one for one in out}
    return sorted(unique.values(), key=lambda one: int(one["position"]))


def assign_options(work: UnitOfWork, old: Product | None, id: int, given: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Assign the terms of its shared attributes to a product, and return the attributes without these texts.

    Missing terms are created; the terms of attributes that the product no longer has are removed.
    """
    removed = {one["key"] for one in old.attributes if one["id"]} if old else set()
    out = []
    for one in given:
        if one["id"]:
            taxonomy = attributes.build_named_taxonomy(one["key"], one["name"])
            term_store.assign_terms(
                work, id, taxonomy, [_find_or_create_term(work, one["key"], text).id for text in one["options"]]
            )
            removed.discard(one["key"])
            one = {**one, "options": []}
        out.append(one)
    for key in removed:
        term_store.assign_terms(work, id, attributes.build_named_taxonomy(key), ())
    return out


def _find_or_create_term(work: UnitOfWork, taxonomy: str, text: str) -> Term:
    """Return the term of an option, created where there is none."""
    slug = slugs.slugify(text)
    found = attributes.load_terms_by_slug(work, ((taxonomy, slug),)).get((taxonomy, slug))
    if found is not None:
        return found
    try:
        return term_rules.create_term(work, attributes.build_named_taxonomy(taxonomy), text)
    except term_rules.TermExists as taken:
        return term_store.find_terms(work.tx, (taken.data["term_id"],))[taken.data["term_id"]]


def list_attribute_options(
    one: Mapping[str, Any], terms: Sequence[Term], known: Mapping[int, ProductAttribute]
) -> list[str]:
    """Return the options of an attribute of a product; terms: the terms of the product."""
    if not one["id"]:
        return list(one["options"])
    shared = known.get(one["id"])
    own = [term for term in terms if term.taxonomy == one["key"]]
    return [
        term.name
        for term in sorted(own, key=attributes.build_term_sort_key(shared.order_by if shared else "menu_order"))
    ]


def serialize_product_attributes(
    one: Product, terms: Sequence[Term], known: Mapping[int, ProductAttribute]
) -> list[dict[str, Any]]:
    """Return the serialized attributes of a product."""
    out = []
    for kept in one.attributes:
        shared = known.get(kept["id"]) if kept["id"] else None
        if kept["id"] and shared is None:
            continue
        out.append(
            {
                "id": kept["id"],
                "name": shared.name if shared else kept["name"],
                "slug": kept["key"] if shared else kept["name"],
                "position": kept["position"],
                "visible": kept["visible"],
                "variation": kept["variation"],
                "options": list_attribute_options(kept, terms, known),
            }
        )
    return out


def _resolve_attribute_key(one: Mapping[str, Any], known: Mapping[int, ProductAttribute]) -> str:
    """Return the key of the attribute that a client names by id or by name."""
    if one.get("id"):
        shared = known.get(one["id"])
        return shared.taxonomy if shared else ""
    return slugs.slugify(str(one.get("name") or ""))


def parse_variation_choices(work: UnitOfWork, above: Product, given: Sequence[Any]) -> dict[str, str]:
    """Return the choices in a write of a variation, by key; attributes not used for variations are skipped."""
    known = attributes.load_attributes(work)
    variable = {one["key"]: one for one in above.attributes if one["variation"]}
    found: dict[str, str] = {}
    for one in given:
        if not isinstance(one, Mapping):
            continue
        key = _resolve_attribute_key(one, known)
        kept = variable.get(key) or variable.get(attributes.TAXONOMY_PREFIX + key)
        if kept is not None:
            text = sanitize_plain_text(str(one.get("option") or ""))
            found[kept["key"]] = slugs.slugify(text) if kept["id"] else text
    return {key: found[key] for key in variable if found.get(key)}


def parse_default_choices(
    work: UnitOfWork, own: Sequence[Mapping[str, Any]], given: Sequence[Any]
) -> list[dict[str, Any]]:
    """Return the default choices of a product in stored form; own: its attributes."""
    known = attributes.load_attributes(work)
    variable = {one["key"]: one for one in own if one["variation"]}
    out = []
    for one in given:
        if not isinstance(one, Mapping):
            continue
        key = _resolve_attribute_key(one, known)
        kept = variable.get(key) or variable.get(attributes.TAXONOMY_PREFIX + key)
        text = sanitize_plain_text(str(one.get("option") or ""))
        if kept is not None and text:
            value = slugs.slugify(text) if kept["id"] else text
            out.append({"id": kept["id"], "key": kept["key"], "name": kept["name"], "value": value})
    return out


def serialize_default_choices(
    one: Product, known: Mapping[int, ProductAttribute], terms: Mapping[tuple[str, str], Term]
) -> list[dict[str, Any]]:
    """Return the serialized default choices of a product; terms: terms by taxonomy and slug."""
    return [
        {
            "id": kept["id"],
            "name": _resolve_attribute_name(kept, known),
            "option": _resolve_option_name(kept["key"], kept["value"], terms),
        }
        for kept in one.default_attributes
    ]


def serialize_variation_choices(
    one: Product, above: Product | None, known: Mapping[int, ProductAttribute], terms: Mapping[tuple[str, str], Term]
) -> list[dict[str, Any]]:
    """Return the serialized choices of a variation."""
    own = {kept["key"]: kept for kept in above.attributes} if above else {}
    out = []
    for key, value in one.choices.items():
        kept = own.get(key, {"id": 0, "name": key})
        label = _resolve_attribute_name(kept, known)
        out.append({"id": kept["id"], "name": label, "slug": key, "option": _resolve_option_name(key, value, terms)})
    return out


def _resolve_attribute_name(attribute: Mapping[str, Any], known: Mapping[int, ProductAttribute]) -> str:
    shared = known.get(attribute["id"]) if attribute["id"] else None
    return shared.name if shared else str(attribute["name"])


def _resolve_option_name(key: str, value: str, terms: Mapping[tuple[str, str], Term]) -> str:
    found = terms.get((key, value))
    return found.name if found else value
