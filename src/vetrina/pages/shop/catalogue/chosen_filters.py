"""What a visitor chose of a list of products: filters and an order, in the query of its address.

Names: `orderby`, `min_price` and `max_price` (in whole units of the currency), `rating_filter`, `filter_stock_status`,
`filter_category`, and `filter_` with the slug of each shared attribute. Several values are a list, `name[]`, or stand
between commas. What cannot be meant is left out. Rules: docs/rules/catalogue_pages.md, 4.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import Any, Final
from urllib.parse import urlencode

from vetrina.core.unit_of_work import UnitOfWork
from vetrina.pages.page_context import get_text
from vetrina.pages.page_request import PageRequest
from vetrina.shop.attributes import rules as attributes
from vetrina.shop.attributes.rules import ProductAttribute
from vetrina.shop.blocks.collection_arguments import convert_price

ORDER_SETTING: Final = "shop_default_catalog_orderby"
# By the names that addresses have: the order of the visitors' list, and which way it runs.
ORDERS: Final[Mapping[str, tuple[str, str]]] = {
    "menu_order": ("menu_order", "asc"),
    "popularity": ("popularity", "desc"),
    "rating": ("rating", "desc"),
    "date": ("date", "desc"),
    "price": ("price", "asc"),
    "price-desc": ("price", "desc"),
}
STOCK_STATUSES: Final = ("instock", "onbackorder", "outofstock")
_STARS: Final = ("5", "4", "3", "2", "1")
_MAX_VALUES: Final = 30  # of one filter
_MAX_LENGTH: Final = 200  # characters of a value
_MAX_ATTRIBUTES: Final = 10  # filters by attributes at a time


@dataclass(frozen=True)
class ChosenFilters:
    """What a visitor chose. pairs: names and values as an address has them, each once. order: one of `ORDERS`."""

    pairs: tuple[tuple[str, str], ...]
    order: str
    arguments: Mapping[str, Any]

    @property
    def query_string(self) -> str:
        return urlencode(self.pairs)

    def get_values(self, name: str) -> list[str]:
        """Return what was chosen of one filter."""
        return [value for one, value in self.pairs if one in (name, f"{name}[]")]

    def list_filters(self) -> list[tuple[str, str]]:
        """Return the pairs that leave products out."""
        return [(name, value) for name, value in self.pairs if name != "orderby"]

    def build_query(self, without: Iterable[tuple[str, str]] = ()) -> str:
        """Return the query string without some pairs."""
        left = set(without)
        return urlencode([pair for pair in self.pairs if pair not in left])


def get_default_order(work: UnitOfWork) -> str:
    """Return the order of a list that asks for none."""
    stored = work.stored_option(ORDER_SETTING)
    return stored if isinstance(stored, str) and stored in ORDERS else "menu_order"


def build_attribute_name(attribute: ProductAttribute) -> str:
    """Return the name of the filter by an attribute."""
    return f"filter_{attribute.taxonomy.removeprefix(attributes.TAXONOMY_PREFIX)}"


def read_filters(page: PageRequest) -> ChosenFilters:
    """Return what the address of a list asks for."""
    work, query = page.work, page.request.query
    pairs: list[tuple[str, str]] = []
    args: dict[str, Any] = {}
    for name in ("min_price", "max_price"):
        written = get_text(query, name)[:_MAX_LENGTH]
        if price := convert_price(work, _clean_price(written)):
            pairs.append((name, _clean_price(written)))
            args[name] = price
    for name, argument, known in (
        ("rating_filter", "rating", _STARS), ("filter_stock_status", "stock_status", STOCK_STATUSES),
    ):  # fmt: skip
        if values := [one for one in known if one in _read_values(query, name)]:
            pairs += ((f"{name}[]", one) for one in values)
            args[argument] = [int(one) for one in values] if argument == "rating" else values
    if values := _read_values(query, "filter_category"):
        pairs += (("filter_category[]", one) for one in values)
        args["category"] = ",".join(values)
    if any(name.startswith("filter_") for name in query):
        chosen = _read_attributes(work, query, pairs)
        args["attributes"] = chosen
    default = get_default_order(work)
    order = get_text(query, "orderby")
    order = order if order in ORDERS else default
    if order != default:
        pairs.append(("orderby", order))
    args["orderby"], args["order"] = ORDERS[order]
    return ChosenFilters(tuple(pairs), order, args)


def _read_attributes(work: UnitOfWork, query: Mapping[str, Any], pairs: list[tuple[str, str]]) -> list[dict[str, Any]]:
    """Return the values of attributes as arguments of the list, and note them in the pairs."""
    out: list[dict[str, Any]] = []
    work.uses("product_attribute")
    for attribute in attributes.load_attributes(work).values():
        name = build_attribute_name(attribute)
        values = _read_values(query, name) if name in query and len(out) < _MAX_ATTRIBUTES else []
        if values:
            pairs += ((f"{name}[]", one) for one in values)
            work.uses(attribute.taxonomy)
            out.append({"attribute": attribute.taxonomy, "slug": values, "operator": "in"})
    return out


def _read_values(query: Mapping[str, Any], name: str) -> list[str]:
    """Return the values of a filter, each once."""
    given = query.get(name)
    values = list(given.values()) if isinstance(given, dict) else given if isinstance(given, list) else [given]
    parts = [part.strip() for one in values if isinstance(one, str) for part in one[: _MAX_LENGTH * 10].split(",")]
    return list(dict.fromkeys(one for one in parts if 0 < len(one) <= _MAX_LENGTH))[:_MAX_VALUES]


def _clean_price(written: str) -> str:
    """Return an amount as an address has it, empty for what is none."""
    text = written.replace(",", ".")
    try:
        amount = Decimal(text) if text and text.isascii() else None
    except InvalidOperation:
        return ""
    return f"{amount.normalize():f}" if amount is not None and amount.is_finite() and 0 <= amount < 10**12 else ""
