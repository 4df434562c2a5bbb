"""Ask a shop for the pages that the administration's lists show, and say what each costs.

    python benchmarks/shop_lists.py FOLDER [--only WORD]

FOLDER is a shop (`vetrina demo second --site FOLDER --orders 1000000`); its administrator gets an application password
more. In process and without kept answers: milliseconds of the processor, of this process and, on PostgreSQL, of the
server's: the first time (statements are planned, filters looked for) and the least of two times after.
"""

from __future__ import annotations

import argparse
import re
import sys
import time
from pathlib import Path

from click.testing import CliRunner

from vetrina.cli import main as vetrina
from vetrina.settings import load_settings
from vetrina.site_factory import open_site

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))
from processors import Processors

from conftest import Client, exchange

_ORDERS = (
    "orders?per_page=20&status=pending,processing,on-hold,completed,cancelled,refunded,failed"
    "&_fields=id,number,status,currency,total,date_created_gmt,billing,customer_id,line_items,refunds"
)
_LISTS = {
    "orders, first page": f"{_ORDERS}&orderby=date&order=desc",
    "orders, page 100": f"{_ORDERS}&page=100",
    "orders, a page in the middle": f"{_ORDERS}&page={{middle}}",
    "orders, last page": f"{_ORDERS}&page={{last}}",
    "orders, the oldest first": f"{_ORDERS}&orderby=date&order=asc",
    "orders, one status": f"{_ORDERS.split('status=')[0]}status=processing",
    "orders since June": f"{_ORDERS}&after=2026-06-01T00:00:00",
    "orders of a product": f"{_ORDERS}&product={{product}}",
    "orders, searched": f"{_ORDERS}&search=rossi",
    "orders, by a common word": f"{_ORDERS}&search=pencil",
    "orders, by three letters": f"{_ORDERS}&search=soc",
    "orders, by two letters": f"{_ORDERS}&search=ro",
    "orders, by letters of none": f"{_ORDERS}&search=xq",
    "orders, a word since June": f"{_ORDERS}&search=pencil&after=2026-06-01T00:00:00",
    "orders by status, counted": "reports/orders/totals",
    "products": "products?per_page=20&status=any",
    "customers": "customers?per_page=20&orderby=registered_date&order=desc",
    "customers, searched": "customers?per_page=20&search=rossi",
    "coupons": "coupons?per_page=20&status=any",
    "reviews": "products/reviews?per_page=20",
    "tax rates": "taxes?per_page=100",
}


def open_as_admin(folder: Path, purpose: str) -> Client:
    """Return the administrator's client of a site that keeps no answers, with a new application password."""
    name = f"{purpose}, {time.time():.0f}"
    done = CliRunner().invoke(vetrina, ["app-password", "create", "admin", name, "--site", str(folder)])
    found = re.search(r"(\w{4} ){5}\w{4}", done.output)
    assert found, done.output
    return Client(open_site(folder, ["cache_bytes=0"]), "admin", found[0], root="/cms-json")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", default="")
    args = parser.parse_args()
    client = open_as_admin(args.folder, "lists")
    total = int(client.get("/shop/v3/orders", query={"per_page": 1}).headers["x-cms-total"])
    product = client.get("/shop/v3/products", query={"per_page": 1}).json[0]["id"]
    known = {"middle": total // 40, "last": -(-total // 20), "product": product}
    processors = Processors(load_settings(args.folder).database)
    print(f"{f'{total} orders':30} {'first':>8} {'of it the server':>17} {'again':>8} {'of it the server':>17}")
    for name, path in _LISTS.items():
        if args.only in name:
            taken = []
            for _ in range(3):
                before = processors.read()
                status, _, _ = exchange(
                    client.site, "GET", f"/cms-json/shop/v3/{path.format(**known)}", b"", client.headers
                )
                taken.append([one - other for one, other in zip(processors.read(), before, strict=True)])
                assert status == 200, (name, status)
            first, again = taken[0], min(taken[1:], key=sum)
            print(
                f"{name:30} {sum(first):5.0f} ms {first[1]:14.0f} ms {sum(again):5.0f} ms {again[1]:14.0f} ms",
                flush=True,
            )
    client.site.close()


if __name__ == "__main__":
    main()
