"""Orders and their items as values, and their mapping to rows.

Not here: writes (shop/orders/rules.py, shop/orders/lines.py), effects of a status (shop/orders/transitions.py), lists
(shop/orders/listing.py).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from typing import Any, Final

import msgspec
import orjson
from sqlalchemy import bindparam, select

from vetrina.backends.database import Statement
from vetrina.backends.id_sequences import allocate_id, allocate_ids, raise_sequence
from vetrina.backends.statement_cache import InList, encode_list
from vetrina.backends.store import FLAG, JSON, MONEY, ColumnCodec, Store
from vetrina.backends.tables.orders import order_item as item_table, shop_order as table
from vetrina.core.change_source import Told
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel import money
from vetrina.kernel.errors import ApiError, Failure
from vetrina.kernel.folding import fold_text
from vetrina.shop import meta_data
from vetrina.shop.orders import tallies

_TRASH: Final = "trash"
_DRAFT: Final = "checkout-draft"
_TOLD_MEMBERS: Final = ("status", "total", "currency", "discount", "customer", "payment_method")

LINE: Final = "line"
SHIPPING: Final = "shipping"
FEE: Final = "fee"
TAX: Final = "tax"
COUPON: Final = "coupon"

SHIPPING_FIELDS: Final = (
    "first_name", "last_name", "company", "address_1", "address_2", "city", "state", "postcode", "country", "phone",
)  # fmt: skip
BILLING_FIELDS: Final = (*SHIPPING_FIELDS[:-1], "email", "phone")


class OrderNotFound(ApiError):
    """No order has the id."""

    failure, code = Failure.NOT_FOUND, "shop_rest_shop_order_invalid_id"
    message = "There is no order with the number {id}."


class OrderItem(msgspec.Struct, frozen=True):
    """An item of an order or a refund.

    kind: line, shipping, fee, tax, coupon. subtotal: before discounts, without tax. taxes, subtotal_taxes: amounts by
    tax rate id. code, reference: the shipping method and its instance id, the rate's code and id, the coupon's.
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
    def sellable_id(self) -> int:
        """Return the id of the product sold: the variation where there is one, else the product."""
        return self.variation or self.product


class Order(msgspec.Struct, frozen=True):
    """One order. Times are seconds since 1970; amounts are the sums of its items (shop/orders/totals.py).

    language: the customer's, empty for the site's own. number: what people call it, empty where that is its id.
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
    number: str = ""

    @property
    def shown_number(self) -> str:
        """Return what people call it."""
        return self.number or str(self.id)


STORE: Final = Store(
    table,
    Order,
    {
        **dict.fromkeys(
            ("discount", "discount_tax", "shipping", "shipping_tax", "cart_tax", "total", "total_tax"), MONEY
        ),
        **dict.fromkeys(("prices_include_tax", "stock_taken", "coupons_counted", "sales_counted"), FLAG),
        **dict.fromkeys(("billing", "shipping_address"), JSON),
    },
)
_TAXES: Final = ColumnCodec(
    lambda written: {} if written == "{}" else {int(rate): Decimal(tax) for rate, tax in orjson.loads(written).items()},
    lambda taxes: orjson.dumps({str(rate): str(tax) for rate, tax in taxes.items()}).decode(),
)
_ITEMS: Final = Store(
    item_table,
    OrderItem,
    {
        **dict.fromkeys(("subtotal", "subtotal_tax", "total", "total_tax"), MONEY),
        **dict.fromkeys(("subtotal_taxes", "taxes"), _TAXES),
        "details": JSON,
    },
)

_BY_KEY = Statement(select(*STORE.columns).where(table.c.order_key == bindparam("order_key")))
_ANY_ITEM = Statement(select(item_table.c.id).where(InList(item_table.c.id, "ids")).limit(1))
_ITEMS_OF = Statement(select(*_ITEMS.columns).where(InList(item_table.c.owner, "owners")).order_by(item_table.c.id))


# -- orders


def find_order(work: UnitOfWork, id: int) -> Order | None:
    """Return the order with an id."""
    work.uses("order")
    return STORE.find(work.tx, id)


def find_order_by_key(work: UnitOfWork, order_key: str) -> Order | None:
    """Return the order with a key, which only its customer and the shop know."""
    work.uses("order")
    row = work.tx.first(_BY_KEY, order_key=order_key)
    return STORE.of_row(row) if row else None


def load_orders_by_id(work: UnitOfWork, ids: Iterable[int]) -> dict[int, Order]:
    """Return the orders with some ids, by id, in one query."""
    work.uses("order")
    return STORE.load_by_ids(work.tx, ids)


def expect_order(work: UnitOfWork, id: int) -> None:
    """Have what `load_orders_by_id` reads of one order read with what is asked of the database next."""
    STORE.expect_by_ids(work.tx, (id,))


def get_order(work: UnitOfWork, id: Any) -> Order:
    """Return the order with an id. Raises OrderNotFound."""
    found = find_order(work, id) if isinstance(id, int) else None
    if found is None:
        raise OrderNotFound(id=id)
    return found


def insert_order(work: UnitOfWork, new: Order) -> Order:
    """Insert a new order and return it as stored."""
    new = _update_search_keys(new)
    STORE.insert(work.tx, new)
    tallies.update_tallies(work.tx, None, new.status)
    work.note("order", new.id, "created")
    return new


def save_order(work: UnitOfWork, old: Order, new: Order, *, parts_changed: bool = False) -> Order:
    """Write the differences between two states of an order; its modification time is set when there are any.

    parts_changed: whether its items or extra fields differ, which are stored already.
    """
    if new.billing is not old.billing or new.shipping_address is not old.shipping_address:
        new = _update_search_keys(new)
    if new == old and not parts_changed:
        return new
    new = msgspec.structs.replace(new, modified=work.now)
    STORE.update(work.tx, old, new)
    tallies.update_tallies(work.tx, old.status, new.status)
    work.note("order", new.id, "changed")
    if old.status != _DRAFT:
        # A buyer's checkout fills a draft; from then on it is an order that somebody changes.
        work.describe("order", new.id, members=_describe_members(old, new))
    if new.status != old.status and _TRASH in (old.status, new.status):
        work.tell("order", new.id, "trashed" if new.status == _TRASH else "restored")
    return new


def _describe_members(old: Order, new: Order) -> dict[str, Told | None]:
    """Return what is told of a changed order: its status, and what is about money."""
    told = {name: Told(getattr(old, name), getattr(new, name)) for name in _TOLD_MEMBERS}
    return {name: one for name, one in told.items() if one.old != one.new}


def rewrite_order(work: UnitOfWork, old: Order, new: Order) -> Order:
    """Write an order as it is in another place, with the time of change that it has there, and log the change."""
    new = _update_search_keys(new)
    STORE.update(work.tx, old, new)
    tallies.update_tallies(work.tx, old.status, new.status)
    work.note("order", new.id, "changed")
    return new


def delete_order_with_items(work: UnitOfWork, order: Order) -> None:
    """Delete an order with its items; refunds, notes and downloads are deleted with its row."""
    delete_items(work, load_items_by_owner(work, (order.id,))[order.id])
    meta_data.delete_meta_of_owners(work, "order", order.id)
    STORE.delete(work.tx, order.id)
    tallies.update_tallies(work.tx, order.status, None)
    work.note("order", order.id, "removed")
    if order.status == _DRAFT:
        work.hide_change("order", order.id)
    work.describe("order", order.id, members={"status": Told(order.status), "total": Told(order.total)})


def _update_search_keys(order: Order) -> Order:
    """Return an order with its search keys computed."""
    return msgspec.structs.replace(
        order, email_key=fold_text(order.billing.get("email", "")), search_key=build_search_key(order)
    )


def build_search_key(order: Order) -> str:
    """Return the text that a search among orders looks at."""
    parts = [str(order.id), order.number, *order.billing.values(), *order.shipping_address.values()]
    return fold_text(" ".join(part for part in parts if part))


# -- items


def load_items_by_owner(work: UnitOfWork, owners: Iterable[int]) -> dict[int, list[OrderItem]]:
    """Return the items of orders and refunds by owner id, in their order, in one query."""
    items: dict[int, list[OrderItem]] = {owner: [] for owner in owners}
    if items:
        for item in _ITEMS.of_rows(work.tx.all(_ITEMS_OF, owners=encode_list(items))):
            items[item.owner].append(item)
    return items


def expect_items_by_owner(work: UnitOfWork, owners: Iterable[int]) -> None:
    """Have what `load_items_by_owner` reads read with what is asked of the database next."""
    work.tx.expect(_ITEMS_OF, owners=encode_list(dict.fromkeys(owners)))


def reserve_item_id(work: UnitOfWork) -> int:
    """Return the id of a new item."""
    return allocate_id(work.tx, "order_item")


def reserve_item_ids(work: UnitOfWork, many: int) -> range:
    """Return the ids of some new items."""
    return allocate_ids(work.tx, many, "order_item")


def claim_item_ids(work: UnitOfWork, wanted: Sequence[int]) -> Sequence[int]:
    """Return the ids of new items: those that are wanted where all of them are free, else the next ones."""
    if min(wanted, default=0) <= 0 or work.tx.first(_ANY_ITEM, ids=encode_list(wanted)) is not None:
        return reserve_item_ids(work, len(wanted))
    raise_sequence(work.tx, max(wanted), "order_item")
    return wanted


def save_items(work: UnitOfWork, old: Mapping[int, OrderItem], new: Iterable[OrderItem]) -> None:
    """Write the items that are new or changed."""
    added = []
    for item in new:
        before = old.get(item.id)
        if before is None:
            added.append(item)
        else:
            _ITEMS.update(work.tx, before, item)
    _ITEMS.insert(work.tx, *added)


def delete_items(work: UnitOfWork, gone: Iterable[OrderItem]) -> None:
    """Delete items with their extra fields."""
    ids = [item.id for item in gone]
    if ids:
        meta_data.delete_meta_of_owners(work, "order_item", *ids)
        _ITEMS.delete(work.tx, *ids)
