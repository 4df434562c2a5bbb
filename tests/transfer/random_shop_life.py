"""The life of a shop over some months, drawn at random: what is sold, ordered, given back, thrown away, said of it."""

from __future__ import annotations

from decimal import Decimal
from random import Random
from typing import Any, Final

from conftest import SetClock, Stand
from vetrina.shop.downloads import file_fetches

ORDERS, PRODUCTS = "/shop/v3/orders", "/shop/v3/products"
HOUR: Final = 3600
_STATUSES: Final = ("completed", "completed", "processing", "on-hold", "pending", "failed", "cancelled", "refunded")
_COUNTRIES: Final = (("IT", "BZ", "39100"), ("IT", "TN", "38122"), ("US", "CA", "90210"), ("DE", "", "10115"))
_GUESTS: Final = ("ada", "bea", "cy", "Dora")
_PRICES: Final = ("0", "0.01", "3.33", "9.99", "10.05", "20", "119", "1234.56")


class ShopLife:
    """A shop that things happen in. `days` of them have passed when it has come to now."""

    def __init__(self, stand: Stand, clock: SetClock, random: Random, days: int = 400) -> None:
        self._stand, self._clock, self._random = stand, clock, random
        self._admin = stand.client("admin")
        clock.ahead = -days * 24 * HOUR
        self._pace = days * 24
        self._orders: list[int] = []
        self._accounts = self._products = 0
        self._customers: list[int] = []
        self._coupons: list[str] = []
        self._goods: list[tuple[int, int]] = []
        self._set_up()

    def live(self, deeds: int) -> None:
        """Let so many things happen, up to now."""
        kinds = {
            self._order: 10, self._change_status: 4, self._refund: 4, self._note: 2, self._review: 2, self._fetch: 2,
            self._add_product: 1, self._change_price: 1, self._add_coupon: 1, self._add_customer: 1,
            self._trash_order: 1, self._remove_product: 1, self._remove_customer: 1, self._change_order: 2,
        }  # fmt: skip
        for _ in range(deeds):
            self._clock.ahead = min(0, self._clock.ahead + self._random.randint(1, self._pace * 2 * HOUR // deeds))
            self._random.choices([*kinds], [*kinds.values()])[0]()
        self._clock.ahead = 0

    def _put_in(self, path: str, body: dict[str, Any]) -> dict[str, Any]:
        answer = self._admin.post(path, body)
        assert answer.status in (200, 201), (path, body, answer.json)
        found: dict[str, Any] = answer.json
        return found

    def _set_up(self) -> None:
        random, admin = self._random, self._admin
        settings = {
            "general/shop_calc_taxes": "yes", "tax/shop_prices_include_tax": random.choice(("yes", "no")),
            "tax/shop_tax_round_at_subtotal": random.choice(("yes", "no")),
            "general/shop_price_num_decimals": random.choice(("2", "2", "0", "3")),
            "general/shop_currency": random.choice(("EUR", "USD")),
            "shop_admin/shop_date_type": random.choice(("date_created", "date_paid", "date_completed")),
        }  # fmt: skip
        for name, value in settings.items():
            assert admin.put(f"/shop/v3/settings/{name}", {"value": value}).status == 200, name
        for at, rate in enumerate(("22", "4.5", "0", "7.7")):
            self._put_in("/shop/v3/taxes", {
                "country": random.choice(("IT", "US", "")), "rate": rate, "name": f"Tax {at}", "priority": at % 2 + 1,
                "compound": random.random() < 0.3, "shipping": random.random() < 0.7,
                "class": random.choice(("standard", "reduced-rate")),
            })  # fmt: skip
        zone = self._put_in("/shop/v3/shipping/zones", {"name": "Italy"})["id"]
        admin.put(f"/shop/v3/shipping/zones/{zone}/locations", [{"code": "IT", "type": "country"}])
        self._methods = [
            (kind, self._put_in(f"/shop/v3/shipping/zones/{zone}/methods", {"method_id": kind})["instance_id"])
            for kind in ("flat_rate", "free_shipping")
        ]
        above = self._put_in(f"{PRODUCTS}/categories", {"name": "Above"})["id"]
        below = self._put_in(f"{PRODUCTS}/categories", {"name": "Below", "parent": above})["id"]
        self._categories = [above, below, self._put_in(f"{PRODUCTS}/categories", {"name": "Beside"})["id"]]
        self._tags = [self._put_in(f"{PRODUCTS}/tags", {"name": name})["id"] for name in ("Blue", "Old")]
        self._brand = self._put_in(f"{PRODUCTS}/brands", {"name": "House"})["id"]
        self._colour = self._put_in(f"{PRODUCTS}/attributes", {"name": "Colour"})["id"]
        for name in ("Red", "Green"):
            self._put_in(f"{PRODUCTS}/attributes/{self._colour}/terms", {"name": name})
        for _ in range(5):
            self._add_product()
        for _ in range(2):
            self._add_coupon()
            self._add_customer()

    # -- what happens

    def _add_product(self) -> None:
        random = self._random
        self._products += 1
        number = self._products
        kind = random.choice(("simple", "simple", "variable", "download"))
        body: dict[str, Any] = {
            "name": f"{random.choice(('Cup', 'Jar', 'Bowl'))} {number}", "sku": random.choice(("", f"SKU-{number}")),
            "categories": [{"id": id} for id in random.sample(self._categories, random.randint(0, 2))],
            "tags": [{"id": id} for id in random.sample(self._tags, random.randint(0, 1))],
            "brands": [{"id": self._brand}] if random.random() < 0.3 else [],
            "tax_class": random.choice(("", "reduced-rate")), "tax_status": random.choice(("taxable", "none")),
            "weight": random.choice(("", "0.5")), "featured": random.random() < 0.2,
            "description": "<p>Of clay &amp; glaze.</p>", "menu_order": random.randint(0, 3),
            "meta_data": [{"key": "kiln", "value": random.choice(("north", {"heat": 1200}, ["a", 1]))}],
        }  # fmt: skip
        if kind != "variable":
            price = random.choice(_PRICES)
            body |= {"regular_price": price, "sale_price": "0.01" if random.random() < 0.2 and price > "0.01" else ""}
        if random.random() < 0.4:
            body |= {"manage_stock": True, "stock_quantity": random.randint(0, 40), "low_stock_amount": 3,
                     "backorders": random.choice(("no", "notify", "yes"))}  # fmt: skip
        if kind == "download":
            file = {"name": "Plan", "file": "https://files.example/plan.pdf"}
            body |= {
                "downloadable": True,
                "virtual": True,
                "downloads": [file],
                "download_limit": random.choice((-1, 3)),
            }
        if kind == "variable":
            body |= {"type": "variable", "attributes": [
                {"id": self._colour, "options": ["Red", "Green"], "variation": True},
                {"name": "Size", "options": ["S", "L"], "variation": True},
            ]}  # fmt: skip
        product = self._put_in(PRODUCTS, body)["id"]
        if kind != "variable":
            self._goods.append((product, 0))
            return
        for colour, size in random.sample([("Red", "S"), ("Red", "L"), ("Green", "S")], random.randint(1, 3)):
            variation = self._put_in(f"{PRODUCTS}/{product}/variations", {
                "regular_price": random.choice(_PRICES), "manage_stock": random.random() < 0.5, "stock_quantity": 9,
                "attributes": [{"id": self._colour, "option": colour}, {"name": "Size", "option": size}],
            })["id"]  # fmt: skip
            self._goods.append((product, variation))

    def _add_coupon(self) -> None:
        code, random = f"code{len(self._coupons)}", self._random
        self._coupons.append(code)
        self._put_in("/shop/v3/coupons", {
            "code": code, "discount_type": random.choice(("percent", "fixed_cart", "fixed_product")),
            "amount": random.choice(("10", "1.5")), "free_shipping": random.random() < 0.3,
            "date_expires": random.choice((None, "2031-01-01T00:00:00")),
        })  # fmt: skip

    def _add_customer(self) -> None:
        self._accounts += 1
        number = self._accounts
        country, state, postcode = self._random.choice(_COUNTRIES)
        address = {"first_name": "Pia", "last_name": f"N{number}", "country": country, "state": state, "city": "Town",
                   "postcode": postcode}  # fmt: skip
        self._customers.append(self._put_in("/shop/v3/customers", {
            "email": f"pia{number}@example.net", "username": f"pia{number}", "first_name": "Pia",
            "billing": {**address, "email": f"pia{number}@example.net"}, "shipping": address,
        })["id"])  # fmt: skip

    def _order(self) -> None:
        random = self._random
        country, state, postcode = random.choice(_COUNTRIES)
        guest = random.choice(_GUESTS)
        account = bool(self._customers) and random.random() < 0.4
        address = {"first_name": guest, "last_name": "Rossi", "country": country, "state": state, "city": "Town",
                   "postcode": postcode, "address_1": "Way 1"}  # fmt: skip
        lines: list[dict[str, Any]] = [
            {"product_id": product, "variation_id": variation, "quantity": random.randint(1, 4)}
            for product, variation in random.sample(self._goods, min(len(self._goods), random.randint(0, 3)))
        ]
        if lines and random.random() < 0.2:
            lines[0] |= {"subtotal": "12.345", "total": "7.1"}
        body: dict[str, Any] = {
            "status": random.choice(_STATUSES), "line_items": lines,
            "billing": {**address, "email": f"{guest}@example.org"},
            "shipping": address if random.random() < 0.7 else {},
            "customer_note": random.choice(("", "Ring twice & wait")),
            "payment_method": random.choice(("", "bacs", "cod")), "set_paid": random.random() < 0.3,
            "meta_data": random.choice(([], [{"key": "gift", "value": "yes"}, {"key": "to", "value": {"of": "Bea"}}])),
            "fee_lines": [{"name": "Wrap", "total": random.choice(("1.25", "-0.5")), "tax_class": ""}]
            if random.random() < 0.3 else [],
            "coupon_lines": [{"code": code} for code in random.sample(self._coupons, random.choice((0, 0, 1, 2)))],
        }  # fmt: skip
        if account:
            body["customer_id"] = random.choice(self._customers)
        if random.random() < 0.5:
            kind, instance = random.choice(self._methods)
            total = random.choice(("0", "4.9"))
            sent = {"method_id": kind, "instance_id": str(instance), "method_title": "Post", "total": total}
            body["shipping_lines"] = [sent]
        answer = self._admin.post(ORDERS, body)
        if answer.status == 201:  # a coupon may be at its end
            self._orders.append(answer.json["id"])

    def _choose_order(self) -> dict[str, Any] | None:
        if not self._orders:
            return None
        answer = self._admin.get(f"{ORDERS}/{self._random.choice(self._orders)}")
        return answer.json if answer.status == 200 else None

    def _change_status(self) -> None:
        if order := self._choose_order():
            self._admin.put(f"{ORDERS}/{order['id']}", {"status": self._random.choice(_STATUSES)})

    def _change_order(self) -> None:
        if (order := self._choose_order()) and not order["refunds"]:
            body: dict[str, Any] = {"billing": {"city": "Elsewhere"}, "transaction_id": "t-1"}
            if order["line_items"] and self._random.random() < 0.5:
                body["line_items"] = [{"id": order["line_items"][0]["id"], "quantity": self._random.randint(0, 3)}]
            self._admin.put(f"{ORDERS}/{order['id']}", body)

    def _refund(self) -> None:
        if not (order := self._choose_order()):
            return
        back: dict[str, Any] = {"api_refund": False, "reason": self._random.choice(("", "Broken"))}
        if order["line_items"] and self._random.random() < 0.6:
            line = order["line_items"][0]
            pieces = max(1, line["quantity"])
            taxes = [
                {"id": tax["id"], "refund_total": float(round(Decimal(tax["total"] or 0) / pieces, 2))}
                for tax in line["taxes"]
            ]
            total = float(round(Decimal(line["total"]) / pieces, 2))
            back["line_items"] = [{"id": line["id"], "quantity": 1, "refund_total": total, "refund_tax": taxes}]
            back["api_restock"] = self._random.random() < 0.5
        else:
            back["amount"] = self._random.choice(("0.01", "1.50", order["total"]))
        self._admin.post(f"{ORDERS}/{order['id']}/refunds", back)

    def _note(self) -> None:
        if order := self._choose_order():
            body = {"note": "Left it & went <b>off</b>", "customer_note": self._random.random() < 0.5}
            self._admin.post(f"{ORDERS}/{order['id']}/notes", body)

    def _trash_order(self) -> None:
        if order := self._choose_order():
            # In the trash, one that was paid gives downloads there still: docs/moving-in.md.
            force = order["date_paid"] is not None or self._random.random() < 0.3
            self._admin.delete(f"{ORDERS}/{order['id']}", query={"force": force})

    def _review(self) -> None:
        random, (product, _) = self._random, self._random.choice(self._goods)
        self._admin.post(f"{PRODUCTS}/reviews", {
            "product_id": product, "review": "Holds <em>tea</em>", "reviewer": "Bea", "rating": random.randint(1, 5),
            "reviewer_email": f"{random.choice(_GUESTS)}@example.org",
            "status": random.choice(("approved", "hold", "spam")),
        })  # fmt: skip

    def _fetch(self) -> None:
        if order := self._choose_order():
            with self._stand.site.work() as work:
                product, _ = self._random.choice(self._goods)
                file_fetches.record_file_fetch(work, order["id"], product, "key", order["customer_id"], "10.0.0.1")

    def _change_price(self) -> None:
        product, variation = self._random.choice(self._goods)
        below = f"/variations/{variation}" if variation else ""
        self._admin.put(f"{PRODUCTS}/{product}{below}", {"regular_price": self._random.choice(_PRICES)})

    def _remove_product(self) -> None:
        # What the lines of a product that is gone say of it: docs/moving-in.md. One with variations has no price then.
        known = [one["product_id"] for id in self._orders for one in self._load_lines(id)]
        whole = [product for product, variation in self._goods if not variation and len(self._goods) > 3]
        if whole:
            gone = self._random.choice(whole)
            self._admin.delete(f"{PRODUCTS}/{gone}", query={"force": gone not in known and self._random.random() < 0.6})
            self._goods.remove((gone, 0))

    def _load_lines(self, order: int) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self._admin.get(f"{ORDERS}/{order}").json.get("line_items", [])
        return found

    def _remove_customer(self) -> None:
        # Orders of an account that is gone are a nameless customer's there, and those of their address here.
        idle = [
            id for id in self._customers if not self._admin.get(ORDERS, query={"customer": id, "status": "any"}).json
        ]
        if idle:
            self._customers.remove(gone := self._random.choice(idle))
            self._admin.delete(f"/shop/v3/customers/{gone}", query={"force": True})
