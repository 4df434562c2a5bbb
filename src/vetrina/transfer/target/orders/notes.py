"""Notes on orders on their way in; those for customers are told to nobody again."""

from __future__ import annotations

from vetrina.backends.id_sequences import claim_id
from vetrina.content.text.short_texts import sanitize_short_text
from vetrina.shop.orders import notes as order_notes
from vetrina.shop.orders.notes import SHOP_AUTHOR, OrderNote
from vetrina.transfer.target.addresses import rewrite_addresses
from vetrina.transfer.target.incoming_record import IncomingRecord
from vetrina.transfer.target.journal import RECORD
from vetrina.transfer.target.member_values import read_flag, read_moment
from vetrina.transfer.target.outcome import Written


def write_note(one: IncomingRecord) -> Written:
    """Write a note on an order that came. Raises ReferenceMissing."""
    work = one.work
    order = one.require(RECORD, one.record.parent, "order")
    old = order_notes.find_order_note(work, one.target) if one.target else None
    created = read_moment(one, "date_created")
    own_id = one.choose_id(lambda id: order_notes.find_order_note(work, id) is not None)
    new = OrderNote(
        old.id if old else claim_id(work.tx, own_id, "order_note"), order,
        one.get_text("author") or SHOP_AUTHOR, (old.created if old else work.now) if created is None else created,
        rewrite_addresses(one, sanitize_short_text(work.user, one.get_text("note"))),
        read_flag(one.values.get("customer_note")),
    )  # fmt: skip
    order_notes.store_order_note(work, old, new)
    return Written(new.id)
