"""The choice between the ways to pay, and where a payment leads.

Which ways there are is what the visitors' interface answers. Rules: docs/rules/cart_pages.md, 7.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from vetrina.pages.forms import SubmittedForm, get_fault, get_sent
from vetrina.pages.markup import Html, render_element, render_link, trust_markup
from vetrina.pages.page_context import build_own_page, build_redirect
from vetrina.pages.page_request import PageRequest, strip_markup
from vetrina.rest.call import Response
from vetrina.shop.mail import appearance
from vetrina.shop.payments import gateways

from .texts import translate

METHOD_FIELD: Final = "payment_method"
_DATA_FIELD: Final = "payment_data-"
_FAILURE: Final = "failure"
_ERROR_MEMBER: Final = "errorMessage"


def render_rich_text(text: str) -> Html:
    """Return a text of the shop's settings, with the markup that any author may write."""
    return trust_markup(appearance.render_mail_html(text))


def render_payment_methods(page: PageRequest, form: str, ids: Iterable[str], chosen: str) -> Html:
    """Return the choice between ways to pay. chosen: where none was sent; the first one otherwise."""
    language, wanted = page.language, tuple(ids)
    known = {one.gateway.id: one for one in gateways.list_enabled_gateways(page.work)}
    shown = [known[id] for id in wanted if id in known and not known[id].gateway.needs_data]
    selected = get_sent(page, form, METHOD_FIELD, chosen)
    if shown and selected not in {one.gateway.id for one in shown}:
        selected = shown[0].gateway.id
    entries = []
    for one in shown:
        number = f"pay-{one.gateway.id}".replace("_", "-")
        radio = render_element(
            "input", type="radio", name=METHOD_FIELD, value=one.gateway.id, id=number,
            checked=one.gateway.id == selected, required=True,
        )  # fmt: skip
        about = render_element("div", render_rich_text(one.description), class_="shop-choice-about")
        label = render_element("label", strip_markup(one.title), for_=number)
        entries.append(render_element("div", radio, label, about, class_="shop-choice"))
    if not entries:
        entries.append(
            render_element("p", translate(language, "There is no way to pay yet. Write to us."), role="alert")
        )
    legend = render_element("legend", translate(language, "Payment"))
    fault = get_fault(page, form, METHOD_FIELD)
    said = [render_element("p", fault, class_="form-error")] if fault else []
    return render_element("fieldset", legend, *entries, *said, class_="shop-choices")


def parse_payment(sent: SubmittedForm) -> dict[str, Any]:
    """Return how a form wants to pay, as the interface takes it.

    What a gateway's own script adds to the form, in fields named `payment_data-KEY`, is handed on to it.
    """
    data = [
        {"key": name.removeprefix(_DATA_FIELD), "value": value}
        for name, value in sent.request.form.items()
        if name.startswith(_DATA_FIELD) and isinstance(value, str)
    ]
    return {"payment_method": sent.get(METHOD_FIELD), "payment_data": data}


def find_payment_failure(language: str, result: Mapping[str, Any]) -> str:
    """Return why a payment failed, as the gateway says it; empty where it did not."""
    if result["payment_status"] != _FAILURE:
        return ""
    told = {one["key"]: one["value"] for one in result["payment_details"]}
    said = str(told.get(_ERROR_MEMBER) or "")
    return strip_markup(said) or translate(language, "The payment failed. Try again, or choose another way to pay.")


def lead_on(sent: SubmittedForm, address: str, cookies: Iterable[str]) -> Response:
    """Return the response that leads to where a payment goes on.

    Browsers follow no redirect of a form to another site under the policy of our pages, so a page leads there.
    """
    if address.startswith(f"{sent.request.origin}/"):
        return build_redirect(address, cookies=cookies)
    refresh = render_element("meta", http_equiv="refresh", content=f"0; url={address}")
    text = translate(sent.language, "Continue to the payment")
    answer = build_own_page(sent.request, 200, text, render_element("p", render_link(address, text)), head=[refresh])
    answer.headers["Set-Cookie"] = list(cookies)
    return answer
