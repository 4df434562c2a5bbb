"""The form that puts a product into the cart, on pages of products and in lists.

Its fields: product, quantity; of a variable product variation and `attribute_<slug>` for each choice. Not here: its
markup, which is the catalogue's. Rules: docs/rules/cart_pages.md, 3; docs/rules/cart.md, 3 and 4.
"""

from __future__ import annotations

from typing import Any, Final
from urllib.parse import quote, urlencode

from vetrina.kernel.integers import parse_digits
from vetrina.pages.forms import NOTICE_PARAMETER, RefusedForm, SubmittedForm, redirect_with_notice
from vetrina.pages.page_context import sanitize_local_url
from vetrina.pages.shop.store_requests import StoreAnswer, call_store
from vetrina.rest.call import Request, Response
from vetrina.shop.settings import rules as settings
from vetrina.shop.settings.shop_pages import CART_PAGE, build_shop_page_url

from .cart_cookies import list_count_cookies
from .texts import explain_refusal, translate

ADD_FORM: Final = "add-to-cart"
_ADDED: Final = "added-to-cart"
_CHOICE: Final = "attribute_"


def handle_add_to_cart(sent: SubmittedForm) -> Response | RefusedForm:
    """Put the product of a form into the visitor's cart."""
    language = sent.language
    quantity = parse_digits(sent.get("quantity") or "1")
    if not quantity:
        fault = translate(language, "The quantity must be a whole number from 1.")
        return RefusedForm(ADD_FORM, fault, {"quantity": fault})
    choices = [
        {"attribute": name.removeprefix(_CHOICE), "value": value}
        for name, value in sent.request.form.items()
        if name.startswith(_CHOICE) and isinstance(value, str) and value
    ]
    id = parse_digits(sent.get("variation")) or parse_digits(sent.get("product")) or 0
    body: dict[str, Any] = {"id": id, "quantity": quantity, **({"variation": choices} if choices else {})}
    answer = call_store(sent, "POST", "/cart/add-item", body)
    if answer.failed:
        return RefusedForm(ADD_FORM, explain_refusal(language, answer), status=answer.status)
    return redirect_with_notice(_find_target(sent), _ADDED, list_cookies(sent.request, answer))


def list_cookies(request: Request, answer: StoreAnswer) -> list[str]:
    """Return the cookies that follow from an answer with a cart."""
    return [*answer.cookies, *list_count_cookies(request, answer.body)]


def build_own_address(request: Request) -> str:
    """Return the address that a form was posted to, without what its page said before."""
    query = {name: value for name, value in request.query.items() if name != NOTICE_PARAMETER}
    kept = urlencode({name: value for name, value in query.items() if isinstance(value, str)})
    return sanitize_local_url(f"{quote(request.path)}?{kept}" if kept else quote(request.path))


def _find_target(sent: SubmittedForm) -> str:
    """Return where the visitor goes on: the same page, or the cart where the shop is set so."""
    with sent.context.open_work(sent.request, sent.user, True) as work:
        if settings.is_setting_on(work, "shop_cart_redirect_after_add"):
            return build_shop_page_url(work, CART_PAGE) or build_own_address(sent.request)
    return build_own_address(sent.request)
