"""The extra fields that a shop's things have: all of them come, with the addresses in their texts rewritten."""

from __future__ import annotations

from collections.abc import Collection

from vetrina.shop import meta_data
from vetrina.transfer.target.addresses import rewrite_value
from vetrina.transfer.target.incoming_record import IncomingRecord
from vetrina.transfer.target.member_values import list_fields


def write_extra_data(one: IncomingRecord, kind: str, owner: int, without: Collection[str] = ()) -> None:
    """Store the extra fields of a record in place of those that it has here. without: names that are left out."""
    wanted = [
        (name, rewrite_value(one, value))
        for name, value in list_fields(one.values.get("meta_data"))
        if name not in without
    ]
    if one.target:
        meta_data.replace_fields(one.work, kind, {owner: wanted}, private=True)
    else:
        meta_data.insert_fields(one.work, [(kind, owner, name, value) for name, value in wanted])
