"""Prices in responses: currency signs, separators, tax."""

from __future__ import annotations

from typing import Any

import pytest

from conftest import Client, Stand

PRODUCTS = "/shop/v3/products"


@pytest.fixture
def shown(manager: Client, site: Stand) -> Any:
    """Return the displayed price of a product of 10.00, with some settings of the shop."""
    item = f"{PRODUCTS}/{manager.post(PRODUCTS, {'name': 'A', 'regular_price': '1234.5'}).json['id']}"

    def ask(**settings: Any) -> str:
        with site.site.work() as work:
            for name, value in settings.items():
                work.set_option(f"shop_{name}", value)
        markup: str = manager.get(item).json["price_html"]
        return markup

    return ask


def test_a_price_is_written_as_the_shop_says(shown: Any) -> None:
    assert ">1,234.50</bdi>" in shown()
    euro = shown(currency="EUR", currency_pos="right_space", price_thousand_sep=".", price_decimal_sep=",")
    assert '<bdi>1.234,50&nbsp;<span class="shop-Price-currencySymbol">&euro;</span></bdi>' in euro
    assert "<bdi>1.235&nbsp;<" in shown(price_num_decimals="0")


def test_a_price_is_shown_with_tax_or_without_whichever_way_it_was_entered(shown: Any, manager: Client) -> None:
    rate = {"country": "US", "state": "CA", "rate": "10", "name": "VAT"}
    assert manager.post("/shop/v3/taxes", rate).status == 201
    assert ">1,234.50<" in shown(calc_taxes="yes")
    assert ">1,357.95<" in shown(tax_display_shop="incl")
    assert ">1,122.27<" in shown(prices_include_tax="yes", tax_display_shop="excl")
    assert '<small class="shop-price-suffix">net</small>' in shown(price_display_suffix="net")
