"""A product or a variation as the domain knows it, and its way to and from its rows.

Not here: what a write means (shop/products/rules.py, shop/variations/rules.py), which ones a list shows
(shop/products/listing.py).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

import msgspec
import orjson
from sqlalchemy import bindparam, delete, insert, or_, select, update

from vetrina.backends.database import Row, Statement
from vetrina.backends.statement_cache import Among, Shapes, listed
from vetrina.backends.tables.catalogue import product as table
from vetrina.backends.tables.catalogue import product_link
from vetrina.backends.tables.core import record as record_table
from vetrina.content.records import model as record
from vetrina.content.records.model import Record
from vetrina.core.unit_of_work import Work
from vetrina.kernel.errors import ApiError

__all__ = [
    "COLUMNS",
    "CROSS_SELL",
    "EXTERNAL",
    "GROUPED",
    "SIMPLE",
    "UPSELL",
    "VARIABLE",
    "VARIATION",
    "Product",
    "ProductUnknown",
    "by_id",
    "by_ids",
    "by_sku",
    "children",
    "existing",
    "groups_of",
    "insert_new",
    "keep",
    "known",
    "linked",
    "of_row",
    "put_links",
    "sold",
    "store",
    "tax_class_of",
    "tax_status_of",
    "touch",
    "variations_of",
]  # fmt: skip

SIMPLE: Final = "simple"
VARIABLE: Final = "variable"
GROUPED: Final = "grouped"
EXTERNAL: Final = "external"
VARIATION: Final = "variation"

UPSELL: Final = "upsell"
CROSS_SELL: Final = "cross_sell"


class ProductUnknown(ApiError):
    """No product has the number."""

    status, code = 404, "shop_rest_product_invalid_id"
    message = "There is no product with the number {id}."


class Product(msgspec.Struct, frozen=True):
    """One product or variation. The members after `record` are the columns of its table, in their order.

    price: what holds now; price_from, price_to, regular_from, regular_to: its range, in millionths, None for none.
    sale_from, sale_to: seconds since 1970. stock_quantity: None where nobody counts. rating: hundredths of stars.
    attributes: of the product, each with `key`, `id`, `name`, `position`, `visible`, `variation`, `options` (of local
    ones). choices: of a variation, the value of each attribute by its key; one that is missing may be any.
    """

    record: Record
    kind: str = SIMPLE
    sku: str = ""
    sku_key: str = ""
    global_unique_id: str = ""
    visibility: str = "visible"
    featured: bool = False
    regular_price: str = ""
    sale_price: str = ""
    sale_from: int | None = None
    sale_to: int | None = None
    price: str = ""
    price_from: int | None = None
    price_to: int | None = None
    regular_from: int | None = None
    regular_to: int | None = None
    on_sale: bool = False
    total_sales: int = 0
    tax_status: str = "taxable"
    tax_class: str = ""
    manage_stock: bool = False
    stock_quantity: int | None = None
    stock_status: str = "instock"
    backorders: str = "no"
    low_stock_amount: int | None = None
    sold_individually: bool = False
    weight: str = ""
    length: str = ""
    width: str = ""
    height: str = ""
    virtual: bool = False
    downloadable: bool = False
    downloads: list[dict[str, str]] = []
    download_limit: int = -1
    download_expiry: int = -1
    external_url: str = ""
    button_text: str = ""
    purchase_note: str = ""
    rating: int = 0
    rating_count: int = 0
    gallery: list[int] = []
    attributes: list[dict[str, Any]] = []
    default_attributes: list[dict[str, Any]] = []
    choices: dict[str, str] = {}

    @property
    def id(self) -> int:
        return self.record.id

    @property
    def parent(self) -> int:
        """Return the product that a variation belongs to, 0 for none."""
        return self.record.parent

    @property
    def name(self) -> str:
        return self.record.title

    @property
    def is_variation(self) -> bool:
        return self.kind == VARIATION

    @property
    def images(self) -> list[int]:
        """Return the numbers of its images, that which stands for it first."""
        own = self.record.featured_media
        return [*((own,) if own else ()), *self.gallery]


_OWN = tuple(column.name for column in table.c)[1:]
assert Product.__struct_fields__[1:] == _OWN, "Product and its table name the same members in the same order"

COLUMNS: Final = (*record_table.c, *(table.c[name] for name in _OWN))
_RECORD = len(record_table.c)
_FLAGS = tuple(
    _OWN.index(name) for name in ("featured", "on_sale", "manage_stock", "sold_individually", "virtual", "downloadable")
)
_JSON = tuple(
    (_OWN.index(name), {"choices": dict}.get(name, list))
    for name in ("downloads", "gallery", "attributes", "default_attributes", "choices")
)
_EMPTY = frozenset({"[]", "{}"})
_JSON_NAMES = frozenset(_OWN[at] for at, _ in _JSON)

_join = record_table.join(table, table.c.record == record_table.c.id)
_BY_IDS = Statement(select(*COLUMNS).select_from(_join).where(Among(record_table.c.id, "ids")))
_BY_ID = Statement(select(*COLUMNS).select_from(_join).where(record_table.c.id == bindparam("id")))
_BY_SKU = Statement(
    select(*COLUMNS)
    .select_from(_join)
    .where(table.c.sku_key == bindparam("sku"), record_table.c.status != "trash")
    .order_by(record_table.c.id)
)
_CHILDREN = Statement(
    select(record_table.c.parent, record_table.c.id)
    .where(
        record_table.c.type == "product_variation",
        Among(record_table.c.parent, "parents"),
        or_(record_table.c.status == "publish", record_table.c.status == "private"),
    )
    .order_by(record_table.c.parent, record_table.c.menu_order, record_table.c.id)
)
_VARIATIONS = Statement(
    select(*COLUMNS)
    .select_from(_join)
    .where(record_table.c.type == "product_variation", record_table.c.parent == bindparam("parent"))
    .order_by(record_table.c.menu_order, record_table.c.id)
)
_INSERT = Statement(insert(table).values({column.name: bindparam(column.name) for column in table.c}))
_UPDATES = Shapes(most=256)
_SOLD = Statement(
    update(table).where(table.c.record == bindparam("of")).values(total_sales=table.c.total_sales + bindparam("by"))
)
_TOUCH = Statement(
    update(record_table)
    .where(Among(record_table.c.id, "ids"))
    .values(modified=bindparam("local"), modified_gmt=bindparam("gmt"))
)
_MEMO: Final = "products"
_LINKED = Statement(
    select(product_link.c.record, product_link.c.kind, product_link.c.other)
    .where(Among(product_link.c.record, "ids"))
    .order_by(product_link.c.record, product_link.c.kind, product_link.c.position)
)
_UNLINK = Statement(
    delete(product_link).where(product_link.c.record == bindparam("record"), product_link.c.kind == bindparam("kind"))
)
_LINK = Statement(insert(product_link).values({column.name: bindparam(column.name) for column in product_link.c}))
_GROUPS_OF = Statement(
    select(product_link.c.record).where(product_link.c.kind == GROUPED, product_link.c.other == bindparam("other"))
)


def of_row(row: Row) -> Product:
    """Return the product of a row of `COLUMNS`."""
    own = list(row[_RECORD:])
    for at in _FLAGS:
        own[at] = bool(own[at])
    for at, empty in _JSON:
        own[at] = empty() if own[at] in _EMPTY else orjson.loads(own[at])
    return Product(record.of_row(row[:_RECORD]), *own)


def by_ids(work: Work, ids: Iterable[int]) -> dict[int, Product]:
    """Return the products and variations with some numbers, by number; asks once."""
    work.uses("product", "product_variation")
    wanted = list(dict.fromkeys(ids))
    if not wanted:
        return {}
    return {row[0]: of_row(row) for row in work.tx.all(_BY_IDS, ids=listed(wanted))}


def known(work: Work, ids: Iterable[int]) -> dict[int, Product]:
    """Return the products and variations with some numbers as `by_ids` does, each looked up once in a work.

    For whoever sells them: prices, stock and sales stay true in what is kept, other writes to a product do not show.
    """
    kept: dict[int, Product] = work.memo.setdefault(_MEMO, {})
    wanted = [id for id in dict.fromkeys(ids) if id > 0]
    if missing := [id for id in wanted if id not in kept]:
        kept.update(by_ids(work, missing))
    return {id: kept[id] for id in wanted if id in kept}


def keep(work: Work, one: Product) -> None:
    """Let `known` find a product as it is now, where it has looked it up."""
    kept = work.memo.get(_MEMO)
    if kept is not None and one.id in kept:
        kept[one.id] = one


def by_id(work: Work, id: int) -> Product | None:
    """Return the product or variation with a number."""
    work.uses("product", "product_variation")
    row = work.tx.first(_BY_ID, id=id) if id > 0 else None
    return of_row(row) if row else None


def by_sku(work: Work, sku: str) -> Product | None:
    """Return the product or variation with a stock number, in any letter case; trashed ones are passed over."""
    work.uses("product", "product_variation")
    row = work.tx.first(_BY_SKU, sku=sku.lower()) if sku else None
    return of_row(row) if row else None


def existing(work: Work, id: Any) -> Product:
    """Return the product or variation with a number. Raises ProductUnknown."""
    found = by_id(work, id) if isinstance(id, int) else None
    if found is None:
        raise ProductUnknown(id=id)
    return found


def tax_class_of(work: Work, one: Product) -> str:
    """Return the tax class that holds for a product: that of the product above for a variation that says so."""
    if one.tax_class != "parent":
        return one.tax_class
    above = known(work, (one.parent,)).get(one.parent)
    return above.tax_class if above else ""


def tax_status_of(work: Work, one: Product) -> str:
    """Return whether a product is taxed; a variation is taxed as the product above it is, whatever it was given."""
    above = known(work, (one.parent,)).get(one.parent) if one.is_variation else None
    return above.tax_status if above else one.tax_status


def children(work: Work, parents: Iterable[int]) -> dict[int, list[int]]:
    """Return the numbers of the variations of some products that are in use, in their order; asks once."""
    found: dict[int, list[int]] = {id: [] for id in parents}
    if found:
        for parent, id in work.tx.all(_CHILDREN, parents=listed(found)):
            found[parent].append(id)
    return found


def variations_of(work: Work, parent: int) -> list[Product]:
    """Return the variations of a product, in their order."""
    return [of_row(row) for row in work.tx.all(_VARIATIONS, parent=parent)]


def insert_new(work: Work, new: Product) -> None:
    """Write the row of a product whose record is written."""
    work.tx.run(_INSERT, record=new.id, **_values({name: getattr(new, name) for name in _OWN}))


def store(work: Work, old: Product, new: Product) -> bool:
    """Write what differs between two states of a product beside its record, and return whether anything did."""
    changed = {name: value for name in _OWN if (value := getattr(new, name)) != getattr(old, name)}
    if not changed:
        return False
    names = tuple(changed)
    statement = _UPDATES.get(
        names,
        lambda: (
            update(table).where(table.c.record == bindparam("of")).values({name: bindparam(name) for name in names})
        ),
    )
    work.tx.run(statement, of=new.id, **_values(changed))
    work.note(new.record.type, new.id, "changed")
    keep(work, new)
    return True


def touch(work: Work, *changed: Product) -> None:
    """Note at products that they changed now: their stock did, their reviews, or the variations of theirs."""
    stale = [one for one in changed if one.record.modified_gmt != work.now]
    if not stale:
        return
    work.tx.run(_TOUCH, ids=listed(one.id for one in stale), local=work.local_now, gmt=work.now)
    for one in stale:
        now = msgspec.structs.replace(one.record, modified=work.local_now, modified_gmt=work.now)
        keep(work, msgspec.structs.replace(one, record=now))


def sold(work: Work, pieces: Mapping[int, int]) -> None:
    """Count pieces as sold, by the number of the product; fewer than none: as not sold after all."""
    rows = [{"of": id, "by": by} for id, by in pieces.items() if by]
    if rows:
        work.tx.run_each(_SOLD, rows)
    for id, one in known(work, (id for id in pieces if id in work.memo.get(_MEMO, ()))).items():
        keep(work, msgspec.structs.replace(one, total_sales=one.total_sales + pieces[id]))


def _values(members: dict[str, Any]) -> dict[str, Any]:
    return {name: orjson.dumps(value).decode() if name in _JSON_NAMES else value for name, value in members.items()}


# -- links between products


def linked(work: Work, ids: Iterable[int]) -> dict[int, dict[str, list[int]]]:
    """Return which products some name, by their number and the kind of the link; asks once."""
    found: dict[int, dict[str, list[int]]] = {}
    wanted = list(ids)
    if wanted:
        for of, kind, other in work.tx.all(_LINKED, ids=listed(wanted)):
            found.setdefault(of, {}).setdefault(kind, []).append(other)
    return found


def put_links(work: Work, of: int, kind: str, others: Iterable[int]) -> None:
    """Let a product name these others, in this order; itself and repeats are passed over."""
    wanted = [other for other in dict.fromkeys(others) if other > 0 and other != of]
    work.tx.run(_UNLINK, record=of, kind=kind)
    if wanted:
        work.tx.run_each(
            _LINK, [{"record": of, "kind": kind, "other": other, "position": at} for at, other in enumerate(wanted)]
        )


def groups_of(work: Work, member: int) -> list[int]:
    """Return the grouped products that name a product."""
    return [row[0] for row in work.tx.all(_GROUPS_OF, other=member)]
