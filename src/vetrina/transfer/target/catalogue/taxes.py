"""Classes and rates of taxes of the source; those that are here already are found again."""

from __future__ import annotations

from typing import Any, Final

from vetrina.content.text.short_texts import sanitize_short_text
from vetrina.kernel.integers import MAX_SAFE_INTEGER
from vetrina.kernel.slugs import slugify
from vetrina.shop.taxes import classes as tax_classes, rate_store as tax_rates
from vetrina.shop.taxes.classes import STANDARD_TAX_CLASS, TaxClass
from vetrina.shop.taxes.rate_store import TaxRate
from vetrina.shop.taxes.schema import STANDARD
from vetrina.transfer.target.incoming_record import IncomingRecord, RecordSkipped
from vetrina.transfer.target.member_values import list_texts, read_flag, read_number, read_text
from vetrina.transfer.target.outcome import Written

_STANDARD_TARGET: Final = MAX_SAFE_INTEGER  # stands in the journal for the standard class, which has no row


def write_tax_class(one: IncomingRecord) -> Written:
    """Write a class, under the slug that products and rates name it by. Raises RecordSkipped."""
    slug, name = slugify(read_text(one.record.id)), sanitize_short_text(one.work.user, one.get_text("name"))
    if slug == STANDARD:
        return Written(_STANDARD_TARGET, adopted=True)
    if not slug:
        raise RecordSkipped("it has no slug")
    known = next((found for found in tax_classes.list_tax_classes(one.work) if found.slug == slug), None)
    if known is not None:
        return Written(known.id, adopted=True)
    return Written(tax_classes.insert_tax_class(one.work, TaxClass(slug, name or slug)).id)


def write_tax_rate(one: IncomingRecord) -> Written:
    """Write a rate; one that says the same is the same. Raises RecordSkipped."""
    work = one.work
    given = _build_given(one)
    slug = given["tax_class"]
    if slug and all(slug != known.slug for known in tax_classes.list_tax_classes(work)):
        raise RecordSkipped(f"its tax class {slug!r} did not come")
    old = tax_rates.load_tax_rates_by_id(work, (one.target,)).get(one.target) if one.target else None
    if old is not None:
        return Written(tax_rates.update_tax_rate(work, old, given).id)
    if not one.keep_ids and (twin := tax_rates.find_equal_rate(work, given)) is not None:
        return Written(twin.id, adopted=True)
    id = one.choose_id(lambda id: bool(tax_rates.load_tax_rates_by_id(work, (id,))))
    return Written(tax_rates.create_tax_rate(work, given, id=id).id)


def _build_given(one: IncomingRecord) -> dict[str, Any]:
    """Return the values of a rate by fields of TaxRate."""
    values = one.values
    slug = read_text(values.get("class"))
    out: dict[str, Any] = {name: read_text(values.get(name)) for name in ("country", "state", "rate", "name")}
    for many, single in (("postcodes", "postcode"), ("cities", "city")):
        # Older versions name one place, or several in one text.
        places = list_texts(values.get(many)) or read_text(values.get(single)).split(";")
        # Everywhere, where none is named: without it places of an earlier run would stay.
        out[many] = [place for place in places if place.strip()] or [tax_rates.EVERYWHERE]
    return {
        **out,
        "priority": read_number(values.get("priority"), TaxRate().priority),
        "compound": read_flag(values.get("compound")),
        "shipping": read_flag(values.get("shipping")),
        "position": read_number(values.get("order")),
        "tax_class": STANDARD_TAX_CLASS.slug if slug == STANDARD else slug,
    }
