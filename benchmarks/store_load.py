"""Measure visitors of a shop: reads of carts and checkouts, through the ASGI application of one process, durable.

    python benchmarks/store_load.py [--seconds 3] [--folder build/bench] [--profile]

What issue 9 promises: 100 checkouts and 1,000 reads of carts a second by one process. A checkout is the whole POST: it
begins the order, judges it, takes the stock, counts the coupon and empties the cart; filling the carts is measured
apart. The network is not in these figures.
"""

from __future__ import annotations

import argparse
import asyncio
import cProfile
import os
import pstats
import tempfile
import time
from decimal import Decimal
from pathlib import Path
from typing import Any

import orjson

from vetrina.backends import database_schema
from vetrina.settings import Settings, load_profile
from vetrina.shop.coupons import rules as coupon_rules
from vetrina.shop.payments import gateways
from vetrina.shop.products import rules as products
from vetrina.shop.settings import places
from vetrina.shop.shipping import zones as shipping_zones
from vetrina.shop.taxes import rate_store as tax_rates
from vetrina.site import Site
from vetrina.system.bootstrap import InitialAccount, bootstrap_site

ROOT = "/en/cms-json/shop/store/v1"
GOODS = 50
HOME = {
    "first_name": "Mara", "last_name": "Neri", "address_1": "1 Main St", "city": "Fresno", "state": "CA",
    "postcode": "93650", "country": "US", "phone": "555",
}  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=3.0, help="for each row")
    parser.add_argument("--folder", type=Path, default=Path("build/bench"), help="where the site is made")
    parser.add_argument("--profile", action="store_true", help="say where the time goes instead")
    args = parser.parse_args()
    args.folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=args.folder) as name:
        site, goods = _made(Path(name))
        asyncio.run(_rows(site, goods, args.seconds, args.profile))
        site.close()


async def _rows(site: Site, goods: list[int], seconds: float, profile: bool) -> None:
    tokens: list[str] = []

    async def fill(at: int) -> None:
        _, headers, _ = await _ask(site, "GET", "/cart")
        token = headers["cart-token"]
        for step in range(2):
            body = {"id": goods[(at + step) % len(goods)], "quantity": step + 1}
            assert (await _ask(site, "POST", "/cart/add-item", body, token))[0] == 201
        await _ask(site, "POST", "/cart/apply-coupon", {"code": "tenth"}, token)
        tokens.append(token)

    async def read(at: int) -> None:
        status, _, _ = await _ask(site, "GET", "/cart", None, tokens[at % len(tokens)])
        assert status == 200

    async def check_out(at: int) -> None:
        billing = {**HOME, "email": f"mara{at}@example.org"}
        body = {"billing_address": billing, "shipping_address": HOME, "payment_method": "cheque"}
        status, _, content = await _ask(site, "POST", "/checkout", body, tokens[at])
        assert status == 200, content

    async def browse(at: int) -> None:
        await _ask(site, "GET", f"/products?per_page=10&page={at % 5 + 1}")

    await _row("filling a cart (token, two lines, a coupon)", fill, seconds * 2, 0, profile)
    await _row("reading a cart of two lines", read, seconds, 0, profile)
    await _row("a checkout, durable", check_out, seconds, len(tokens), profile)
    await _row("a list of 10 products", browse, seconds, 0, profile)


async def _row(what: str, step: Any, seconds: float, most: int, profile: bool) -> None:
    profiler = cProfile.Profile() if profile else None
    if profiler is not None:
        profiler.enable()
    # The names of states are read once by a process; that is no part of a row.
    places.list_states("US")
    begun, worked, count, took = time.perf_counter(), time.process_time(), 0, []
    while time.perf_counter() - begun < seconds and (not most or count < most):
        before = time.perf_counter()
        await step(count)
        took.append(time.perf_counter() - before)
        count += 1
    whole, worked = time.perf_counter() - begun, time.process_time() - worked
    took.sort()
    print(
        f"{what:<46} {count / whole:>9,.0f} /s {took[len(took) // 2] * 1000:>7.2f} ms "
        f"{took[len(took) * 99 // 100] * 1000:>7.2f} ms (99 %) {worked / count * 1000:>6.2f} ms of processor  "
        f"load {os.getloadavg()[0]:.1f}"
    )
    if profiler is not None:
        profiler.disable()
        pstats.Stats(profiler).sort_stats("cumulative").print_stats(45)


async def _ask(
    site: Site, method: str, path: str, body: Any = None, token: str = ""
) -> tuple[int, dict[str, str], bytes]:
    content = orjson.dumps(body) if body is not None else b""
    path, _, query = path.partition("?")
    headers = [(b"host", b"shop.example"), (b"content-type", b"application/json")]
    if token:
        headers.append((b"cart-token", token.encode()))
    scope = {
        "type": "http", "method": method, "scheme": "http", "path": ROOT + path, "query_string": query.encode(),
        "headers": headers, "client": ("127.0.0.1", 50000), "server": ("shop.example", 80),
    }  # fmt: skip
    sent: list[dict[str, Any]] = []

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": content, "more_body": False}

    async def send(message: Any) -> None:
        sent.append(message)

    await site.app(scope, receive, send)
    named = {name.decode(): value.decode() for name, value in sent[0]["headers"]}
    return sent[0]["status"], named, b"".join(part["body"] for part in sent[1:])


def _made(folder: Path) -> tuple[Site, list[int]]:
    """Return a shop that sends, taxes, takes cheques and coupons, and the numbers of what it sells."""
    site = Site(load_profile("second"), Settings(secret="of the benchmark"), folder, durable=True)
    database_schema.create_schema(site.database)
    with site.work() as work:
        [admin] = bootstrap_site(work, [InitialAccount("admin", "administrator")])
    with site.work(admin) as work:
        work.set_option("shop_calc_taxes", "yes")
        tax_rates.create_tax_rate(work, {"country": "US", "state": "CA", "rate": "10", "name": "CA"})
        zone = shipping_zones.create_zone(work, "California")
        shipping_zones.save_zone_locations(work, zone, [{"code": "US:CA", "type": "state"}])
        shipping_zones.create_zone_method(work, zone.id, "flat_rate", {"settings": {"cost": "7"}})
        gateways.update_gateway(work, gateways.get_gateway(work, "cheque"), {"enabled": True})
        coupon_rules.create_coupon(work, {"code": "tenth", "kind": "percent", "amount": Decimal(10)})
        goods = [
            products.create_product(
                work,
                {"name": f"Thing {at}", "regular_price": "12.50", "manage_stock": True, "stock_quantity": 1_000_000},
            ).id
            for at in range(GOODS)
        ]
    return site, goods


if __name__ == "__main__":
    main()
