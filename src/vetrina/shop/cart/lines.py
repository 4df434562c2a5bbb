"""Lines of a cart: which products may be bought, in what quantity, and which variation the client means.

Not here: prices (shop/cart/line_prices.py). Rules: docs/rules/cart.md, 3, 4 and 5: lines of the same product with the
same choices are merged, and a cart cannot hold more than is in stock.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

import msgspec

from vetrina.content.terms import store as term_store
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel import slugs
from vetrina.kernel.errors import ApiError, Failure
from vetrina.shop.attributes import rules as attributes
from vetrina.shop.cart import store as cart_store
from vetrina.shop.cart.store import Cart, CartLine
from vetrina.shop.products import model as product_model, prices as product_prices, stock as product_stock
from vetrina.shop.products.model import EXTERNAL, GROUPED, VARIABLE, Product
from vetrina.shop.products.stock import InsufficientStock
from vetrina.shop.settings import rules as settings

MAX_LINES: Final = 100
MAX_QUANTITY: Final = 9999
_PUBLISHED: Final = "publish"


class InvalidCartProduct(ApiError):
    code = "shop_rest_cart_invalid_product"
    message = "There is no product with the number {id} to be bought."


class ProductNotPurchasable(ApiError):
    code = "shop_rest_product_not_purchasable"
    message = "{name!r} is not for sale here."


class ProductOutOfStock(ApiError):
    code = "shop_rest_product_out_of_stock"
    message = "{name!r} is sold out."


class InvalidCartQuantity(ApiError):
    code = "shop_rest_product_invalid_quantity"
    message = "A quantity is a whole number from 1 on."


class QuantityOutOfRange(ApiError):
    code = "invalid_quantity"
    message = "From {least} to {most} pieces of {name!r} may be in a cart; remove the line to have none."


class ProductSoldIndividually(ApiError):
    code = "readonly_quantity"
    message = "Only one {name!r} may be in a cart."


class CartFull(ApiError):
    code = "shop_rest_cart_too_many_items"
    message = "A cart holds {most} lines at most."


class MissingVariationChoices(ApiError):
    code = "shop_rest_missing_attributes"
    message = "Send `variation`: a list of objects with `attribute` and `value`, for {names}."


class MissingVariationValue(ApiError):
    code = "shop_rest_missing_variation_data"
    message = "These attributes have no value: {names}."


class InvalidVariationChoice(ApiError):
    code = "shop_rest_invalid_variation_data"
    message = "{name!r} cannot be {value!r} here."


class NoMatchingVariation(ApiError):
    code = "shop_rest_variation_id_from_variation_data"
    message = "There is no such combination of {name!r}."


class CartLineNotFound(ApiError):
    """A conflict in operations; at the line's own URL there is nothing."""

    failure, code = Failure.CONFLICT, "shop_rest_cart_invalid_key"
    failures = (Failure.NOT_FOUND, Failure.CONFLICT)
    message = "The cart has no line with this key."


class Sellable(msgspec.Struct, frozen=True):
    """A product or variation that a line is about. parent_product: the product of a variation."""

    one: Product
    parent_product: Product | None = None

    @property
    def root(self) -> Product:
        """Return the product that has a page: the variation's parent, or the product itself."""
        return self.parent_product or self.one

    @property
    def name(self) -> str:
        return self.root.name

    @property
    def stock_holder(self) -> Product | None:
        """Return the product or variation whose stock is counted, None where stock is not managed."""
        if self.one.manage_stock:
            return self.one
        return self.parent_product if self.parent_product is not None and self.parent_product.manage_stock else None

    @property
    def is_sold_individually(self) -> bool:
        """Return whether a cart may hold only one of it."""
        return self.root.sold_individually


def load_sellables(work: UnitOfWork, ids: Iterable[int]) -> dict[int, Sellable]:
    """Return the products and variations with some ids, in two queries at most."""
    found = product_model.load_cached_products(work, ids)
    above = product_model.load_cached_products(
        work, {one.parent for one in found.values() if one.is_variation and one.parent}
    )
    return {id: Sellable(one, above.get(one.parent) if one.is_variation else None) for id, one in found.items()}


def is_purchasable(work: UnitOfWork, sellable: Sellable) -> bool:
    """Return whether something is for sale: published, with a price, and sold here on its own."""
    one = sellable.one
    if one.kind in (VARIABLE, GROUPED, EXTERNAL) or one.record.status != _PUBLISHED or sellable.root.record.password:
        return False
    if one.is_variation and (sellable.parent_product is None or sellable.parent_product.record.status != _PUBLISHED):
        return False
    return product_prices.compute_active_price(one, work.now) != ""


def compute_max_quantity(work: UnitOfWork, sellable: Sellable) -> int:
    """Return how many pieces of something a cart may hold."""
    if sellable.is_sold_individually:
        return 1
    counter = sellable.stock_holder
    if counter is None or counter.backorders != "no":
        return MAX_QUANTITY
    return max(min(counter.stock_quantity or 0, MAX_QUANTITY), 1)


def find_refusal(work: UnitOfWork, sellable: Sellable | None, wanted: int) -> ApiError | None:
    """Return why a quantity cannot be bought, None where it can."""
    if sellable is None:
        return InvalidCartProduct(id=0)
    if not is_purchasable(work, sellable):
        return ProductNotPurchasable(name=sellable.name)
    if sellable.one.stock_status == product_stock.OUT_OF_STOCK:
        return ProductOutOfStock(name=sellable.name)
    counter = sellable.stock_holder
    counts = counter is not None and counter.backorders == "no" and settings.is_setting_on(work, "shop_manage_stock")
    left = counter.stock_quantity or 0 if counter is not None and counts else MAX_QUANTITY
    return InsufficientStock(left=max(left, 0), name=sellable.name) if wanted > left else None


def add_line(
    work: UnitOfWork, old: Cart, id: int, quantity: int, given: Sequence[Mapping[str, Any]]
) -> tuple[Cart, CartLine]:
    """Return the cart with a product added, and its line.

    given: the chosen attributes of a variable product, as objects with `attribute` and `value`.
    Raises InvalidCartProduct, ProductNotPurchasable, MissingVariationChoices, MissingVariationValue,
    InvalidVariationChoice, NoMatchingVariation, InvalidCartQuantity, ProductSoldIndividually, ProductOutOfStock,
    InsufficientStock, CartFull.
    """
    sellable = load_sellables(work, (id,)).get(id) if id > 0 else None
    if sellable is None or sellable.root.record.status == "trash":
        raise InvalidCartProduct(id=id)
    if sellable.root.record.status != _PUBLISHED or sellable.root.kind in (GROUPED, EXTERNAL):
        raise ProductNotPurchasable(name=sellable.name)
    sellable, choices = resolve_variation(work, sellable, given)
    if quantity <= 0:
        raise InvalidCartQuantity
    key = cart_store.compute_line_key(sellable.one.id, choices)
    before = old.find_line(key)
    if sellable.is_sold_individually and any(line.goods == sellable.one.id for line in old.lines):
        raise ProductSoldIndividually(name=sellable.name)
    # A product that is sold individually is added once, whatever the quantity.
    wanted = 1 if sellable.is_sold_individually else quantity + (before.quantity if before else 0)
    _check_quantity(work, old, sellable, key, wanted)
    if before is None and len(old.lines) >= MAX_LINES:
        raise CartFull(most=MAX_LINES)
    if wanted > MAX_QUANTITY:
        raise InsufficientStock(left=MAX_QUANTITY, name=sellable.name)
    line = CartLine(key, sellable.one.id, wanted, choices)
    return _replace_line(old, line), line


def update_line_quantity(work: UnitOfWork, old: Cart, key: str, quantity: int) -> tuple[Cart, CartLine]:
    """Return the cart with a line's new quantity. Raises CartLineNotFound, QuantityOutOfRange and as `add_line`."""
    before = old.find_line(key)
    if before is None:
        raise CartLineNotFound
    goods = load_sellables(work, (before.goods,)).get(before.goods)
    if goods is None:
        raise InvalidCartProduct(id=before.goods)
    if goods.is_sold_individually and quantity != 1:
        raise ProductSoldIndividually(name=goods.name)
    if not 1 <= quantity <= compute_max_quantity(work, goods):
        raise QuantityOutOfRange(least=1, most=compute_max_quantity(work, goods), name=goods.name)
    _check_quantity(work, old, goods, key, quantity)
    line = msgspec.structs.replace(before, quantity=quantity)
    return _replace_line(old, line), line


def remove_line(old: Cart, key: str) -> Cart:
    """Return the cart without a line. Raises CartLineNotFound."""
    if old.find_line(key) is None:
        raise CartLineNotFound
    return msgspec.structs.replace(old, lines=tuple(line for line in old.lines if line.key != key))


def _replace_line(old: Cart, line: CartLine) -> Cart:
    known = old.find_line(line.key) is not None
    lines = tuple(line if one.key == line.key else one for one in old.lines) if known else (*old.lines, line)
    return msgspec.structs.replace(old, lines=lines)


def _check_quantity(work: UnitOfWork, old: Cart, sellable: Sellable, key: str, wanted: int) -> None:
    """Raise the reason why a cart cannot hold a quantity; other lines may draw on the same stock."""
    counter = sellable.stock_holder
    if counter is not None and len(old.lines) > (old.find_line(key) is not None):
        others = [line for line in old.lines if line.key != key]
        held = load_sellables(work, (line.goods for line in others))
        wanted += sum(
            line.quantity
            for line in others
            if line.goods in held and (other := held[line.goods].stock_holder) is not None and other.id == counter.id
        )
    refusal = find_refusal(work, sellable, wanted)
    if refusal is not None:
        raise refusal


# -- choice of the variation


def resolve_variation(
    work: UnitOfWork, sellable: Sellable, given: Sequence[Mapping[str, Any]]
) -> tuple[Sellable, dict[str, str]]:
    """Return the variation that a product and chosen attributes name, and the choices by attribute key.

    Raises MissingVariationChoices, MissingVariationValue, InvalidVariationChoice, NoMatchingVariation.
    """
    root = sellable.root
    if root.kind != VARIABLE:
        return sellable, {}
    wanted = [one for one in root.attributes if one["variation"]]
    known = attributes.load_attributes(work) if any(one["id"] for one in wanted) else {}
    labels = {one["key"]: known[one["id"]].name if one["id"] in known else str(one["name"]) for one in wanted}
    chosen = _parse_choices(labels, wanted, given)
    fixed = sellable.one.choices if sellable.one.is_variation else {}
    if not chosen and (given or not sellable.one.is_variation):
        raise MissingVariationChoices(names=", ".join(labels.values()))
    for key, value in fixed.items():
        if chosen.setdefault(key, value).casefold() != value.casefold():
            raise InvalidVariationChoice(name=labels.get(key, key), value=chosen[key])
        chosen[key] = value
    lacking = [labels[one["key"]] for one in wanted if one["key"] not in chosen]
    if lacking:
        raise MissingVariationValue(names=", ".join(lacking))
    if sellable.one.is_variation:
        _check_options(work, root, wanted, labels, {k: v for k, v in chosen.items() if k not in fixed})
        return sellable, dict(sorted(chosen.items()))
    for part in product_model.list_product_variations(work, root.id):
        if part.record.status == _PUBLISHED and _has_matching_choices(part, chosen):
            open_ones = {key: value for key, value in chosen.items() if key not in part.choices}
            _check_options(work, root, wanted, labels, open_ones)
            return Sellable(part, root), dict(sorted({**chosen, **part.choices}.items()))
    raise NoMatchingVariation(name=root.name)


def _parse_choices(
    labels: Mapping[str, str], wanted: Sequence[Mapping[str, Any]], given: Sequence[Mapping[str, Any]]
) -> dict[str, str]:
    """Return a client's choices by attribute key; attributes are named by their label, key or slug."""
    shared = {one["key"] for one in wanted if one["id"]}
    named: dict[str, str] = {}
    for key, label in labels.items():
        for name in (
            key,
            f"attribute_{key}",
            key.removeprefix(attributes.TAXONOMY_PREFIX),
            label,
            slugs.slugify(label),
        ):
            named.setdefault(name.casefold(), key)
    out: dict[str, str] = {}
    for one in given:
        found = named.get(str(one.get("attribute") or "").casefold())
        value = str(one.get("value") or "")
        if found is not None and value:
            out[found] = slugs.slugify(value) if found in shared else value
    return out


def _has_matching_choices(part: Product, chosen: Mapping[str, str]) -> bool:
    return all(chosen.get(key, "").casefold() == value.casefold() for key, value in part.choices.items())


def _check_options(
    work: UnitOfWork,
    root: Product,
    wanted: Sequence[Mapping[str, Any]],
    labels: Mapping[str, str],
    chosen: Mapping[str, str],
) -> None:
    """Raise InvalidVariationChoice for a value the product lacks, where its variation leaves the attribute open."""
    if not chosen:
        return
    held = term_store.list_terms_by_record(work.tx, [root.id]).get(root.id, [])
    for one in wanted:
        value = chosen.get(one["key"])
        if value is None:
            continue
        options = [term.slug for term in held if term.taxonomy == one["key"]] if one["id"] else one["options"]
        if value.casefold() not in {str(option).casefold() for option in options}:
            raise InvalidVariationChoice(name=labels[one["key"]], value=value)
