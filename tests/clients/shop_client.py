"""Runs the client `woocommerce` against a shop: python shop_client.py URL KEY SECRET. Writes its results as JSON.

Over plain http the client signs every request (OAuth 1.0a).
"""

import json
import sys

from woocommerce import API


def main(address: str, key: str, secret: str) -> None:
    saw = {}
    api = API(url=address, consumer_key=key, consumer_secret=secret, version="wc/v3", timeout=60)

    lamp = api.post("products", {"name": "Lampada à olio", "regular_price": "12.50", "stock_quantity": 9}).json()
    saw["product"] = [lamp["name"], lamp["price"]]
    saw["changed"] = api.put(f"products/{lamp['id']}", {"sale_price": "10.00"}).json()["price"]
    batch = api.post("products/batch", {"create": [{"name": "Wick"}, {"name": "Oil"}]}).json()
    saw["batch"] = [one["name"] for one in batch["create"]]
    page = api.get("products", params={"per_page": 2, "orderby": "title", "order": "asc"})
    saw["page"] = [[one["name"] for one in page.json()], page.headers["X-WP-Total"]]
    saw["searched"] = [one["id"] == lamp["id"] for one in api.get("products", params={"search": "olio"}).json()]
    customer = api.post("customers", {"email": "ada@example.com", "first_name": "Ada"}).json()
    saw["customer"] = customer["username"]
    api.post("coupons", {"code": "TEN", "discount_type": "percent", "amount": "10"})
    order = api.post(
        "orders",
        {
            "customer_id": customer["id"],
            "set_paid": True,
            "line_items": [{"product_id": lamp["id"], "quantity": 2}],
            "coupon_lines": [{"code": "ten"}],
        },
    ).json()
    saw["order"] = [order["status"], order["total"], order["discount_total"]]
    refund = api.post(f"orders/{order['id']}/refunds", {"amount": "8.00", "api_refund": False}).json()
    saw["refund"] = refund["amount"]
    saw["deleted"] = api.delete(f"orders/{order['id']}", params={"force": True}).json()["id"] == order["id"]
    saw["missing"] = api.get(f"orders/{order['id']}").json()["code"]
    basic = API(url=address, consumer_key=key, consumer_secret=secret, version="wc/v3", query_string_auth=True)
    saw["status"] = basic.get("system_status").status_code
    wrong = API(url=address, consumer_key=key, consumer_secret="cs_wrong", version="wc/v3")
    saw["refused"] = wrong.get("products").status_code
    print(json.dumps(saw))


main(*sys.argv[1:])
