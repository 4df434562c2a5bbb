"""Attributes that products share: each has a taxonomy of its own, which its slug names."""

from __future__ import annotations

from typing import Final

from vetrina.content.text.short_texts import sanitize_short_text
from vetrina.kernel import slugs
from vetrina.shop.attributes import rules as attributes
from vetrina.shop.attributes.rules import TAXONOMY_PREFIX, TERM_ORDERS, ProductAttribute
from vetrina.transfer.target.incoming_record import IncomingRecord, RecordSkipped
from vetrina.transfer.target.member_values import choose_value, read_flag
from vetrina.transfer.target.outcome import Written

_TYPE: Final = "select"


def write_attribute(one: IncomingRecord) -> Written:
    """Write an attribute; one that has the slug here already is found again. Raises RecordSkipped."""
    work = one.work
    name = sanitize_short_text(work.user, one.get_text("name")).strip()
    # Longer ones than may be given here are kept: products and addresses name values by them.
    slug = slugs.slugify(one.get_text("slug") or name).removeprefix(TAXONOMY_PREFIX)
    if not slug:
        raise RecordSkipped("it has no name that makes a slug")
    held = attributes.load_attributes(work)
    old = held.get(one.target)
    twin = next((found for found in held.values() if found.slug == slug and found.id != one.target), None)
    if old is None and twin is not None:
        return Written(twin.id, adopted=True)
    if twin is not None:
        raise RecordSkipped(f"its slug {slug!r} is that of attribute {twin.id}")
    new = ProductAttribute(
        id=old.id if old else one.choose_id(held.__contains__),
        name=name or slug,
        slug=slug,
        type=slugs.slugify(one.get_text("type")) or _TYPE,
        order_by=choose_value(one, "order_by", TERM_ORDERS, TERM_ORDERS[0]),
        has_archives=read_flag(one.values.get("has_archives")),
    )
    return Written((attributes.save_attribute(work, old, new) if old else attributes.insert_attribute(work, new)).id)
