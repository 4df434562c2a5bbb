"""Measure a shop of a thousand products beside a thousand posts, and print a row for each thing that is asked.

    python benchmarks/shop_load.py [--seconds 2] [--database postgresql://…] [--profile]

What issue 8 promises: orders are made at least 200 times a second by one process, durable; a list of products is at
most one and a half times as slow as one of posts; a page of 100 variations takes less than 10 ms.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import urllib.request
from pathlib import Path
from typing import Any

import build
import run
from cases import ROOT, get, post

from vetrina.backends import database_schema
from vetrina.content.records import rules as records
from vetrina.content.types.registry import POST
from vetrina.settings import Settings, load_profile
from vetrina.shop.products import rules as products
from vetrina.shop.variations import rules as variations
from vetrina.site import Site
from vetrina.system.bootstrap import InitialAccount, bootstrap_site

THINGS = 1000  # posts, and products
PARTS = 100  # variations of one product
run.PORT = 8797
SHOP, STORE = f"{ROOT}/shop/v3", f"{ROOT}/shop/store/v1"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=2.0, help="for each row")
    parser.add_argument("--database", default="", help="URL of an empty database; SQLite in a new folder when left out")
    parser.add_argument("--kept", type=Path, default=Path("build/bench"), help="folder of the load generator")
    args = parser.parse_args()
    load = run.compile_load(args.kept)
    with tempfile.TemporaryDirectory(dir=args.kept) as name:
        folder = Path(name)
        parted = _made(folder, args.database)
        command = [str(Path(sys.executable).with_name("vetrina")), "serve", "--site", name, "--port", str(run.PORT)]
        with run.serve_site([*command, "--set", "cache_bytes=0"], run.PORT):
            rows = {what: _rated(load, folder, args.seconds, asked) for what, asked in _cases(parted).items()}
    for what, row in rows.items():
        print(f"{what:<50} {row['rate']:>9,.0f} /s {row['median'] / 1000:>8.2f} ms {row['p99'] / 1000:>8.2f} ms (99 %)")
    slower = rows["list of 10 products"]["median"] / rows["list of 10 posts"]["median"]
    print(f"a list of products is {slower:.2f} times as slow as one of posts")


def _cases(parted: int) -> dict[str, list[bytes]]:
    port = run.PORT
    line = [{"product_id": 0, "quantity": 1}]
    goods = _products()
    order = {"payment_method": "bacs", "billing": {"first_name": "Ada", "email": "ada@example.com", "country": "IT"}}
    return {
        "list of 10 posts": [get(f"{ROOT}/cms/v2/posts", port, signed_in=True)],
        "list of 10 products": [get(f"{SHOP}/products", port, signed_in=True)],
        "one product": [get(f"{SHOP}/products/{id}", port, signed_in=True) for id in goods],
        "page of 100 variations": [get(f"{SHOP}/products/{parted}/variations?per_page=100", port, signed_in=True)],
        "list of 10 orders": [get(f"{SHOP}/orders", port, signed_in=True)],
        "making an order of one line, durable": [
            post(f"{SHOP}/orders", port, {**order, "line_items": [{**line[0], "product_id": id}]}) for id in goods
        ],
        "making a paid order of three lines, durable": [
            post(
                f"{SHOP}/orders", port,
                {**order, "set_paid": True, "line_items": [
                    {"product_id": goods[(at + step) % len(goods)], "quantity": step + 1} for step in range(3)
                ]},
            )
            for at in range(len(goods))
        ],
        "adding to a cart, durable": [
            _add_to_cart(port, token, goods[at % len(goods)]) for at, token in enumerate(_open_carts(port))
        ],
    }  # fmt: skip


def _open_carts(port: int, carts: int = 200) -> list[str]:
    """Return the tokens of new carts."""
    tokens = []
    for _ in range(carts):
        with urllib.request.urlopen(f"http://127.0.0.1:{port}{STORE}/cart", timeout=60) as answer:
            tokens.append(answer.headers["Cart-Token"])
    return tokens


def _add_to_cart(port: int, token: str, product: int) -> bytes:
    content = json.dumps({"id": product, "quantity": 1}).encode()
    head = (
        f"POST {STORE}/cart/add-item HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nCart-Token: {token}\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(content)}\r\n\r\n"
    )
    return head.encode() + content


def _products() -> list[int]:
    return [one["id"] for one in run._asked(f"{SHOP}/products?type=simple&per_page=100&_fields=id")]


def _rated(load: Path, folder: Path, seconds: float, asked: list[bytes]) -> dict[str, float]:
    requests = folder / "requests"
    requests.write_bytes(b"".join(b"%d\n%s" % (len(one), one) for one in asked))
    words = [str(load), "127.0.0.1", str(run.PORT), "8"]
    subprocess.run([*words, "0.3", str(requests)], check=True, stdout=subprocess.DEVNULL)
    answer = subprocess.run([*words, str(seconds), str(requests)], check=True, stdout=subprocess.PIPE)
    found: dict[str, float] = json.loads(answer.stdout)
    one = [str(load), "127.0.0.1", str(run.PORT), "1", "1", str(requests)]
    alone: dict[str, float] = json.loads(subprocess.run(one, check=True, capture_output=True).stdout)
    if found["wrong"]:
        raise SystemExit(f"{found['wrong']} answers were not 2xx")
    return {**found, "median": alone["median_us"], "p99": alone["p99_us"]}


def _made(folder: Path, database: str) -> int:
    """Make the shop and return the number of the product with many variations."""
    told = f'profile = "second"\nsecret = "benchmark"\ndatabase = "{database}"\n'
    (folder / "vetrina.toml").write_text(told)
    settings = Settings(profile="second", secret="benchmark", database=database)
    site = Site(load_profile("second"), settings, folder, durable=False)
    database_schema.create_schema(site.database)
    with site.work() as work:
        [admin] = bootstrap_site(work, [InitialAccount("admin", "administrator", application_password=build.PASSWORD)])
    with site.work(admin) as work:
        for number in range(THINGS):
            records.create_record(
                work, POST, {"title": f"Post {number}", "content": f"<p>Text {number}</p>", "status": "publish"}
            )
            products.create_product(work, _product(number))
        parted = products.create_product(work, {**_product(THINGS), "type": "variable", "attributes": [_SIZES]})
        for number in range(PARTS):
            size = {"name": "Size", "option": str(number)}
            variations.create_variation(
                work, parted, {"regular_price": f"{number}.50", "attributes": [size]}, alone=False
            )
        variations.update_parent_product(work, parted.id)
    site.close()
    return parted.id


_SIZES: dict[str, Any] = {
    "name": "Size",
    "variation": True,
    "visible": True,
    "options": [str(at) for at in range(PARTS)],
}


def _product(number: int) -> dict[str, Any]:
    return {
        "name": f"Product {number}", "regular_price": f"{number % 90 + 1}.90", "sku": f"sku-{number}",
        "manage_stock": True, "stock_quantity": 1_000_000, "description": f"<p>Text {number}</p>", "status": "publish",
        "type": "simple",
    }  # fmt: skip


if __name__ == "__main__":
    main()
