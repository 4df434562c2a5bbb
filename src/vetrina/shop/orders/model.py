"""An order, its items and refunds as the domain knows them, and their way to and from their rows.

Not here: what a write means (shop/orders/rules.py, shop/orders/lines.py), what a status does
(shop/orders/transitions.py), which orders a list shows (shop/orders/listing.py).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from decimal import Decimal
from typing import Any, Final

import msgspec
import orjson
from sqlalchemy import bindparam, delete, insert, select, update

from vetrina.backends.database import Row, Statement
from vetrina.backends.id_sequences import next_number, next_numbers
from vetrina.backends.statement_cache import Among, Shapes, listed
from vetrina.backends.tables.orders import order_item as item_table
from vetrina.backends.tables.orders import shop_order as table
from vetrina.core.unit_of_work import Work
from vetrina.kernel import money
from vetrina.kernel.errors import ApiError
from vetrina.kernel.folding import fold
from vetrina.shop import meta_data

__all__ = [
    "BILLING", "COUPON", "FEE", "LINE", "SHIPPING", "SHIPPING_ADDRESS", "TAX", "Item", "Order", "OrderUnknown",
    "by_id", "by_ids", "by_key", "existing", "insert_new", "items_of", "next_item", "next_items", "of_row", "put_items",
    "remove", "remove_items", "search_key", "store",
]  # fmt: skip

_TRASH: Final = "trash"

LINE: Final = "line"
SHIPPING: Final = "shipping"
FEE: Final = "fee"
TAX: Final = "tax"
COUPON: Final = "coupon"

SHIPPING_ADDRESS: Final = (
    "first_name", "last_name", "company", "address_1", "address_2", "city", "state", "postcode", "country", "phone",
)  # fmt: skip
BILLING: Final = (*SHIPPING_ADDRESS[:-1], "email", "phone")


class OrderUnknown(ApiError):
    """No order has the number."""

    status, code = 404, "shop_rest_shop_order_invalid_id"
    message = "There is no order with the number {id}."


class Item(msgspec.Struct, frozen=True):
    """A part of an order or a refund.

    kind: line, shipping, fee, tax, coupon. subtotal: before discounts, without tax. taxes, subtotal_taxes: amounts by
    the number of the rate. code, reference: the method and its instance, the rate's code and number, the coupon's.
    details: of a tax `label`, `compound`, `percent`; of a coupon `kind`, `amount`, `free_shipping`, `discount_tax`.
    """

    id: int
    owner: int
    kind: str
    name: str = ""
    product: int = 0
    variation: int = 0
    quantity: int = 0
    tax_class: str = ""
    tax_status: str = "taxable"
    subtotal: Decimal = money.ZERO
    subtotal_tax: Decimal = money.ZERO
    total: Decimal = money.ZERO
    total_tax: Decimal = money.ZERO
    subtotal_taxes: dict[int, Decimal] = {}
    taxes: dict[int, Decimal] = {}
    code: str = ""
    reference: int = 0
    details: dict[str, Any] = {}

    @property
    def goods(self) -> int:
        """Return the number of what is sold: the variation where there is one, else the product."""
        return self.variation or self.product


class Order(msgspec.Struct, frozen=True):
    """One order. Moments are seconds since 1970; the amounts are what its items come to (shop/taxes/line_totals.py).

    language: what its customer reads, empty for the site's own.
    """

    id: int
    parent: int = 0
    status: str = "pending"
    trashed_status: str = ""
    currency: str = ""
    prices_include_tax: bool = False
    customer: int = 0
    created: int = 0
    modified: int = 0
    paid: int | None = None
    completed: int | None = None
    discount: Decimal = money.ZERO
    discount_tax: Decimal = money.ZERO
    shipping: Decimal = money.ZERO
    shipping_tax: Decimal = money.ZERO
    cart_tax: Decimal = money.ZERO
    total: Decimal = money.ZERO
    total_tax: Decimal = money.ZERO
    order_key: str = ""
    payment_method: str = ""
    payment_method_title: str = ""
    transaction_id: str = ""
    customer_ip: str = ""
    customer_agent: str = ""
    created_via: str = ""
    customer_note: str = ""
    cart_hash: str = ""
    billing: dict[str, str] = {}
    shipping_address: dict[str, str] = {}
    email_key: str = ""
    search_key: str = ""
    stock_taken: bool = False
    coupons_counted: bool = False
    sales_counted: bool = False
    language: str = ""


_NAMES: Final = Order.__struct_fields__
_ITEM_NAMES: Final = Item.__struct_fields__
assert tuple(column.name for column in table.c) == _NAMES, "Order and its table name the same members"
assert tuple(column.name for column in item_table.c) == _ITEM_NAMES, "Item and its table name the same members"

_AMOUNTS: Final = ("discount", "discount_tax", "shipping", "shipping_tax", "cart_tax", "total", "total_tax")
_ITEM_AMOUNTS: Final = ("subtotal", "subtotal_tax", "total", "total_tax")
_FLAGS: Final = ("prices_include_tax", "stock_taken", "coupons_counted", "sales_counted")
_JSON: Final = ("billing", "shipping_address")
# What a column's value becomes, by its place in a row.
_LOADS: Final[list[tuple[int, Callable[[Any], Any]]]] = [
    *((_NAMES.index(name), money.loaded) for name in _AMOUNTS),
    *((_NAMES.index(name), bool) for name in _FLAGS),
    *((_NAMES.index(name), orjson.loads) for name in _JSON),
]

_BY_KEY = Statement(select(table).where(table.c.order_key == bindparam("order_key")))
_BY_ID = Statement(select(table).where(table.c.id == bindparam("id")))
_BY_IDS = Statement(select(table).where(Among(table.c.id, "ids")))
_INSERT = Statement(insert(table).values({name: bindparam(name) for name in _NAMES}))
_REMOVE = Statement(delete(table).where(table.c.id == bindparam("id")))
_UPDATES = Shapes(most=256)
_ITEMS = Statement(select(item_table).where(Among(item_table.c.owner, "owners")).order_by(item_table.c.id))
_INSERT_ITEM = Statement(insert(item_table).values({name: bindparam(name) for name in _ITEM_NAMES}))
_UPDATE_ITEM = Statement(
    update(item_table)
    .where(item_table.c.id == bindparam("of"))
    .values({name: bindparam(name) for name in _ITEM_NAMES if name != "id"})
)
_REMOVE_ITEMS = Statement(delete(item_table).where(Among(item_table.c.id, "ids")))


# -- orders


def of_row(row: Row) -> Order:
    """Return the order of a row."""
    members = list(row)
    for at, load in _LOADS:
        members[at] = load(members[at])
    return Order(*members)


def by_id(work: Work, id: int) -> Order | None:
    """Return the order with a number."""
    work.uses("order")
    row = work.tx.first(_BY_ID, id=id) if id > 0 else None
    return of_row(row) if row else None


def by_key(work: Work, order_key: str) -> Order | None:
    """Return the order with a key, which only its customer and the shop know."""
    work.uses("order")
    row = work.tx.first(_BY_KEY, order_key=order_key)
    return of_row(row) if row else None


def by_ids(work: Work, ids: Iterable[int]) -> dict[int, Order]:
    """Return the orders with some numbers, by number; asks once."""
    work.uses("order")
    return {row[0]: of_row(row) for row in work.tx.all(_BY_IDS, ids=listed(ids))}


def existing(work: Work, id: Any) -> Order:
    """Return the order with a number. Raises OrderUnknown."""
    found = by_id(work, id) if isinstance(id, int) else None
    if found is None:
        raise OrderUnknown(id=id)
    return found


def insert_new(work: Work, new: Order) -> Order:
    """Write a new order and return it as it is kept."""
    new = _with_keys(new)
    work.tx.run(_INSERT, **_values(msgspec.structs.asdict(new)))
    work.note("order", new.id, "created")
    return new


def store(work: Work, old: Order, new: Order) -> Order:
    """Write what differs between two states of an order; it counts as modified now when anything did."""
    if new.billing is not old.billing or new.shipping_address is not old.shipping_address:
        new = _with_keys(new)
    changed = {name: value for name in _NAMES if (value := getattr(new, name)) != getattr(old, name)}
    if not changed:
        return new
    new = msgspec.structs.replace(new, modified=work.now)
    changed["modified"] = work.now
    names = tuple(changed)
    statement = _UPDATES.get(
        names,
        lambda: update(table).where(table.c.id == bindparam("of")).values({name: bindparam(name) for name in names}),
    )
    work.tx.run(statement, of=new.id, **_values(changed))
    work.note("order", new.id, "changed")
    if "status" in changed and _TRASH in (old.status, new.status):
        work.tell("order", new.id, "trashed" if new.status == _TRASH else "restored")
    return new


def remove(work: Work, one: Order) -> None:
    """Remove an order with its items; refunds, notes and downloads go with its row."""
    remove_items(work, items_of(work, (one.id,))[one.id])
    meta_data.remove_of(work, "order", one.id)
    work.tx.run(_REMOVE, id=one.id)
    work.note("order", one.id, "removed")


def _with_keys(one: Order) -> Order:
    """Return an order with what it is found by."""
    return msgspec.structs.replace(one, email_key=fold(one.billing.get("email", "")), search_key=search_key(one))


def search_key(one: Order) -> str:
    """Return what a search among orders looks at."""
    parts = [str(one.id), *one.billing.values(), *one.shipping_address.values()]
    return fold(" ".join(part for part in parts if part))


def _values(members: Mapping[str, Any]) -> dict[str, Any]:
    out = dict(members)
    for name in _AMOUNTS:
        if name in out:
            out[name] = money.stored(out[name])
    for name in _JSON:
        if name in out:
            out[name] = orjson.dumps(out[name]).decode()
    return out


# -- items


def items_of(work: Work, owners: Iterable[int]) -> dict[int, list[Item]]:
    """Return the items of orders and refunds by their numbers, in the order in which they came; asks once."""
    found: dict[int, list[Item]] = {owner: [] for owner in owners}
    if found:
        for row in work.tx.all(_ITEMS, owners=listed(found)):
            item = _item_of_row(row)
            found[item.owner].append(item)
    return found


def next_item(work: Work) -> int:
    """Return the number of a new item."""
    return next_number(work.tx, "order_item")


def next_items(work: Work, many: int) -> range:
    """Return the numbers of some new items."""
    return next_numbers(work.tx, many, "order_item")


def put_items(work: Work, old: Mapping[int, Item], new: Iterable[Item]) -> None:
    """Write items: those that are new, and those that differ from what was there."""
    added = []
    for item in new:
        before = old.get(item.id)
        if before is None:
            added.append(_item_values(item))
        elif before != item:
            values = _item_values(item)
            del values["id"]
            work.tx.run(_UPDATE_ITEM, of=item.id, **values)
    if added:
        work.tx.run_each(_INSERT_ITEM, added)


def remove_items(work: Work, gone: Iterable[Item]) -> None:
    """Remove items with their extra fields."""
    ids = [item.id for item in gone]
    if ids:
        meta_data.remove_of(work, "order_item", *ids)
        work.tx.run(_REMOVE_ITEMS, ids=listed(ids))


def _item_of_row(row: Row) -> Item:
    members = list(row)
    for at, load in _ITEM_LOADS:
        members[at] = load(members[at])
    return Item(*members)


def _taxes(written: str) -> dict[int, Decimal]:
    return {} if written == "{}" else {int(rate): Decimal(tax) for rate, tax in orjson.loads(written).items()}


def _details(written: str) -> dict[str, Any]:
    found: dict[str, Any] = {} if written == "{}" else orjson.loads(written)
    return found


_ITEM_LOADS: Final[list[tuple[int, Callable[[Any], Any]]]] = [
    *((_ITEM_NAMES.index(name), money.loaded) for name in _ITEM_AMOUNTS),
    *((_ITEM_NAMES.index(name), _taxes) for name in ("subtotal_taxes", "taxes")),
    (_ITEM_NAMES.index("details"), _details),
]


def _item_values(item: Item) -> dict[str, Any]:
    out = msgspec.structs.asdict(item)
    for name in _ITEM_AMOUNTS:
        out[name] = money.stored(out[name])
    for name in ("subtotal_taxes", "taxes"):
        out[name] = orjson.dumps({str(rate): str(tax) for rate, tax in out[name].items()}).decode()
    out["details"] = orjson.dumps(item.details).decode()
    return out
