"""The attributes of one product: shared ones, whose options are terms, and local ones, whose options are text.

What is kept: of each its key (the taxonomy's name, or the slug of a local name), its place and what it is for; local
ones their options. Not here: the shared attributes themselves (shop/attributes/rules.py), combinations of options
(shop/variations/rules.py). Rules: facts, "Attributes, variations".
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from vetrina.content.terms import rules as term_rules
from vetrina.content.terms import store as term_store
from vetrina.content.terms.store import Term
from vetrina.content.text.sanitizing import plain
from vetrina.core.unit_of_work import Work
from vetrina.kernel import slugs
from vetrina.shop.attributes import rules as attributes
from vetrina.shop.attributes.rules import Attribute
from vetrina.shop.products.model import Product

__all__ = ["assign_options", "choices", "defaults", "of_variation", "options_of", "shown", "shown_defaults", "written"]


def written(work: Work, given: Sequence[Any]) -> list[dict[str, Any]]:
    """Return the attributes that a client gave a product, as they are kept; `options` holds text for all of them."""
    known: dict[int, Attribute] | None = None
    out: list[dict[str, Any]] = []
    for one in given:
        if not isinstance(one, Mapping):
            continue
        id, name = one.get("id") or 0, plain(str(one.get("name") or ""))
        options = [text for option in one.get("options") or () if (text := plain(str(option)).strip())]
        kept = {
            "position": abs(one.get("position") or 0),
            "visible": bool(one.get("visible")),
            "variation": bool(one.get("variation")),
        }
        if id:
            known = attributes.known(work) if known is None else known
            shared = known.get(id)
            if shared is not None and options:
                out.append({"id": id, "key": shared.taxonomy, "name": shared.name, **kept, "options": options})
        elif name and "options" in one:
            out.append({"id": 0, "key": slugs.slugify(name), "name": name, **kept, "options": options})
    unique = {one["key"]: one for one in out}
    return sorted(unique.values(), key=lambda one: int(one["position"]))


def assign_options(work: Work, old: Product | None, id: int, given: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Give a product the terms that its shared attributes name, and return the attributes without these texts.

    Terms that are not there are made; the terms of attributes that the product no longer has are taken away.
    """
    gone = {one["key"] for one in old.attributes if one["id"]} if old else set()
    out = []
    for one in given:
        if one["id"]:
            taxonomy = attributes.taxonomy_named(one["key"], one["name"])
            term_store.assign(work, id, taxonomy, [_term(work, one["key"], text).id for text in one["options"]])
            gone.discard(one["key"])
            one = {**one, "options": []}
        out.append(one)
    for key in gone:
        term_store.assign(work, id, attributes.taxonomy_named(key), ())
    return out


def _term(work: Work, taxonomy: str, text: str) -> Term:
    """Return the term that an option names, made where there is none."""
    slug = slugs.slugify(text)
    found = attributes.terms_by_slug(work, ((taxonomy, slug),)).get((taxonomy, slug))
    if found is not None:
        return found
    try:
        return term_rules.create(work, attributes.taxonomy_named(taxonomy), text)
    except term_rules.TermExists as taken:
        return term_store.by_ids(work.tx, (taken.data["term_id"],))[taken.data["term_id"]]


def options_of(one: Mapping[str, Any], held: Sequence[Term], known: Mapping[int, Attribute]) -> list[str]:
    """Return the options of an attribute of a product; held: the terms of the product."""
    if not one["id"]:
        return list(one["options"])
    shared = known.get(one["id"])
    own = [term for term in held if term.taxonomy == one["key"]]
    return [term.name for term in sorted(own, key=attributes.order_of(shared.order_by if shared else "menu_order"))]


def shown(one: Product, held: Sequence[Term], known: Mapping[int, Attribute]) -> list[dict[str, Any]]:
    """Return the attributes of a product as answers list them."""
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
                "options": options_of(kept, held, known),
            }
        )
    return out


def _key(one: Mapping[str, Any], known: Mapping[int, Attribute]) -> str:
    """Return the key of the attribute that a client names by number or by name."""
    if one.get("id"):
        shared = known.get(one["id"])
        return shared.taxonomy if shared else ""
    return slugs.slugify(str(one.get("name") or ""))


def choices(work: Work, above: Product, given: Sequence[Any]) -> dict[str, str]:
    """Return what a client chose for a variation, by key; attributes that are not for variations are passed over."""
    known = attributes.known(work)
    variable = {one["key"]: one for one in above.attributes if one["variation"]}
    found: dict[str, str] = {}
    for one in given:
        if not isinstance(one, Mapping):
            continue
        key = _key(one, known)
        kept = variable.get(key) or variable.get(attributes.PREFIX + key)
        if kept is not None:
            text = plain(str(one.get("option") or ""))
            found[kept["key"]] = slugs.slugify(text) if kept["id"] else text
    return {key: found[key] for key in variable if found.get(key)}


def defaults(work: Work, own: Sequence[Mapping[str, Any]], given: Sequence[Any]) -> list[dict[str, Any]]:
    """Return the choices that a product begins with, as they are kept; own: its attributes."""
    known = attributes.known(work)
    variable = {one["key"]: one for one in own if one["variation"]}
    out = []
    for one in given:
        if not isinstance(one, Mapping):
            continue
        key = _key(one, known)
        kept = variable.get(key) or variable.get(attributes.PREFIX + key)
        text = plain(str(one.get("option") or ""))
        if kept is not None and text:
            value = slugs.slugify(text) if kept["id"] else text
            out.append({"id": kept["id"], "key": kept["key"], "name": kept["name"], "value": value})
    return out


def shown_defaults(
    one: Product, known: Mapping[int, Attribute], named: Mapping[tuple[str, str], Term]
) -> list[dict[str, Any]]:
    """Return the choices that a product begins with as answers list them; named: terms by taxonomy and slug."""
    return [
        {"id": kept["id"], "name": _label(kept, known), "option": _value(kept["key"], kept["value"], named)}
        for kept in one.default_attributes
    ]


def of_variation(
    one: Product, above: Product | None, known: Mapping[int, Attribute], named: Mapping[tuple[str, str], Term]
) -> list[dict[str, Any]]:
    """Return the choices of a variation as answers list them."""
    own = {kept["key"]: kept for kept in above.attributes} if above else {}
    out = []
    for key, value in one.choices.items():
        kept = own.get(key, {"id": 0, "name": key})
        label = _label(kept, known)
        out.append({"id": kept["id"], "name": label, "slug": key, "option": _value(key, value, named)})
    return out


def _label(kept: Mapping[str, Any], known: Mapping[int, Attribute]) -> str:
    shared = known.get(kept["id"]) if kept["id"] else None
    return shared.name if shared else str(kept["name"])


def _value(key: str, value: str, named: Mapping[tuple[str, str], Term]) -> str:
    found = named.get((key, value))
    return found.name if found else value
