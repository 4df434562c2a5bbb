"""A product or a variation as a value, and its conversion to and from rows.

Not here: the rules of a write (shop/products/rules.py, shop/variations/rules.py), lists (shop/products/listing.py).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

import msgspec
import orjson
from sqlalchemy import bindparam, delete, insert, or_, select, update

from vetrina.backends.database import Row, Statement
from vetrina.backends.statement_cache import InList, StatementCache, encode_list
from vetrina.backends.tables.catalogue import product as table, product_link
from vetrina.backends.tables.records import record as record_table
from vetrina.content.records import model as record
from vetrina.content.records.model import Record
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel.errors import ApiError, Failure

SIMPLE: Final = "simple"
VARIABLE: Final = "variable"
GROUPED: Final = "grouped"
EXTERNAL: Final = "external"
VARIATION: Final = "variation"

UPSELL: Final = "upsell"
CROSS_SELL: Final = "cross_sell"


class ProductNotFound(ApiError):
    """No product has the id."""

    failure, code = Failure.NOT_FOUND, "shop_rest_product_invalid_id"
    message = "There is no product with the number {id}."


class Product(msgspec.Struct, frozen=True):
    """One product or variation. The members after `record` are the columns of its table, in their order.

    price: the active price; price_from, price_to, regular_from, regular_to: its range, in millionths, None for none.
    sale_from, sale_to: seconds since 1970. stock_quantity: None where stock is not managed. rating: hundredths of
    stars. attributes: of the product, each with `key`, `id`, `name`, `position`, `visible`, `variation`, `options` (of
    local ones). choices: of a variation, the value of each attribute by its key; a missing one may have any value.
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
        """Return the product id of a variation, 0 for none."""
        return self.record.parent

    @property
    def name(self) -> str:
        return self.record.title

    @property
    def is_variation(self) -> bool:
        return self.kind == VARIATION

    @property
    def images(self) -> list[int]:
        """Return the ids of its images, the main image first."""
        own = self.record.featured_media
        return [*((own,) if own else ()), *self.gallery]


_PRODUCT_COLUMN_NAMES = tuple(column.name for column in table.c)[1:]
assert Product.__struct_fields__[1:] == _PRODUCT_COLUMN_NAMES, (
    "Product and its table name the same members in the same order"
)

PRODUCT_COLUMNS: Final = (*record_table.c, *(table.c[name] for name in _PRODUCT_COLUMN_NAMES))
_RECORD_COLUMN_COUNT = len(record_table.c)
_FLAG_INDEXES = tuple(
    _PRODUCT_COLUMN_NAMES.index(name)
    for name in ("featured", "on_sale", "manage_stock", "sold_individually", "virtual", "downloadable")
)
_JSON_INDEXES = tuple(
    (_PRODUCT_COLUMN_NAMES.index(name), {"choices": dict}.get(name, list))
    for name in ("downloads", "gallery", "attributes", "default_attributes", "choices")
)
_EMPTY_JSON = frozenset({"[]", "{}"})
_JSON_NAMES = frozenset(_PRODUCT_COLUMN_NAMES[at] for at, _ in _JSON_INDEXES)

_PRODUCT_JOIN = record_table.join(table, table.c.record == record_table.c.id)
_BY_IDS = Statement(select(*PRODUCT_COLUMNS).select_from(_PRODUCT_JOIN).where(InList(record_table.c.id, "ids")))
_BY_ID = Statement(select(*PRODUCT_COLUMNS).select_from(_PRODUCT_JOIN).where(record_table.c.id == bindparam("id")))
_BY_SKU = Statement(
    select(*PRODUCT_COLUMNS)
    .select_from(_PRODUCT_JOIN)
    .where(table.c.sku_key == bindparam("sku"), record_table.c.status != "trash")
    .order_by(record_table.c.id)
)
_CHILDREN = Statement(
    select(record_table.c.parent, record_table.c.id)
    .where(
        record_table.c.type == "product_variation",
        InList(record_table.c.parent, "parents"),
        or_(record_table.c.status == "publish", record_table.c.status == "private"),
    )
    .order_by(record_table.c.parent, record_table.c.menu_order, record_table.c.id)
)
_VARIATIONS = Statement(
    select(*PRODUCT_COLUMNS)
    .select_from(_PRODUCT_JOIN)
    .where(record_table.c.type == "product_variation", record_table.c.parent == bindparam("parent"))
    .order_by(record_table.c.menu_order, record_table.c.id)
)
_INSERT = Statement(insert(table).values({column.name: bindparam(column.name) for column in table.c}))
_UPDATE_STATEMENTS = StatementCache(most=256)
_ADD_TOTAL_SALES = Statement(
    update(table).where(table.c.record == bindparam("of")).values(total_sales=table.c.total_sales + bindparam("by"))
)
_TOUCH_RECORDS = Statement(
    update(record_table)
    .where(InList(record_table.c.id, "ids"))
    .values(modified=bindparam("local"), modified_gmt=bindparam("gmt"))
)
_ANY_DOWNLOADABLE = Statement(
    select(table.c.record).where(InList(table.c.record, "ids"), table.c.downloadable).limit(1)
)
_LOOKUP_NAME: Final = "products"
_LINKS_BY_PRODUCT = Statement(
    select(product_link.c.record, product_link.c.kind, product_link.c.other)
    .where(InList(product_link.c.record, "ids"))
    .order_by(product_link.c.record, product_link.c.kind, product_link.c.position)
)
_DELETE_LINKS = Statement(
    delete(product_link).where(product_link.c.record == bindparam("record"), product_link.c.kind == bindparam("kind"))
)
_INSERT_LINK = Statement(
    insert(product_link).values({column.name: bindparam(column.name) for column in product_link.c})
)
_GROUPS_BY_MEMBER = Statement(
    select(product_link.c.record).where(product_link.c.kind == GROUPED, product_link.c.other == bindparam("other"))
)


def row_to_product(row: Row) -> Product:
    """Return the product of a row of `COLUMNS`."""
    own = list(row[_RECORD_COLUMN_COUNT:])
    for at in _FLAG_INDEXES:
        own[at] = bool(own[at])
    for at, empty in _JSON_INDEXES:
        own[at] = empty() if own[at] in _EMPTY_JSON else orjson.loads(own[at])
    return Product(record.row_to_record(row[:_RECORD_COLUMN_COUNT]), *own)


def load_products_by_id(work: UnitOfWork, ids: Iterable[int]) -> dict[int, Product]:
    """Return products and variations by id, in one query."""
    work.uses("product", "product_variation")
    wanted = list(dict.fromkeys(ids))
    if not wanted:
        return {}
    return {row[0]: row_to_product(row) for row in work.tx.all(_BY_IDS, ids=encode_list(wanted))}


def has_downloadable_products(work: UnitOfWork, ids: Iterable[int]) -> bool:
    """Return whether any of some products and variations is to be downloaded."""
    return work.tx.first(_ANY_DOWNLOADABLE, ids=encode_list(ids)) is not None


def load_cached_products(work: UnitOfWork, ids: Iterable[int]) -> dict[int, Product]:
    """Return products and variations by id as `load_products_by_id` does, each loaded once in a unit of work.

    For selling them: prices, stock and sales in the cache stay true, other writes to a product are not reflected.
    """
    kept: dict[int, Product] = work.lookups.setdefault(_LOOKUP_NAME, {})
    wanted = [id for id in dict.fromkeys(ids) if id > 0]
    if missing := [id for id in wanted if id not in kept]:
        kept.update(load_products_by_id(work, missing))
    return {id: kept[id] for id in wanted if id in kept}


def expect_products(work: UnitOfWork, ids: Iterable[int]) -> None:
    """Have what `load_cached_products` reads first read with what is asked of the database next."""
    if wanted := [id for id in dict.fromkeys(ids) if id > 0]:
        work.tx.expect(_BY_IDS, ids=encode_list(wanted))


def refresh_cached_product(work: UnitOfWork, one: Product) -> None:
    """Update a product that `load_cached_products` has loaded."""
    kept = work.lookups.get(_LOOKUP_NAME)
    if kept is not None and one.id in kept:
        kept[one.id] = one


def find_product(work: UnitOfWork, id: int) -> Product | None:
    """Return the product or variation with an id."""
    work.uses("product", "product_variation")
    row = work.tx.first(_BY_ID, id=id) if id > 0 else None
    return row_to_product(row) if row else None


def find_product_by_sku(work: UnitOfWork, sku: str) -> Product | None:
    """Return the product or variation with a SKU, in any letter case; trashed ones are skipped."""
    work.uses("product", "product_variation")
    row = work.tx.first(_BY_SKU, sku=sku.lower()) if sku else None
    return row_to_product(row) if row else None


def get_product(work: UnitOfWork, id: Any) -> Product:
    """Return the product or variation with an id. Raises ProductNotFound."""
    found = find_product(work, id) if isinstance(id, int) else None
    if found is None:
        raise ProductNotFound(id=id)
    return found


def resolve_tax_class(work: UnitOfWork, one: Product) -> str:
    """Return the tax class of a product: its parent's for a variation that inherits it."""
    if one.tax_class != "parent":
        return one.tax_class
    above = load_cached_products(work, (one.parent,)).get(one.parent)
    return above.tax_class if above else ""


def resolve_tax_status(work: UnitOfWork, one: Product) -> str:
    """Return the tax status of a product; a variation always has that of its parent, whatever is stored."""
    above = load_cached_products(work, (one.parent,)).get(one.parent) if one.is_variation else None
    return above.tax_status if above else one.tax_status


def list_variation_ids(work: UnitOfWork, parents: Iterable[int]) -> dict[int, list[int]]:
    """Return the ids of the variations of some products that are not trashed, in their order, in one query."""
    found: dict[int, list[int]] = {id: [] for id in parents}
    if found:
        for parent, id in work.tx.all(_CHILDREN, parents=encode_list(found)):
            found[parent].append(id)
    return found


def list_product_variations(work: UnitOfWork, parent: int) -> list[Product]:
    """Return the variations of a product, in their order."""
    return [row_to_product(row) for row in work.tx.all(_VARIATIONS, parent=parent)]


def insert_product(work: UnitOfWork, new: Product) -> None:
    """Insert the row of a product whose record exists."""
    work.tx.run(_INSERT, record=new.id, **_encode_members({name: getattr(new, name) for name in _PRODUCT_COLUMN_NAMES}))


def update_product_row(work: UnitOfWork, old: Product, new: Product) -> bool:
    """Write the differences between two states of a product beside its record, and return whether there were any."""
    changed = {name: value for name in _PRODUCT_COLUMN_NAMES if (value := getattr(new, name)) != getattr(old, name)}
    if not changed:
        return False
    names = tuple(changed)
    statement = _UPDATE_STATEMENTS.get(
        names,
        lambda: (
            update(table).where(table.c.record == bindparam("of")).values({name: bindparam(name) for name in names})
        ),
    )
    work.tx.run(statement, of=new.id, **_encode_members(changed))
    work.note(new.record.type, new.id, "changed")
    refresh_cached_product(work, new)
    return True


def touch_products(work: UnitOfWork, *changed: Product) -> None:
    """Update the modification time of products whose stock, reviews or variations changed."""
    stale = [one for one in changed if one.record.modified_gmt != work.now]
    if not stale:
        return
    work.tx.run(_TOUCH_RECORDS, ids=encode_list(one.id for one in stale), local=work.local_now, gmt=work.now)
    for one in stale:
        now = msgspec.structs.replace(one.record, modified=work.local_now, modified_gmt=work.now)
        refresh_cached_product(work, msgspec.structs.replace(one, record=now))


def update_total_sales(work: UnitOfWork, pieces: Mapping[int, int]) -> None:
    """Add sold quantities by product id; negative ones are subtracted."""
    rows = [{"of": id, "by": by} for id, by in pieces.items() if by]
    if rows:
        work.tx.run_each(_ADD_TOTAL_SALES, rows)
    for id, one in load_cached_products(
        work, (id for id in pieces if id in work.lookups.get(_LOOKUP_NAME, ()))
    ).items():
        refresh_cached_product(work, msgspec.structs.replace(one, total_sales=one.total_sales + pieces[id]))


def _encode_members(members: dict[str, Any]) -> dict[str, Any]:
    return {name: orjson.dumps(value).decode() if name in _JSON_NAMES else value for name, value in members.items()}


# -- links between products


def list_product_links(work: UnitOfWork, ids: Iterable[int]) -> dict[int, dict[str, list[int]]]:
    """Return the linked products of some products, by id and kind of link, in one query."""
    found: dict[int, dict[str, list[int]]] = {}
    wanted = list(ids)
    if wanted:
        for of, kind, other in work.tx.all(_LINKS_BY_PRODUCT, ids=encode_list(wanted)):
            found.setdefault(of, {}).setdefault(kind, []).append(other)
    return found


def save_product_links(work: UnitOfWork, product_id: int, kind: str, others: Iterable[int]) -> None:
    """Replace the linked products of a product, in this order; itself and repeats are skipped."""
    wanted = [other for other in dict.fromkeys(others) if other > 0 and other != product_id]
    work.tx.run(_DELETE_LINKS, record=product_id, kind=kind)
    if wanted:
        work.tx.run_each(
            _INSERT_LINK,
            [{"record": product_id, "kind": kind, "other": other, "position": at} for at, other in enumerate(wanted)],
        )


def list_group_ids(work: UnitOfWork, member: int) -> list[int]:
    """Return the ids of grouped products that contain a product."""
    return [row[0] for row in work.tx.all(_GROUPS_BY_MEMBER, other=member)]
