"""Orders and spend of many customers in a stored form that is added up without looking at each of them.

Where many customers of a block of 65,536 ids bought something, each has a lane of four bytes for what they spent and
one of a byte for how many orders they made: all lanes of a block are one number, and blocks of several months are added
by one addition each, in a fifth of the time that a dictionary takes. The others are a list, and so is what does not fit
into a lane: customers with refunds alone, with more than eight orders, with very large amounts. Both are compressed.
Not here: where they are kept (analytics/rollups/customer_sums.py).
"""

from __future__ import annotations

import re
import zlib
from bisect import bisect_left
from collections.abc import Collection, Iterable, Iterator, Sequence
from heapq import nlargest
from itertools import chain, compress, repeat
from operator import add, mod, mul
from struct import pack, unpack
from typing import Final, NamedTuple

LIST: Final = -1  # instead of the number of a block: customers of any
_SHIFT: Final = 16
_SIZE: Final = 1 << _SHIFT  # ids of a block
_FEWEST: Final = 4096  # customers of a block with lanes; adding up as many one by one costs no more
_MOST_SPENT: Final = 1 << 27  # of a lane
_MOST_ORDERS: Final = 8
_MOST_ADDED: Final = 31  # lanes, whose sums then fit into four bytes and one
_UNITS: Final = (10_000, 1_000, 1)  # of amounts in lanes, in millionths; currencies have two decimals or three
_SPEND: Final = 4  # bytes of a lane
_MOST_COMPARED: Final = 15  # lanes, whose sums leave the highest bit of each free
_FREE: Final = 1 << 31
_EACH: Final = int.from_bytes(pack("<I", 1) * _SIZE, "little")  # 1 in each lane
_HIGHEST: Final = _EACH * _FREE
_FLAG: Final = re.compile(b"\x80")  # the highest byte of a lane with that bit alone
_LEVEL: Final = 1  # of compression

CustomerRow = tuple[int, int, int]  # customer, orders, spend in millionths
PackedPart = tuple[int, bytes]  # the number of a block or LIST, and its stored form
_Columns = tuple[Sequence[int], Sequence[int], Sequence[int]]  # those of rows, by id


class CustomerBlock(NamedTuple):
    """Some customers, each once; equal places belong together. spends: in units of so many millionths."""

    ids: Sequence[int]
    orders: Sequence[int]
    spends: Sequence[int]
    unit: int

    def choose(self, stays: Sequence[bool]) -> CustomerBlock:
        """Return the block with some customers alone, by their places."""
        ids, orders, spends = (list(compress(column, stays)) for column in self[:3])
        return CustomerBlock(ids, orders, spends, self.unit)

    def keep(self, ids: Collection[int] | None) -> CustomerBlock:
        """Return the block with some customers alone; None for all."""
        return self if ids is None else self.choose(list(map(ids.__contains__, self.ids)))

    def leave_out(self, ids: Collection[int]) -> CustomerBlock:
        """Return the block without some customers."""
        return self.choose([id not in ids for id in self.ids]) if ids else self


def pack_rows(rows: Iterable[CustomerRow]) -> list[PackedPart]:
    """Return the stored form of customers, each of whom occurs once."""
    blocks: dict[int, list[CustomerRow]] = {}
    for row in sorted(rows):
        blocks.setdefault(row[0] >> _SHIFT, []).append(row)
    out: list[PackedPart] = []
    listed: list[CustomerRow] = []
    for block, some in blocks.items():
        unit = _choose_unit(some)
        if unit is None:
            listed += some
        else:
            out.append((block, _pack_lanes(block, [row for row in some if _fits_lane(row, unit)], unit)))
            listed += (row for row in some if not _fits_lane(row, unit))
    if listed:
        values = [value for column in zip(*listed, strict=True) for value in column]
        out.append((LIST, zlib.compress(pack(f"<{len(values)}q", *values), _LEVEL)))
    return out


def _choose_unit(rows: Sequence[CustomerRow]) -> int | None:
    """Return the unit of lanes for most of the customers of a block, None where too few would have one."""
    fewest = max(_FEWEST, len(rows) * 3 // 4)
    if len(rows) < fewest:
        return None
    return next((unit for unit in _UNITS if sum(_fits_lane(row, unit) for row in rows) >= fewest), None)


def _fits_lane(row: CustomerRow, unit: int) -> bool:
    _, orders, spend = row
    return 0 < orders <= _MOST_ORDERS and 0 <= spend < _MOST_SPENT * unit and not spend % unit


def _pack_lanes(block: int, rows: Iterable[CustomerRow], unit: int) -> bytes:
    spends, counts = [0] * _SIZE, bytearray(_SIZE)
    first = block << _SHIFT
    for id, orders, spend in rows:
        spends[id - first], counts[id - first] = spend // unit, orders
    return pack("<q", unit) + zlib.compress(pack(f"<{_SIZE}I", *spends) + counts, _LEVEL)


class CustomerTotals:
    """The sums of several parts, which may have the same customers."""

    def __init__(self) -> None:
        self._lanes: dict[int, _LaneSums] = {}
        self._lists: list[_Columns] = []

    def add_packed(self, part: PackedPart) -> None:
        """Add a stored part."""
        block, packed = part
        if block != LIST:
            self._lanes.setdefault(block, _LaneSums()).add(packed)
            return
        plain = zlib.decompress(packed)
        values, count = unpack(f"<{len(plain) >> 3}q", plain), len(plain) // 24
        self._lists.append((values[:count], values[count : 2 * count], values[2 * count :]))

    def add_rows(self, rows: Iterable[CustomerRow]) -> None:
        """Add rows of customers, each of whom occurs once."""
        ids, orders, spends = zip(*sorted(rows), strict=True) if rows else ((), (), ())
        self._lists.append((ids, orders, spends))

    def iterate_blocks(self, chosen: Collection[int] | None = None) -> Iterator[CustomerBlock]:
        """Yield all customers with their sums; chosen: only these, None for all."""
        begin = 0
        ids = None if chosen is None else sorted(chosen)
        for block in sorted(self._lanes):
            first = block << _SHIFT
            yield from (one.keep(chosen) for one in self._sum_lists(begin, first))
            lanes, begin = self._lanes[block], first + _SIZE
            for columns in self._cut_lists(first, begin):
                lanes.add_listed(first, *columns)
            here = None if ids is None else ids[bisect_left(ids, first) : bisect_left(ids, begin)]
            yield lanes.read(first, here)
        yield from (one.keep(chosen) for one in self._sum_lists(begin, None))

    def find_highest_spends(self, most: int, without: Collection[int]) -> tuple[list[CustomerBlock], int]:
        """Return those who spent most, `most` of them or more, and how many customers there are in all.

        Of equal amounts all are returned. Nearly all others are not looked at one by one. without: ids left out.
        """
        out: list[CustomerBlock] = []
        total, begin = 0, 0
        edge: int | None = None
        best: list[int] = []
        for block in (*sorted(self._lanes), None):
            first = None if block is None else block << _SHIFT
            found = [one.leave_out(without) for one in self._sum_lists(begin, first)]
            total += sum(len(one.ids) for one in found)
            if block is not None and first is not None:
                begin = first + _SIZE
                listed = [one.leave_out(without) for one in self._sum_lists(first, begin)]
                here = [id - first for id in without if first <= id < begin]
                some, number = self._lanes[block].find_spends(first, listed, here, edge, most)
                found += some
                total += number
            out += found
            spends = chain.from_iterable(map(mul, one.spends, repeat(one.unit)) for one in found)
            best = nlargest(most, chain(best, spends))
            edge = best[-1] if len(best) == most else None
        return out, total

    def list_rows(self) -> list[CustomerRow]:
        """Return all customers with their sums, by id."""
        return sorted(
            (id, orders, spend * block.unit)
            for block in self.iterate_blocks()
            for id, orders, spend in zip(block.ids, block.orders, block.spends, strict=True)
        )

    def _cut_lists(self, first: int, end: int | None) -> Iterator[_Columns]:
        """Yield what the lists have from an id up to another."""
        for columns in self._lists:
            low = bisect_left(columns[0], first)
            high = len(columns[0]) if end is None else bisect_left(columns[0], end)
            if low < high:
                yield columns[0][low:high], columns[1][low:high], columns[2][low:high]

    def _sum_lists(self, first: int, end: int | None) -> Iterator[CustomerBlock]:
        orders: dict[int, int] = {}
        spends: dict[int, int] = {}
        for columns in self._cut_lists(first, end):
            for id, count, spend in zip(*columns, strict=True):
                if id in orders:
                    orders[id] += count
                    spends[id] += spend
                else:
                    orders[id] = count
                    spends[id] = spend
        if orders:
            yield CustomerBlock(list(orders), list(orders.values()), list(spends.values()), 1)


class _LaneSums:
    """The sums of a block, by the place of a customer in it: of the lanes that were added last, and of all before."""

    __slots__ = ("_count", "_lane_unit", "_orders", "_refunded", "_spends", "_total", "_unit")

    def __init__(self) -> None:
        self._total = self._count = self._lane_unit = self._unit = 0
        self._orders: list[int] = []
        self._spends: list[int] = []
        self._refunded: set[int] = set()  # ids of whom a list has no orders

    def add(self, packed: bytes) -> None:
        """Add stored lanes."""
        (unit,) = unpack("<q", packed[:8])
        if self._count == _MOST_ADDED or unit != self._lane_unit:
            self._carry()
            self._lane_unit = unit
        self._total += int.from_bytes(zlib.decompress(packed[8:]), "little")
        self._count += 1

    def add_listed(self, first: int, ids: Sequence[int], orders: Sequence[int], spends: Sequence[int]) -> None:
        """Add customers of a list; first: the first id of the block."""
        self._carry()
        if any(map(mod, spends, repeat(self._unit))):
            self._use_smallest_unit()
        held_orders, held_spends, unit = self._orders, self._spends, self._unit
        for id, count, spend in zip(ids, orders, spends, strict=True):
            at = id - first
            held_orders[at] += count
            held_spends[at] += spend // unit
        if 0 in orders:
            self._refunded.update(id for id, count in zip(ids, orders, strict=True) if not count)

    def find_spends(
        self, first: int, listed: Sequence[CustomerBlock], without: Collection[int], edge: int | None, most: int
    ) -> tuple[list[CustomerBlock], int]:
        """Return who spent at least `edge` millionths, or `most` customers and more, and how many the block has.

        listed: what lists have of the block, which has not been added. without: places left out.
        """
        if self._orders or self._count > _MOST_COMPARED:
            for one in listed:
                self.add_listed(first, one.ids, one.orders, one.spends)
            block = self.read(first).leave_out({first + at for at in without})
            return [block], len(block.ids)
        packed, unit = self._total.to_bytes(_SIZE * (_SPEND + 1), "little"), self._lane_unit
        counts, of_lanes = packed[_SIZE * _SPEND :], packed[: _SIZE * _SPEND]
        spends = unpack(f"<{_SIZE}I", of_lanes)
        out, number = [], _SIZE - counts.count(0) - sum(counts[at] > 0 for at in without)
        apart = set(without)
        for one in listed:
            places = [id - first for id in one.ids]
            held = list(map(counts.__getitem__, places))
            more = map(mul, map(spends.__getitem__, places), repeat(unit))
            sums = list(map(add, one.spends, more))
            out.append(CustomerBlock(one.ids, list(map(add, one.orders, held)), sums, 1))
            apart.update(places)
            number += held.count(0)
        if edge is None:
            # Few of those who have most here have less in all.
            less = len(without) + sum(spend < 0 for one in listed for spend in one.spends)
            lowest = nlargest(most + less, spends)[-1]
        else:
            lowest = max(0, -(-edge // unit))
        if lowest < _FREE:
            high = int.from_bytes(of_lanes, "little") + _EACH * (_FREE - lowest) & _HIGHEST
            flags = high.to_bytes(_SIZE * _SPEND, "little")[_SPEND - 1 :: _SPEND]
            places = [one.start() for one in _FLAG.finditer(flags)]
            places = [at for at in places if counts[at] and at not in apart]
            ids = [first + at for at in places]
            out.append(CustomerBlock(ids, [counts[at] for at in places], [spends[at] for at in places], unit))
        return out, number

    def read(self, first: int, chosen: Sequence[int] | None = None) -> CustomerBlock:
        """Return all customers of the block, or those of some ids of it, in ascending order; first: its first id."""
        self._carry()
        alone = sorted(id for id in self._refunded if not self._orders[id - first])
        of_alone = [self._spends[id - first] for id in alone]
        ids: Sequence[int] = range(first, first + _SIZE)
        orders, spends = self._orders, self._spends
        if chosen is not None:
            places = [id - first for id in chosen]
            ids, orders, spends = chosen, [orders[at] for at in places], [spends[at] for at in places]
            stays = [*map({*alone}.intersection(chosen).__contains__, alone)]
            alone, of_alone = list(compress(alone, stays)), list(compress(of_alone, stays))
        return CustomerBlock(
            [*compress(ids, orders), *alone],
            [*filter(None, orders), *(0 for _ in alone)],
            [*compress(spends, orders), *of_alone],
            self._unit,
        )

    def _carry(self) -> None:
        """Add the lanes to the sums of before, as long as none overflows."""
        if not self._count:
            return
        packed = self._total.to_bytes(_SIZE * (_SPEND + 1), "little")
        spends, orders = list(unpack(f"<{_SIZE}I", packed[: _SIZE * _SPEND])), list(packed[_SIZE * _SPEND :])
        if not self._orders:
            self._spends, self._orders, self._unit = spends, orders, self._lane_unit
        else:
            if self._unit != self._lane_unit:
                self._use_smallest_unit()
                spends = [spend * self._lane_unit for spend in spends]
            self._orders, self._spends = list(map(add, self._orders, orders)), list(map(add, self._spends, spends))
        self._total = self._count = 0

    def _use_smallest_unit(self) -> None:
        self._spends, self._unit = [spend * self._unit for spend in self._spends], 1
