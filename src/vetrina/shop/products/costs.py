"""What goods cost the shop itself: products as they are set, lines of orders as they were sold.

A line keeps what its pieces cost when it was made; another quantity takes the same cost for each piece, other goods
their own. A refund gives back what its pieces cost. All of it only while the shop wants it (`is_on`): without, nothing
is shown and nothing written, and what was written before waits. Not here: what a customer pays
(shop/products/prices.py, shop/taxes/line_totals.py). Rules: the members `cost_of_goods_sold` of the interface.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from typing import Any, Final, NamedTuple

from sqlalchemy import bindparam, delete, select

from vetrina.backends.database import Statement
from vetrina.backends.statement_cache import Among, listed, upsert
from vetrina.backends.tables.catalogue import product_cost
from vetrina.backends.tables.orders import order_item, order_item_cost
from vetrina.core.unit_of_work import Work
from vetrina.kernel import money
from vetrina.kernel.errors import Fault, InvalidParam
from vetrina.shop.orders.model import LINE, Item
from vetrina.shop.products import model as product_model
from vetrina.shop.products.model import Product
from vetrina.shop.settings import rules as settings

__all__ = ["MEMBER", "Cost", "copy", "is_on", "keep_lines", "keep_refund", "of_owners", "of_products", "write"]

MEMBER: Final = "cost_of_goods_sold"
_SETTING: Final = "shop_feature_cost_of_goods_sold_enabled"
_MOST: Final = money.LARGEST - 1

_OF_PRODUCTS = Statement(
    select(product_cost.c.record, product_cost.c.value, product_cost.c.is_additive).where(
        Among(product_cost.c.record, "ids")
    )
)
_PUT = Statement(
    upsert(
        product_cost,
        keys=("record",),
        values={name: bindparam(name) for name in ("record", "value", "is_additive")},
        changes={name: bindparam(name) for name in ("value", "is_additive")},
    )
)
_OF_ITEMS = Statement(
    select(order_item_cost.c.item, order_item_cost.c.value).where(Among(order_item_cost.c.item, "ids"))
)
_OF_OWNERS = Statement(
    select(order_item.c.owner, order_item_cost.c.item, order_item_cost.c.value)
    .join_from(order_item_cost, order_item, order_item.c.id == order_item_cost.c.item)
    .where(Among(order_item.c.owner, "owners"))
)
_PUT_ITEM = Statement(
    upsert(
        order_item_cost,
        keys=("item",),
        values={"item": bindparam("item"), "value": bindparam("value")},
        changes={"value": bindparam("value")},
    )
)
_DROP = Statement(delete(product_cost).where(product_cost.c.record == bindparam("of")))


class Cost(NamedTuple):
    """What a piece costs the shop. own: None where nobody said. above: of the product of a variation."""

    own: Decimal | None = None
    is_additive: bool = False
    above: Decimal = money.ZERO

    @property
    def effective(self) -> Decimal:
        """Return what was said of the thing itself, nothing where nothing was."""
        return money.ZERO if self.own is None else self.own

    @property
    def total(self) -> Decimal:
        """Return what a piece costs: a variation adds to its product, takes its place, or says nothing."""
        return self.above + self.effective if self.is_additive or self.own is None else self.own


def is_on(work: Work) -> bool:
    """Say whether the shop wants to know what goods cost it."""
    return settings.is_on(work, _SETTING)


def of_products(work: Work, found: Iterable[Product]) -> dict[int, Cost]:
    """Return the costs of products and variations by number; asks once."""
    wanted = {one.id: one.parent if one.is_variation else 0 for one in found}
    ids = {id for pair in wanted.items() for id in pair if id}
    rows = {row[0]: row for row in work.tx.all(_OF_PRODUCTS, ids=listed(ids))} if ids else {}

    def said(id: int) -> Decimal | None:
        return money.loaded(rows[id][1]) if id in rows and rows[id][1] is not None else None

    return {
        id: Cost(said(id), bool(above and id in rows and rows[id][2]), said(above) or money.ZERO)
        for id, above in wanted.items()
    }


def write(work: Work, one: Product, given: Any) -> None:
    """Store what a client said of a product's cost. given: the member; nothing while the shop does without.

    A product that costs nothing says nothing; a variation may cost nothing where its product does. Raises InvalidParam.
    """
    if not isinstance(given, Mapping) or not is_on(work):
        return
    before = of_products(work, (one,))[one.id]
    own = before.own
    if isinstance(values := given.get("values"), list):
        told = [value.get("defined_value") for value in values if isinstance(value, Mapping)]
        amounts = [money.parsed(str(value)) for value in told if value is not None]
        total = sum((amount for amount in amounts if amount is not None), money.ZERO)
        if None in amounts or abs(total) > _MOST:
            raise InvalidParam({MEMBER: Fault("rest_invalid_param", f"No cost may reach {money.LARGEST:f}.")})
        own = total if amounts and (total or one.is_variation) else None
    additive = given.get("defined_value_is_additive")
    is_additive = additive if isinstance(additive, bool) and one.is_variation else before.is_additive
    if own is None and not is_additive:
        work.tx.run(_DROP, of=one.id)
    else:
        work.tx.run(_PUT, record=one.id, value=None if own is None else money.stored(own), is_additive=is_additive)
    work.note(one.record.type, one.id, "changed")


def copy(work: Work, old: Product, new: Product) -> None:
    """Give a copy of a product what the original costs."""
    kept = of_products(work, (old,))[old.id]
    if kept.own is not None or kept.is_additive:
        value = None if kept.own is None else money.stored(kept.own)
        work.tx.run(_PUT, record=new.id, value=value, is_additive=kept.is_additive)


# -- lines of orders


def keep_lines(work: Work, before: Sequence[Item], items: Sequence[Item]) -> None:
    """Keep what the lines of an order cost, those that are new or sell otherwise than before."""
    if not is_on(work):
        return
    old = {item.id: item for item in before}
    changed = [item for item in items if item.kind == LINE and _sells_otherwise(old.get(item.id), item)]
    if not changed:
        return
    kept = _of_items(work, [item.id for item in changed if item.id in old])
    goods = product_model.known(work, [item.goods for item in changed])
    pieces = of_products(work, goods.values())
    values = {}
    for item in changed:
        was = old.get(item.id)
        if was is not None and was.quantity and was.goods == item.goods and item.id in kept:
            values[item.id] = kept[item.id] * item.quantity / was.quantity
        elif item.goods in pieces:
            values[item.id] = pieces[item.goods].total * item.quantity
    _keep(work, values)


def keep_refund(work: Work, before: Sequence[Item], items: Sequence[Item]) -> None:
    """Keep what the pieces of a refund cost, below nothing. before: the items of the order; items: of the refund."""
    if not is_on(work):
        return
    sold = {item.id: item for item in before}
    kept = _of_items(work, sold)
    back = {item.id: (item, sold.get(item.details["of"])) for item in items if item.kind == LINE}
    _keep(
        work,
        {
            id: kept[was.id] * item.quantity / was.quantity
            for id, (item, was) in back.items()
            if was is not None and was.quantity and was.id in kept
        },
    )


def of_owners(work: Work, owners: Iterable[int]) -> dict[int, dict[int, Decimal]]:
    """Return what the items of orders and refunds cost, by owner and item; asks once."""
    found: dict[int, dict[int, Decimal]] = {owner: {} for owner in owners}
    if found:
        for owner, item, value in work.tx.all(_OF_OWNERS, owners=listed(found)):
            found[owner][item] = money.loaded(value)
    return found


def _sells_otherwise(before: Item | None, item: Item) -> bool:
    return before is None or (before.goods, before.quantity) != (item.goods, item.quantity)


def _of_items(work: Work, ids: Iterable[int]) -> dict[int, Decimal]:
    wanted = list(ids)
    return {id: money.loaded(value) for id, value in work.tx.all(_OF_ITEMS, ids=listed(wanted))} if wanted else {}


def _keep(work: Work, values: Mapping[int, Decimal]) -> None:
    # A cost beyond all measure does not hold up an order.
    rows = [{"item": id, "value": money.stored(max(-_MOST, min(_MOST, value)))} for id, value in values.items()]
    if rows:
        work.tx.run_each(_PUT_ITEM, rows)
