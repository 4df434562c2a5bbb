"""Values of fields as texts that compare and sort as the values do, so that one index holds numbers and texts alike.

Rules: docs/rules/custom_field_lists.md, 2.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping
from typing import Any, Final

from vetrina.content.custom_fields.model import CustomField
from vetrina.kernel.folding import build_sort_key

MAX_KEY_LENGTH: Final = 500  # characters of a text that count; PostgreSQL's indexes hold rows of up to 2,704 bytes
_SIGN: Final = 1 << 63
_ALL_BITS: Final = (1 << 64) - 1


def encode_number(value: float) -> str:
    """Return a number as hexadecimal digits that sort as the numbers do. Numbers count with double precision."""
    try:
        number = float(value)
    except OverflowError:
        number = float("inf") if value > 0 else float("-inf")
    # Adding zero makes the negative zero the other one.
    (bits,) = struct.unpack(">Q", struct.pack(">d", number + 0.0))
    # The bits sort as the numbers do, but for the sign, and negative ones the other way round.
    bits = bits ^ _ALL_BITS if bits & _SIGN else bits | _SIGN
    # Zeros at the end change neither order nor difference, and whole numbers end in many.
    return f"{bits:016x}".rstrip("0")


def encode_value(field: CustomField, value: float | str) -> str:
    """Return the key of a value as `CustomField.list_index_values` has it, or of one that it is compared with.

    Texts are folded, so that letter case and accents do not count; choices, addresses and colours are compared exactly.
    """
    if not isinstance(value, str):
        return encode_number(value)
    # Neither database sorts beyond a NUL alike.
    text = value.replace("\0", "\ufffd")
    return build_sort_key(text) if field.type == "text" else text[:MAX_KEY_LENGTH]


def encode_values(field: CustomField, meta: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the keys of what a field holds, or of its default where nobody wrote it; several of a list."""
    stored = meta.get(field.name)
    value = field.default if stored is None else stored
    if field.is_list != isinstance(value, (list, tuple)):
        return ()  # stored before the field was declared so, and not shown either
    return tuple(dict.fromkeys(encode_value(field, one) for one in field.list_index_values(value)))
