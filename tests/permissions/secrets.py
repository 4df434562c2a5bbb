"""Secret words, each in one place that only some may read, with those who may.

A word is searched for in the text of every response, so that no list of members is needed. Not here: how responses are
collected (test_leaks.py). Rules: docs/rules/rights.md, 2, docs/rules/passwords.md, 1, 3 and 6, docs/rules/blocks.md, 4;
docs/rules/shop_requests.md, 1 for the shop.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from conftest import Answer, Client
from vetrina.system.bootstrap import InitialAccount

from .rows import ADMINISTRATOR, CONTRIBUTORS, DESIGNERS, EDITORS, NONE

__all__ = ["ACCOUNTS_WITH_SECRETS", "Secrets"]

SHOP = ADMINISTRATOR | {"shop_manager"}
LISTERS = SHOP  # may list accounts
_STATUSES = ("draft", "pending", "private", "future")

# A nicename of its own keeps an account's login out of public URLs.
ACCOUNTS_WITH_SECRETS = [
    InitialAccount("admin", "administrator", "zqmailadminqz@example.org", "admin pass word"),
    InitialAccount("editor", "editor", "zqmaileditorqz@example.org", "editor pass word"),
]


class Secrets:
    """Plants the words in a site, as its administrator, and knows who may see each."""

    def __init__(self, client: Callable[[str], Client], shop: bool) -> None:
        self.may: dict[str, frozenset[str]] = {}
        self._admin, self._editor = client("admin"), client("editor")
        self._client, self._shop_side = client, shop
        self._accounts()
        self._records()
        self._comments()
        self._design()
        if shop:
            self._shop()
            self._orders()
            self._shop_settings()

    def _word(self, name: str, may: frozenset[str]) -> str:
        """Return a word that only these may see."""
        word = f"zq{name}qz".replace("-", "").replace("_", "").lower()
        assert word not in self.may
        self.may[word] = may
        return word

    def _made(self, path: str, body: dict[str, Any], by: Client | None = None) -> Any:
        answer: Answer = (by or self._admin).post(path, body)
        assert answer.status in (200, 201), (path, answer.content)
        return answer.json

    # -- the content half

    def _accounts(self) -> None:
        # Comment moderators see their authors.
        self.may["zqmailadminqz"], self.may["zqmaileditorqz"] = LISTERS | EDITORS, LISTERS | EDITORS
        reader = {
            "username": self._word("login", LISTERS), "email": f"{self._word('mail', LISTERS)}@example.org",
            "name": self._word("name", LISTERS), "password": self._word("password", NONE),
            "first_name": self._word("first", LISTERS), "description": self._word("about", LISTERS),
            "slug": self._word("slug", LISTERS), "url": f"https://{self._word('url', LISTERS)}.example/",
        }  # fmt: skip
        id = self._made("/cms/v2/users", reader)["id"]
        name = {"name": self._word("keyname", ADMINISTRATOR)}
        self._made(f"/cms/v2/users/{id}/application-passwords", name)
        # The shop's mails are sent from this address until it sets another.
        self._made("/cms/v2/settings", {"email": f"{self._word('sitemail', SHOP)}@example.org"})

    def _records(self) -> None:
        types = self._admin.get("/cms/v2/types", query={"context": "edit"}).json
        bases = [one["rest_base"] for name, one in types.items() if one["viewable"] and name != "attachment"]
        for base in (*bases, "blocks", "navigation"):
            if base == "products":
                continue
            path = f"/cms/v2/{base}"
            # A type of the profile may have no content.
            parts = ("title", "slug", "content") if "content" in self._made(path, {"title": "x"}) else ("title", "slug")
            for status in _STATUSES:
                when = {"date": "2199-01-01T00:00:00"} if status == "future" else {}
                self._made(path, {**self._texts(f"{base}{status}", parts), "status": status, **when})
            id = self._made(path, {**self._texts(f"{base}trash", parts), "status": "publish"})["id"]
            assert self._admin.delete(f"{path}/{id}").status == 200
        # Protected content is hidden without its password; those who may edit it read it as stored.
        hidden = {part: self._word(f"navigation{part}kept", EDITORS) for part in ("content", "password")}
        self._made("/cms/v2/navigation", {"title": "Protected", "status": "publish", **hidden})
        pattern = {part: self._word(f"pattern{part}kept", EDITORS) for part in ("content", "excerpt", "password")}
        id = self._made("/cms/v2/blocks", {"title": "Protected", "status": "publish", **pattern})["id"]
        self._made(
            "/cms/v2/posts", {"title": "x", "status": "publish", "content": f'<!-- wp:block {{"ref":{id}}} /-->'}
        )
        for base in ("posts", "pages"):
            hidden = {
                "content": self._word(f"{base}protected", EDITORS), "excerpt": self._word(f"{base}hint", EDITORS),
                "password": self._word(f"{base}key", EDITORS),
                "meta": {"footnotes": f'[{{"id": "a", "content": "{self._word(f"{base}note", EDITORS)}"}}]'},
            }  # fmt: skip
            self._made(f"/cms/v2/{base}", {"title": "Protected", "status": "publish", **hidden})
            remark = f'{{"remark": "{self._word(f"{base}raw", EDITORS)}"}}'
            told = f"<!-- wp:paragraph {remark} --><p>x</p><!-- /wp:paragraph -->"
            id = self._made(f"/cms/v2/{base}", {"title": "Shown", "content": told, "status": "publish"})["id"]
            older = {"content": f"{told}<p>{self._word(f'{base}older', EDITORS)}</p>"}
            self._made(f"/cms/v2/{base}/{id}", older)
            self._made(f"/cms/v2/{base}/{id}", {"content": told})
            self._made(f"/cms/v2/{base}/{id}/autosaves", {"content": self._word(f"{base}unsaved", EDITORS)})

    def _texts(self, name: str, parts: tuple[str, ...]) -> dict[str, Any]:
        return {part: self._word(name + part, EDITORS) for part in parts}

    def _comments(self) -> None:
        post = self._made("/cms/v2/posts", {"title": "Talked about", "content": "x", "status": "publish"})["id"]
        closed = self._made("/cms/v2/posts", {"title": "closed", "content": "x", "status": "private"})["id"]
        shown = {
            "post": post, "content": "shown", "author_name": "Somebody",
            "author_email": f"{self._word('commentmail', EDITORS)}@example.org",
            "author_ip": "203.0.113.77",
            "author_user_agent": self._word("agent", EDITORS),
        }  # fmt: skip
        self.may["203.0.113.77"] = EDITORS
        self._made("/cms/v2/comments", shown)
        for status in ("hold", "spam", "trash"):
            content = self._word(f"comment{status}", EDITORS)
            self._made("/cms/v2/comments", {"post": post, "content": content, "status": status})
        self._made("/cms/v2/comments", {"post": closed, "content": self._word("commentprivate", EDITORS)})
        note = {"post": post, "content": self._word("remark", EDITORS), "type": "note"}
        self._made("/cms/v2/comments", note)

    def _design(self) -> None:
        menu = self._made("/cms/v2/menus", {"name": self._word("menu", CONTRIBUTORS)})["id"]
        item = {"title": self._word("item", CONTRIBUTORS), "url": "https://example.org/", "menus": menu}
        self._made("/cms/v2/menu-items", {**item, "status": "publish"})
        widget = {"id_base": "text", "sidebar": "cms_inactive_widgets"}
        self._made("/cms/v2/widgets", {**widget, "instance": {"raw": {"text": self._word("widget", DESIGNERS)}}})
        self._made("/cms/v2/templates", {"slug": "t", "content": self._word("template", CONTRIBUTORS)})
        family = f'{{"name": "{self._word("family", DESIGNERS)}", "slug": "f", "fontFamily": "F"}}'
        self._made("/cms/v2/font-families", {"font_family_settings": family})

    # -- the shop

    def _shop(self) -> None:
        for status in ("draft", "private", "pending"):
            text = {part: self._word(f"product{status}{part}", SHOP) for part in ("name", "description", "sku")}
            self._made("/shop/v3/products", {**text, "status": status, "regular_price": "1"})
        file = {"name": "file", "file": f"https://files.example/{self._word('file', SHOP)}.pdf"}
        sold = {
            "name": "Sold", "regular_price": "10", "purchase_note": self._word("buyersnote", SHOP),
            "downloadable": True, "virtual": True, "downloads": [file],
            "meta_data": [{"key": "_cost", "value": self._word("cost", SHOP)}],
        }  # fmt: skip
        self._product = self._made("/shop/v3/products", sold)["id"]
        review = {
            "product_id": self._product, "review": "fine", "reviewer": "Somebody", "rating": 5,
            "reviewer_email": f"{self._word('reviewmail', EDITORS)}@example.org",
        }  # fmt: skip
        self._made("/shop/v3/products/reviews", review)
        held = {**review, "review": self._word("reviewheld", EDITORS), "status": "hold"}
        self._made("/shop/v3/products/reviews", {**held, "reviewer_email": "other@example.org"})
        coupon = {"code": self._word("coupon", SHOP), "description": self._word("couponabout", SHOP), "amount": "5"}
        self._made("/shop/v3/coupons", coupon)

    def _orders(self) -> None:
        buyer = {
            "email": f"{self._word('buyer', SHOP)}@example.org", "username": self._word("buyerlogin", SHOP),
            "first_name": self._word("buyerfirst", SHOP),
            "billing": {"address_1": self._word("street", SHOP), "phone": self._word("phone", SHOP)},
        }  # fmt: skip
        customer = self._made("/shop/v3/customers", buyer)["id"]
        ordered = {
            "customer_id": customer, "status": "processing", "payment_method": "cheque",
            "line_items": [{"product_id": self._product, "quantity": 1}],
            "billing": {"email": f"{self._word('ordermail', SHOP)}@example.org", "last_name": self._word("last", SHOP)},
            "customer_note": self._word("wish", SHOP), "transaction_id": self._word("transaction", SHOP),
        }  # fmt: skip
        order = self._made("/shop/v3/orders", ordered)
        self.may[order["order_key"]] = SHOP
        self._made(f"/shop/v3/orders/{order['id']}/notes", {"note": self._word("ordernote", SHOP)})
        self._made(
            f"/shop/v3/orders/{order['id']}/refunds",
            {"amount": "1", "api_refund": False, "reason": self._word("refund", SHOP)},
        )

    def _shop_settings(self) -> None:
        admin = self._admin
        account = {"settings": {"instructions": self._word("bank", SHOP)}}
        assert admin.put("/shop/v3/payment_gateways/bacs", account).status == 200
        address = {"value": self._word("storestreet", SHOP)}
        assert admin.put("/shop/v3/settings/general/shop_store_address", address).status == 200
        hook = {
            "topic": "order.created", "delivery_url": f"https://{self._word('hook', SHOP)}.example/",
            "secret": self._word("hooksecret", NONE), "name": self._word("hookname", SHOP),
        }  # fmt: skip
        self._made("/shop/v3/webhooks", hook)
        self._made("/shop/v3/taxes", {"rate": "22", "country": "IT", "name": self._word("tax", SHOP)})
