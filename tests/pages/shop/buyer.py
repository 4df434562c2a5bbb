"""A visitor who buys by the pages of a shop: fills in their forms and sends them, as a browser without scripts."""

from __future__ import annotations

from html.parser import HTMLParser
from typing import Any
from urllib.parse import urlsplit

from conftest import ORIGIN, Stand
from pages.conftest import PASSWORD, Page, Visitor
from vetrina.access.users import rules as users

SAME_ORIGIN = {"sec-fetch-site": "same-origin"}
CART, CHECKOUT = "/en/cart/", "/en/checkout/"
ADDRESS = {
    "first_name": "Mara", "last_name": "Neri", "address_1": "1 Main St", "city": "Fresno", "state": "CA",
    "postcode": "93650", "country": "US",
}  # fmt: skip


class _Forms(HTMLParser):
    """The fields of each form of a page with what they hold, by the form's name."""

    def __init__(self) -> None:
        super().__init__()
        self.forms: dict[str, dict[str, str]] = {}
        self._fields: dict[str, str] | None = None
        self._choice = ""
        self._text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        has, name = dict(attrs), dict(attrs).get("name") or ""
        if tag == "form":
            self._fields = {}
        if self._fields is None:
            return
        if tag == "input" and (has.get("type") not in ("radio", "checkbox") or "checked" in has):
            self._fields[name] = has.get("value") or ""
        elif tag == "select":
            self._choice = name
        elif tag == "option" and ("selected" in has or self._choice not in self._fields):
            self._fields[self._choice] = has.get("value") or ""
        elif tag == "textarea":
            self._text = name
            self._fields[name] = ""

    def handle_data(self, data: str) -> None:
        if self._text and self._fields is not None:
            self._fields[self._text] += data

    def handle_endtag(self, tag: str) -> None:
        if tag == "textarea":
            self._text = ""
        if tag == "form" and self._fields is not None:
            self.forms[self._fields.get("_form", "")] = self._fields
            self._fields = None


def read_forms(page: Page) -> dict[str, dict[str, str]]:
    """Return the fields of each form of a page, by the form's name."""
    found = _Forms()
    found.feed(page.text)
    return found.forms


class Buyer(Visitor):
    """A visitor of a shop."""

    def send(self, address: str, form: str, **fields: str) -> Page:
        """Fill in a form of a page and send it."""
        shown = self.get(address)
        forms = read_forms(shown)
        assert form in forms, (shown.status, shown.text)
        return self.post(address, {**forms[form], **fields}, **SAME_ORIGIN)

    def add(self, product: int, quantity: int = 1, at: str = "/en/", **fields: str) -> Page:
        """Send the form that puts a product into the cart."""
        form = {"_form": "add-to-cart", "product": str(product), "quantity": str(quantity), **fields}
        return self.post(at, form, **SAME_ORIGIN)

    def order(self, **fields: str) -> Page:
        """Place the order, pressing the button again where the address has changed what it comes to."""
        given = {f"billing_{name}": value for name, value in ADDRESS.items()}
        wanted = {**given, "billing_email": "mara@example.org", "action": "place", **fields}
        page = self.send(CHECKOUT, "checkout", **wanted)
        if page.status == 409:
            page = self.post(CHECKOUT, {**read_forms(page)["checkout"], **wanted}, **SAME_ORIGIN)
        return page


def set_password(site: Stand, login: str) -> None:
    """Give an account the password for signing in."""
    with site.site.work() as work:
        user = users.find_user_by_login(work.tx, login)
        assert user is not None
        users.update_user(work, user, password=PASSWORD)


def read_order_id(page: Page) -> int:
    """Return the id of the order that a redirect leads to."""
    assert page.status == 303, page.text
    assert page.location.startswith(ORIGIN)
    return int(urlsplit(page.location).path.rstrip("/").rpartition("/")[2])


def drop_times(order: dict[str, Any]) -> dict[str, Any]:
    """Return an order without what differs between any two: ids, keys, times."""

    def cleaned(value: Any) -> Any:
        if isinstance(value, dict):
            return {name: cleaned(one) for name, one in value.items() if name not in _OWN}
        return [cleaned(one) for one in value] if isinstance(value, list) else value

    out: dict[str, Any] = cleaned(order)
    return out


_OWN = frozenset(
    ("id", "number", "order_key", "cart_hash", "date_created", "date_created_gmt", "date_modified", "date_modified_gmt",
     "payment_url", "_links", "customer_user_agent")
)  # fmt: skip
