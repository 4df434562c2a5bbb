"""What a visitor puts into a cart: which things may be bought, how many of them, and which variation was meant.

Not here: what it costs (shop/cart/totals.py). Rules: facts, "Visitors' interface": the same goods with the same choices
add up, and nobody may have more in a cart than there is.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

import msgspec

from vetrina.content.terms import store as term_store
from vetrina.core.unit_of_work import Work
from vetrina.kernel import slugs
from vetrina.kernel.errors import ApiError
from vetrina.shop.attributes import rules as attributes
from vetrina.shop.cart import store as cart_store
from vetrina.shop.cart.store import Cart, Line
from vetrina.shop.products import model as product_model
from vetrina.shop.products import prices as product_prices
from vetrina.shop.products import stock as product_stock
from vetrina.shop.products.model import EXTERNAL, GROUPED, VARIABLE, Product
from vetrina.shop.products.stock import NotEnough
from vetrina.shop.settings import rules as settings

__all__ = [
    "MOST_LINES", "MOST_PIECES", "BadQuantity", "CartFull", "Goods", "InvalidChoice", "InvalidProduct",
    "InvalidQuantity", "LineUnknown", "MissingChoice", "MissingChoices", "NoSuchVariation", "NotEnough",
    "NotPurchasable", "OneOnly", "OutOfStock", "add", "change", "goods_of", "most_of", "purchasable", "refusal",
    "remove", "with_choices",
]  # fmt: skip

MOST_LINES: Final = 100
MOST_PIECES: Final = 9999
_PUBLISHED: Final = "publish"


class InvalidProduct(ApiError):
    code = "shop_rest_cart_invalid_product"
    message = "There is no product with the number {id} to be bought."


class NotPurchasable(ApiError):
    code = "shop_rest_product_not_purchasable"
    message = "{name!r} is not for sale here."


class OutOfStock(ApiError):
    code = "shop_rest_product_out_of_stock"
    message = "{name!r} is sold out."


class InvalidQuantity(ApiError):
    code = "shop_rest_product_invalid_quantity"
    message = "A quantity is a whole number from 1 on."


class BadQuantity(ApiError):
    code = "invalid_quantity"
    message = "From {least} to {most} pieces of {name!r} may be in a cart; remove the line to have none."


class OneOnly(ApiError):
    code = "readonly_quantity"
    message = "Only one {name!r} may be in a cart."


class CartFull(ApiError):
    code = "shop_rest_cart_too_many_items"
    message = "A cart holds {most} lines at most."


class MissingChoices(ApiError):
    code = "shop_rest_missing_attributes"
    message = "Send `variation`: a list of objects with `attribute` and `value`, for {names}."


class MissingChoice(ApiError):
    code = "shop_rest_missing_variation_data"
    message = "These attributes have no value: {names}."


class InvalidChoice(ApiError):
    code = "shop_rest_invalid_variation_data"
    message = "{name!r} cannot be {value!r} here."


class NoSuchVariation(ApiError):
    code = "shop_rest_variation_id_from_variation_data"
    message = "There is no such combination of {name!r}."


class LineUnknown(ApiError):
    """409 in operations, 404 for its own address: `answer_status` says which."""

    status, code = 409, "shop_rest_cart_invalid_key"
    statuses = (404, 409)
    message = "The cart has no line with this key."


class Goods(msgspec.Struct, frozen=True):
    """What a line is about. above: the product of a variation."""

    one: Product
    above: Product | None = None

    @property
    def root(self) -> Product:
        """Return what has a page of its own: the product."""
        return self.above or self.one

    @property
    def name(self) -> str:
        return self.root.name

    @property
    def counter(self) -> Product | None:
        """Return what counts its pieces, None where nobody does."""
        if self.one.manage_stock:
            return self.one
        return self.above if self.above is not None and self.above.manage_stock else None

    @property
    def alone(self) -> bool:
        """Say whether only one of it may be in a cart."""
        return self.root.sold_individually


def goods_of(work: Work, ids: Iterable[int]) -> dict[int, Goods]:
    """Return what some numbers of products and variations name; asks twice at most."""
    found = product_model.known(work, ids)
    above = product_model.known(work, {one.parent for one in found.values() if one.is_variation and one.parent})
    return {id: Goods(one, above.get(one.parent) if one.is_variation else None) for id, one in found.items()}


def purchasable(work: Work, goods: Goods) -> bool:
    """Say whether something is for sale: published, with a price, and sold here by itself."""
    one = goods.one
    if one.kind in (VARIABLE, GROUPED, EXTERNAL) or one.record.status != _PUBLISHED or goods.root.record.password:
        return False
    if one.is_variation and (goods.above is None or goods.above.record.status != _PUBLISHED):
        return False
    return product_prices.active(one, work.now) != ""


def most_of(work: Work, goods: Goods) -> int:
    """Return how many pieces of something one cart may have."""
    if goods.alone:
        return 1
    counter = goods.counter
    if counter is None or counter.backorders != "no":
        return MOST_PIECES
    return max(min(counter.stock_quantity or 0, MOST_PIECES), 1)


def refusal(work: Work, goods: Goods | None, wanted: int) -> ApiError | None:
    """Return why so many pieces of something cannot be bought, None where they can."""
    if goods is None:
        return InvalidProduct(id=0)
    if not purchasable(work, goods):
        return NotPurchasable(name=goods.name)
    if goods.one.stock_status == product_stock.OUT_OF_STOCK:
        return OutOfStock(name=goods.name)
    counter = goods.counter
    counts = counter is not None and counter.backorders == "no" and settings.is_on(work, "shop_manage_stock")
    left = counter.stock_quantity or 0 if counter is not None and counts else MOST_PIECES
    return NotEnough(left=max(left, 0), name=goods.name) if wanted > left else None


def add(work: Work, old: Cart, id: int, quantity: int, told: Sequence[Mapping[str, Any]]) -> tuple[Cart, Line]:
    """Return a cart with more of something, and its line.

    told: what was chosen of a variable product: `attribute`, `value`.
    Raises InvalidProduct, NotPurchasable, MissingChoices, MissingChoice, InvalidChoice, NoSuchVariation,
    InvalidQuantity, OneOnly, OutOfStock, NotEnough, CartFull.
    """
    goods = goods_of(work, (id,)).get(id) if id > 0 else None
    if goods is None or goods.root.record.status == "trash":
        raise InvalidProduct(id=id)
    if goods.root.record.status != _PUBLISHED or goods.root.kind in (GROUPED, EXTERNAL):
        raise NotPurchasable(name=goods.name)
    goods, choices = with_choices(work, goods, told)
    if quantity <= 0:
        raise InvalidQuantity
    key = cart_store.line_key(goods.one.id, choices)
    before = old.line(key)
    if goods.alone and any(line.goods == goods.one.id for line in old.lines):
        raise OneOnly(name=goods.name)
    # Of what is sold one at a time one is taken, however many are asked for.
    wanted = 1 if goods.alone else quantity + (before.quantity if before else 0)
    _judge(work, old, goods, key, wanted)
    if before is None and len(old.lines) >= MOST_LINES:
        raise CartFull(most=MOST_LINES)
    if wanted > MOST_PIECES:
        raise NotEnough(left=MOST_PIECES, name=goods.name)
    line = Line(key, goods.one.id, wanted, choices)
    return _with(old, line), line


def change(work: Work, old: Cart, key: str, quantity: int) -> tuple[Cart, Line]:
    """Return a cart with another quantity of a line. Raises LineUnknown, BadQuantity, what `add` raises."""
    before = old.line(key)
    if before is None:
        raise LineUnknown
    goods = goods_of(work, (before.goods,)).get(before.goods)
    if goods is None:
        raise InvalidProduct(id=before.goods)
    if goods.alone and quantity != 1:
        raise OneOnly(name=goods.name)
    if not 1 <= quantity <= most_of(work, goods):
        raise BadQuantity(least=1, most=most_of(work, goods), name=goods.name)
    _judge(work, old, goods, key, quantity)
    line = msgspec.structs.replace(before, quantity=quantity)
    return _with(old, line), line


def remove(old: Cart, key: str) -> Cart:
    """Return a cart without a line. Raises LineUnknown."""
    if old.line(key) is None:
        raise LineUnknown
    return msgspec.structs.replace(old, lines=tuple(line for line in old.lines if line.key != key))


def _with(old: Cart, line: Line) -> Cart:
    known = old.line(line.key) is not None
    lines = tuple(line if one.key == line.key else one for one in old.lines) if known else (*old.lines, line)
    return msgspec.structs.replace(old, lines=lines)


def _judge(work: Work, old: Cart, goods: Goods, key: str, wanted: int) -> None:
    """Raise why so many pieces cannot be in a cart; other lines may be counted together with this one."""
    counter = goods.counter
    if counter is not None and len(old.lines) > (old.line(key) is not None):
        others = [line for line in old.lines if line.key != key]
        held = goods_of(work, (line.goods for line in others))
        wanted += sum(
            line.quantity
            for line in others
            if line.goods in held and (other := held[line.goods].counter) is not None and other.id == counter.id
        )
    found = refusal(work, goods, wanted)
    if found is not None:
        raise found


# -- which variation was meant


def with_choices(work: Work, goods: Goods, told: Sequence[Mapping[str, Any]]) -> tuple[Goods, dict[str, str]]:
    """Return what is meant by a product and choices of its attributes, and these choices by the attribute's key.

    Raises MissingChoices, MissingChoice, InvalidChoice, NoSuchVariation.
    """
    root = goods.root
    if root.kind != VARIABLE:
        return goods, {}
    wanted = [one for one in root.attributes if one["variation"]]
    known = attributes.known(work) if any(one["id"] for one in wanted) else {}
    labels = {one["key"]: known[one["id"]].name if one["id"] in known else str(one["name"]) for one in wanted}
    chosen = _chosen(labels, wanted, told)
    fixed = goods.one.choices if goods.one.is_variation else {}
    if not chosen and (told or not goods.one.is_variation):
        raise MissingChoices(names=", ".join(labels.values()))
    for key, value in fixed.items():
        if chosen.setdefault(key, value).casefold() != value.casefold():
            raise InvalidChoice(name=labels.get(key, key), value=chosen[key])
        chosen[key] = value
    lacking = [labels[one["key"]] for one in wanted if one["key"] not in chosen]
    if lacking:
        raise MissingChoice(names=", ".join(lacking))
    if goods.one.is_variation:
        _judge_options(work, root, wanted, labels, {k: v for k, v in chosen.items() if k not in fixed})
        return goods, dict(sorted(chosen.items()))
    for part in product_model.variations_of(work, root.id):
        if part.record.status == _PUBLISHED and _fits(part, chosen):
            open_ones = {key: value for key, value in chosen.items() if key not in part.choices}
            _judge_options(work, root, wanted, labels, open_ones)
            return Goods(part, root), dict(sorted({**chosen, **part.choices}.items()))
    raise NoSuchVariation(name=root.name)


def _chosen(
    labels: Mapping[str, str], wanted: Sequence[Mapping[str, Any]], told: Sequence[Mapping[str, Any]]
) -> dict[str, str]:
    """Return what a client chose, by key: attributes are named by their label, their key or their slug."""
    shared = {one["key"] for one in wanted if one["id"]}
    named: dict[str, str] = {}
    for key, label in labels.items():
        for name in (key, f"attribute_{key}", key.removeprefix(attributes.PREFIX), label, slugs.slugify(label)):
            named.setdefault(name.casefold(), key)
    out: dict[str, str] = {}
    for one in told:
        found = named.get(str(one.get("attribute") or "").casefold())
        value = str(one.get("value") or "")
        if found is not None and value:
            out[found] = slugs.slugify(value) if found in shared else value
    return out


def _fits(part: Product, chosen: Mapping[str, str]) -> bool:
    return all(chosen.get(key, "").casefold() == value.casefold() for key, value in part.choices.items())


def _judge_options(
    work: Work, root: Product, wanted: Sequence[Mapping[str, Any]], labels: Mapping[str, str], chosen: Mapping[str, str]
) -> None:
    """Raise InvalidChoice for a value that the product does not have where its variation leaves it open."""
    if not chosen:
        return
    held = term_store.of_records(work.tx, [root.id]).get(root.id, [])
    for one in wanted:
        value = chosen.get(one["key"])
        if value is None:
            continue
        options = [term.slug for term in held if term.taxonomy == one["key"]] if one["id"] else one["options"]
        if value.casefold() not in {str(option).casefold() for option in options}:
            raise InvalidChoice(name=labels[one["key"]], value=value)
