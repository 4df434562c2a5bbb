"""Sets of ids in their stored form, and the size of the union of several.

A set is a list, eight bytes an id in ascending order, or where that is shorter a bitmap: a byte of value 1, the lowest
id in eight bytes, then a bit for each id from it, in whole groups of eight bytes. All numbers are little-endian. So the
length alone tells the two apart, and that of an empty set is 0. For a month's 28,000 customers a bitmap is a tenth of a
list, and joining twelve bitmaps takes no time. Not here: what the ids stand for (analytics/rollups/order_sums.py).
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from struct import pack, unpack
from typing import Final

_HEAD: Final = 9  # bytes of a bitmap before its bits
_GROUP: Final = 64  # bits
_LONG: Final = 256  # ids of a list that is worth the work
_ENDS: Final = 32  # the part of a list that is left out at either end
_WIDE: Final = 16  # bits for each id of several lists, above which a set of the ids takes less time
_DIGITS: Final = b"01" + bytes(254)  # of 0 and 1


def pack_ids(ids: Iterable[int]) -> bytes:
    """Return the stored form of a set: the shorter one, the same for the same set."""
    found = sorted(set(ids))
    if not found:
        return b""
    low, groups = found[0], (found[-1] - found[0]) // _GROUP + 1
    if groups + 2 > len(found):
        return pack(f"<{len(found)}q", *found)
    bits = bytearray(groups * 8)
    for id in found:
        bits[(id - low) >> 3] |= 1 << ((id - low) & 7)
    return b"\1" + _encode(low) + bits


def list_ids(packed: bytes) -> Sequence[int]:
    """Return the ids of a set in ascending order."""
    if not len(packed) & 7:
        return unpack(f"<{len(packed) >> 3}q", packed)
    low = _decode_low(packed)
    return [low + at * 8 + bit for at, byte in enumerate(packed[_HEAD:]) if byte for bit in range(8) if byte >> bit & 1]


def contains_id(packed: bytes, id: int) -> bool:
    """Return whether a set contains an id."""
    if len(packed) & 7:
        at = id - _decode_low(packed)
        return 0 <= at < (len(packed) - _HEAD) * 8 and bool(packed[_HEAD + (at >> 3)] >> (at & 7) & 1)
    ids = list_ids(packed)
    at = bisect_left(ids, id)
    return at < len(ids) and ids[at] == id


def add_id(packed: bytes, id: int) -> bytes:
    """Return a set with an id that it does not contain."""
    ids: Sequence[int]
    if len(packed) & 7:
        at = id - _decode_low(packed)
        if 0 <= at < (len(packed) - _HEAD) * 8:
            return _flip_bit(packed, at)
        return pack_ids([*list_ids(packed), id])
    ids = list_ids(packed)
    # Whether a bitmap is shorter is asked each time the list has doubled.
    if not len(ids) & (len(ids) - 1):
        return pack_ids([*ids, id])
    at = bisect_left(ids, id) * 8
    return packed[:at] + _encode(id) + packed[at:]


def remove_id(packed: bytes, id: int) -> bytes:
    """Return a set without an id that it contains."""
    if len(packed) & 7:
        return _flip_bit(packed, id - _decode_low(packed))
    at = bisect_left(list_ids(packed), id) * 8
    return packed[:at] + packed[at + 8 :]


def count_union(sets: Sequence[bytes]) -> int:
    """Return the size of the union of sets; quick for many short ones."""
    joined = b"".join(sets)
    if not joined:
        return 0
    bitmaps = [packed for packed in sets if len(packed) & 7]
    if not bitmaps and len(joined) < _LONG * 8:
        return len({*unpack(f"<{len(joined) >> 3}q", joined)})
    union = IdUnion()
    for packed in sets:
        union.add(packed)
    return len(union)


class IdUnion:
    """The union of sets in either form."""

    __slots__ = ("_ids", "_lists", "_rows")

    def __init__(self) -> None:
        self._ids: set[int] = set()
        self._lists: list[Sequence[int]] = []  # long ones with few of the ids between their ends
        self._rows: dict[int, int] = {}  # bits by their lowest id

    def add(self, packed: bytes) -> None:
        """Add a set to the union."""
        if len(packed) & 7:
            low = _decode_low(packed)
            self._rows[low] = self._rows.get(low, 0) | int.from_bytes(packed[_HEAD:], "little")
        elif packed:
            self._add_list(list_ids(packed))

    def _add_list(self, ids: Sequence[int]) -> None:
        """Add a list; most of a long one as bits, where only a few ids at its ends keep it from being a bitmap."""
        out = len(ids) // _ENDS
        within = ids[out : len(ids) - out]
        if len(ids) < _LONG:
            self._ids.update(ids)
            return
        if within[-1] - within[0] > _GROUP * len(within):
            self._lists.append(ids)
            return
        low = within[0]
        flags = bytearray(within[-1] - low + 1)
        for id in within:
            flags[low - id - 1] = 1  # the lowest one last
        self._rows[low] = self._rows.get(low, 0) | int(flags.translate(_DIGITS), 2)
        self._ids.update(ids[:out], ids[len(ids) - out :])

    def _join_lists(self) -> None:
        """Add the long lists, as bits where they have enough ids together: along them, unlike a set, memory is near."""
        lists, self._lists = self._lists, []
        low = min(ids[len(ids) // _ENDS] for ids in lists)
        high = max(ids[-1 - len(ids) // _ENDS] for ids in lists)
        # Beside other bits each id of a set would have to be looked for in them.
        if high - low > (_GROUP if self._rows else _WIDE) * sum(map(len, lists)):
            self._ids.update(*lists)
            return
        flags = bytearray(high - low + 1)
        for ids in lists:
            first, end = bisect_left(ids, low), bisect_right(ids, high)
            for id in ids[first:end]:
                flags[high - id] = 1  # the lowest one last
            self._ids.update(ids[:first], ids[end:])
        self._rows[low] = self._rows.get(low, 0) | int(flags.translate(_DIGITS), 2)

    def __len__(self) -> int:
        if self._lists:
            self._join_lists()
        if not self._rows:
            return len(self._ids)
        lowest = min(self._rows)
        bits = 0
        for low, row in self._rows.items():
            bits |= row << (low - lowest)
        end = lowest + bits.bit_length()
        # Bytes are looked at in no time, where a bit of a long number is found by copying the number.
        packed = bits.to_bytes((end - lowest) // 8 + 1, "little")
        places = [id - lowest for id in self._ids if lowest <= id < end]
        both = sum(packed[at >> 3] >> (at & 7) & 1 for at in places)
        return bits.bit_count() + len(self._ids) - both


def _encode(id: int) -> bytes:
    return id.to_bytes(8, "little", signed=True)


def _decode_low(bitmap: bytes) -> int:
    return int.from_bytes(bitmap[1:_HEAD], "little", signed=True)


def _flip_bit(bitmap: bytes, at: int) -> bytes:
    byte = _HEAD + (at >> 3)
    return bitmap[:byte] + bytes((bitmap[byte] ^ 1 << (at & 7),)) + bitmap[byte + 1 :]
