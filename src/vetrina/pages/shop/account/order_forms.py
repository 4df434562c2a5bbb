"""What customers do with an order: cancel it, or put its lines into the cart again.

Rules: docs/rules/account_pages.md, 5.
"""

from __future__ import annotations

from typing import Any

from vetrina.kernel.integers import parse_digits
from vetrina.pages.forms import RefusedForm, SubmittedForm, redirect_with_notice
from vetrina.pages.shop.account.account_requests import build_form_url, refuse_visitor
from vetrina.pages.shop.account.order_pages import AGAIN_FORM, CANCEL_FORM, ORDER_FIELD
from vetrina.pages.shop.account.texts import PHRASES
from vetrina.pages.shop.store_requests import call_store
from vetrina.rest.call import Response
from vetrina.shop import meta_data
from vetrina.shop.orders import customer_orders, model as order_model
from vetrina.shop.orders.customer_orders import OrderNotCancellable
from vetrina.shop.orders.model import LINE, OrderNotFound
from vetrina.shop.settings.shop_pages import CART_PAGE, build_shop_page_url


def handle_cancel_form(sent: SubmittedForm) -> Response | RefusedForm:
    """Cancel an order."""
    if sent.session is None:
        return refuse_visitor(sent, CANCEL_FORM)
    try:
        with sent.context.open_work(sent.request, sent.user, False) as work:
            customer_orders.cancel_customer_order(work, sent.user.id, parse_digits(sent.get(ORDER_FIELD)) or 0)
    except OrderNotFound:
        return RefusedForm(CANCEL_FORM, PHRASES.translate(sent.language, "There is no such order."), status=404)
    except OrderNotCancellable:
        text = PHRASES.translate(sent.language, "This order cannot be cancelled any more.")
        return RefusedForm(CANCEL_FORM, text, status=409)
    return redirect_with_notice(build_form_url(sent), "order-cancelled")


def handle_again_form(sent: SubmittedForm) -> Response | RefusedForm:
    """Put the lines of an order into the cart, as far as they can still be bought."""
    if sent.session is None:
        return refuse_visitor(sent, AGAIN_FORM)
    try:
        with sent.context.open_work(sent.request, sent.user, True) as work:
            one = customer_orders.get_customer_order(work, sent.user.id, parse_digits(sent.get(ORDER_FIELD)) or 0)
            lines = [item for item in order_model.load_items_by_owner(work, (one.id,))[one.id] if item.kind == LINE]
            metas = meta_data.load_meta_by_owner(work, "order_item", [item.id for item in lines])
            wanted = [
                {
                    "id": item.sellable_id,
                    "quantity": item.quantity,
                    "variation": [
                        {"attribute": meta.key, "value": str(meta.value)}
                        for meta in metas.get(item.id, ()) if item.variation and not meta.key.startswith("_")
                    ],
                }
                for item in lines if item.sellable_id and item.quantity > 0
            ]  # fmt: skip
    except OrderNotFound:
        return RefusedForm(AGAIN_FORM, PHRASES.translate(sent.language, "There is no such order."), status=404)
    added = [_add_line(sent, line) for line in wanted]
    if not any(added):
        text = PHRASES.translate(sent.language, "None of this can be bought any more.")
        return RefusedForm(AGAIN_FORM, text, status=409)
    return redirect_with_notice(_build_cart_url(sent), "ordered-again" if all(added) else "partly-ordered-again")


def _build_cart_url(sent: SubmittedForm) -> str:
    with sent.context.open_work(sent.request, sent.user, True) as work:
        return build_shop_page_url(work, CART_PAGE) or build_form_url(sent)


def _add_line(sent: SubmittedForm, line: dict[str, Any]) -> bool:
    return not call_store(sent, "POST", "/cart/add-item", line).failed
