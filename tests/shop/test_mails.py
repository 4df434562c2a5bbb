"""Mails of the shop over the interface: sent once at their event, to the right recipients, with the order's data."""

from __future__ import annotations

import logging
import time
from decimal import Decimal
from pathlib import Path
from typing import Any

import msgspec
import pytest

from conftest import Client, Stand
from vetrina.shop.mail import appearance, formatting, templates as mail_templates
from vetrina.shop.mail.mails import MAIL_TYPES_BY_ID
from vetrina.shop.orders import model as order_model
from vetrina.shop.settings import currencies

from .sent_mails import Mails, part, text_of, to
from .store import Visitor, payable, sold

V3 = "/shop/v3"
EMAIL = "/shop-admin-email/settings/email"
BUYER = {
    "first_name": "Ada", "last_name": "Rossi", "address_1": "Via Roma 1", "city": "Bologna", "postcode": "40121",
    "country": "IT", "email": "ada@example.com", "phone": "051 1",
}  # fmt: skip


@pytest.fixture
def mails(site: Stand) -> Mails:
    return Mails(site)


def order(manager: Client, **members: Any) -> int:
    answer = manager.post(f"{V3}/orders", {"billing": BUYER, **members})
    assert answer.status == 201, answer.json
    return int(answer.json["id"])


def move(manager: Client, id: int, status: str) -> None:
    assert manager.put(f"{V3}/orders/{id}", {"status": status}).status == 200


def setting(manager: Client, group: str, id: str, value: Any) -> None:
    answer = manager.put(f"{V3}/settings/{group}/{id}", {"value": value})
    assert answer.status == 200, answer.json


@pytest.mark.every_database
def test_an_order_tells_its_figures_to_customer_and_shop(site: Stand, manager: Client, mails: Mails) -> None:
    cup = sold(manager, "Blue cup", "10.50", sku="CUP-1")
    id = order(
        manager, status="processing", payment_method="cod", payment_method_title="Cash", customer_note="Ring\ntwice",
        line_items=[{"product_id": cup, "quantity": 2, "meta_data": [{"key": "Engraving", "value": "For M <3"}]}],
        shipping_lines=[{"method_id": "flat_rate", "method_title": "Post", "total": "4.00"}],
        fee_lines=[{"name": "Gift wrap", "total": "2.00"}],
    )  # fmt: skip
    found = mails.new()
    assert len(found) == 2
    own = to(found, "ada@example.com")
    assert own["Subject"] == "Your Vetrina order has been received!"
    assert own.get_content_type() == "multipart/alternative"
    text = text_of(own)
    for said in (
        "Hi Ada,", f"#{id}", "Blue cup × 2: $21.00", "Engraving: For M <3", "Subtotal: $21.00",
        "Shipping: $4.00 via Post", "Gift wrap: $2.00", "Payment method: Cash", "Total: $27.00", "Ring\ntwice",
        "Via Roma 1", "40121 Bologna", "Italy",
    ):  # fmt: skip
        assert said in text, said
    html = part(own, "html")
    assert "Engraving: For M &lt;3" in html
    assert "$27.00" in html
    to_shop = next(one for one in found if one is not own)
    assert to_shop["Subject"] == f"[Vetrina]: You have a new order: #{id}"
    assert "#CUP-1" in text_of(to_shop)
    assert "Ada Rossi" in text_of(to_shop)
    assert mails.new() == []


@pytest.mark.parametrize(
    "status, subjects",
    [
        ("on-hold", ["[Vetrina]: You have a new order: #{id}", "Your Vetrina order has been received!"]),
        ("processing", ["[Vetrina]: You have a new order: #{id}", "Your Vetrina order has been received!"]),
        ("completed", ["[Vetrina]: You have a new order: #{id}", "Your Vetrina order is now complete"]),
        ("failed", ["[Vetrina]: Order #{id} has failed", "Your order at Vetrina was unsuccessful"]),
        ("cancelled", []),
        ("pending", []),
    ],
)  # fmt: skip
def test_a_new_order_sends_what_its_status_says(
    manager: Client, mails: Mails, status: str, subjects: list[str]
) -> None:
    id = order(manager, status=status)
    assert [one["Subject"] for one in mails.new()] == [one.format(id=id) for one in subjects]


def test_an_order_that_goes_on_is_new_once(manager: Client, mails: Mails) -> None:
    id = order(manager, status="on-hold")
    assert len(mails.new()) == 2
    move(manager, id, "processing")
    assert [one["To"] for one in mails.new()] == ["ada@example.com"]
    move(manager, id, "failed")
    assert mails.new() == []
    move(manager, id, "processing")
    assert [one["To"] for one in mails.new()] == ["ada@example.com"]
    move(manager, id, "cancelled")
    assert sorted(one["Subject"] for one in mails.new()) == [
        f"Your Vetrina order #{id} has been cancelled", f"[Vetrina]: Order #{id} has been cancelled",
    ]  # fmt: skip


def test_who_waits_for_a_transfer_reads_where_to_pay(manager: Client, mails: Mails) -> None:
    account = {
        "account_name": "Shop <Ltd>", "account_number": "42", "bank_name": "Banca", "sort_code": "01-02",
        "iban": "IT60X0542811101000000123456", "bic": "BPMOIT22",
    }  # fmt: skip
    admin = manager.post("/shop-admin/options", {"shop_bacs_accounts": [account]})
    assert admin.status == 200, admin.json
    settings = {"instructions": "Pay <b>within</b> a week.<script>alert(1)</script>"}
    assert manager.put(f"{V3}/payment_gateways/bacs", {"enabled": True, "settings": settings}).status == 200
    id = order(manager, status="on-hold", payment_method="bacs", payment_method_title="Transfer")
    own = to(mails.new(), "ada@example.com")
    for said in (
        "Pay within a week.",
        "Shop <Ltd>",
        "IBAN: IT60X0542811101000000123456",
        "BIC: BPMOIT22",
        f"Use {id} as",
    ):
        assert said in text_of(own), said
    html = part(own, "html")
    assert "Pay <b>within</b> a week." in html
    assert "Shop &lt;Ltd&gt;" in html
    assert "<script" not in html
    move(manager, id, "completed")
    assert "IBAN" not in text_of(to(mails.new(), "ada@example.com"))


def test_a_cheque_is_told_where_to_go(manager: Client, mails: Mails) -> None:
    for name, value in (("address", "Via Larga 3"), ("city", "Milano"), ("postcode", "20100")):
        setting(manager, "general", f"shop_store_{name}", value)
    order(manager, status="on-hold", payment_method="cheque", payment_method_title="Cheque")
    text = text_of(to(mails.new(), "ada@example.com"))
    assert "payable to Vetrina" in text
    assert "Via Larga 3\n20100 Milano" in text


def test_a_checkout_sends_in_the_language_of_its_visitor(site: Stand, manager: Client, mails: Mails) -> None:
    payable(manager, "cheque")
    setting(manager, "general", "shop_currency", "EUR")
    visitor = Visitor(site)
    visitor.add(sold(manager, "Tazza", "1234.50"))
    answer = visitor.client.post(
        "/shop/store/v1/checkout?mlang_language=it",
        json={"billing_address": {**BUYER, "state": "BO"}, "payment_method": "cheque"}, headers=visitor.headers,
    )  # fmt: skip
    assert answer.status == 200, answer.json
    found = mails.new()
    own = to(found, "ada@example.com")
    assert own["Subject"] == "Abbiamo ricevuto il tuo ordine su Vetrina!"
    assert "Totale: 1.234,50 €" in text_of(own) or "Totale: 1234,50 €" in text_of(own)
    assert "Italia" in text_of(own)
    assert '<html lang="it"' in part(own, "html")
    to_shop = next(one for one in found if one is not own)
    assert to_shop["Subject"].startswith("[Vetrina]: You have a new order")
    id = int(answer.json["order_id"])
    # Whoever changes the order, the customer's mail is in their language.
    move(manager, id, "completed")
    assert to(mails.new(), "ada@example.com")["Subject"] == "Il tuo ordine su Vetrina è completato"


def test_refunds_tell_how_much_goes_back(manager: Client, mails: Mails) -> None:
    id = order(manager, status="completed", line_items=[{"product_id": sold(manager, "Cup", "30"), "quantity": 1}])
    mails.new()
    refunds = f"{V3}/orders/{id}/refunds"
    assert manager.post(refunds, {"amount": "10", "reason": "Scratch", "api_refund": False}).status == 201
    [own] = mails.new()
    assert own["Subject"] == f"Your Vetrina order #{id} has been partially refunded"
    for said in ("$10.00 goes back", "Refund: Scratch: -$10.00", "Total after refunds: $20.00"):
        assert said in text_of(own), said
    assert manager.post(refunds, {"amount": "20", "api_refund": False}).status == 201
    [own] = mails.new()
    assert own["Subject"] == f"Your Vetrina order #{id} has been refunded"
    assert "$20.00 goes back" in text_of(own)
    other = order(manager, status="completed", line_items=[{"product_id": sold(manager, "Jug", "5"), "quantity": 1}])
    mails.new()
    move(manager, other, "refunded")
    [own] = mails.new()
    assert own["Subject"] == f"Your Vetrina order #{other} has been refunded"


def test_a_note_for_the_customer_is_sent_and_others_are_not(manager: Client, mails: Mails) -> None:
    id = order(manager)
    notes = f"{V3}/orders/{id}/notes"
    assert manager.post(notes, {"note": "For us"}).status == 201
    assert mails.new() == []
    assert manager.post(notes, {"note": "It <em>left</em><script>x()</script>", "customer_note": True}).status == 201
    [own] = mails.new()
    assert "It left" in text_of(own)
    assert "It <em>left</em>" in part(own, "html")
    assert "<script" not in part(own, "html")


def test_details_are_sent_when_they_are_asked_for(manager: Client, mails: Mails) -> None:
    id = order(manager, line_items=[{"product_id": sold(manager, "Cup", "30"), "quantity": 1}])
    assert manager.post(f"{V3}/orders/{id}/actions/send_order_details").status == 200
    [own] = mails.new()
    assert own["Subject"] == f"Details for order #{id} on Vetrina"
    assert "pay_for_order=true" in text_of(own)
    move(manager, id, "completed")
    mails.new()
    assert manager.post(f"{V3}/orders/{id}/actions/send_order_details", {"email": "x@example.com",
                        "force_email_update": True}).status == 200  # fmt: skip
    [own] = mails.new()
    assert (own["Subject"], own["To"]) == (f"Invoice for order #{id} on Vetrina", "x@example.com")
    assert "pay_for_order" not in text_of(own)


def test_files_that_were_bought_are_linked(manager: Client, mails: Mails) -> None:
    file = {"name": "Book <1>", "file": "https://example.com/book.pdf"}
    book = sold(manager, "Book", "5", virtual=True, downloadable=True, downloads=[file], download_expiry=3)
    order(manager, status="completed", line_items=[{"product_id": book, "quantity": 1}])
    own = to(mails.new(), "ada@example.com")
    assert "download_file=" in text_of(own)
    assert "until " in text_of(own)
    assert "Book &lt;1&gt;</a>" in part(own, "html") or "Book</a>" in part(own, "html")


def test_taxes_are_shown_as_the_shop_says(manager: Client, mails: Mails) -> None:
    setting(manager, "general", "shop_calc_taxes", "yes")
    assert manager.post(f"{V3}/taxes", {"country": "IT", "rate": "22", "name": "IVA"}).status == 201
    lines = [{"product_id": sold(manager, "Cup", "100"), "quantity": 1}]
    order(manager, status="completed", line_items=lines)
    text = text_of(to(mails.new(), "ada@example.com"))
    assert "Subtotal: $100.00" in text
    assert "IVA: $22.00" in text
    assert "Total: $122.00" in text
    setting(manager, "tax", "shop_tax_display_cart", "incl")
    order(manager, status="completed", line_items=lines)
    text = text_of(to(mails.new(), "ada@example.com"))
    assert "Subtotal: $122.00" in text
    assert "Total: $122.00 (includes $22.00 IVA)" in text


def test_an_account_is_welcomed(manager: Client, mails: Mails) -> None:
    told = {"email": "new@example.com", "username": "newbie", "password": "a long pass word"}
    assert manager.post(f"{V3}/customers", told).status == 201
    [own] = mails.new()
    assert (own["To"], own["Subject"]) == ("new@example.com", "Your Vetrina account has been created!")
    assert "newbie" in text_of(own)
    assert "a long pass word" not in own.as_string()


def test_what_is_set_about_a_mail_counts(manager: Client, mails: Mails) -> None:
    group = "email_customer_completed_order"
    for name, value in (
        ("subject", "{order_number} done at {site_title}"), ("heading", "Heading <i>{order_number}</i>"),
        ("additional_content", "Come <b>again</b>, {site_title}!"), ("cc", "cc@example.com, nonsense"),
        ("bcc", "bcc@example.com"),
    ):  # fmt: skip
        setting(manager, group, name, value)
    setting(manager, "email_new_order", "recipient", "one@example.com, two@example.com")
    id = order(manager, status="completed")
    to_shop, own = mails.new()
    assert to_shop["To"] == "one@example.com, two@example.com"
    assert own["Subject"] == f"{id} done at Vetrina"
    assert (own["Cc"], own["Bcc"]) == ("cc@example.com", "bcc@example.com")
    assert f"Heading {id}" in part(own, "html")
    assert "Come <b>again</b>, Vetrina!" in part(own, "html")
    assert "Come again, Vetrina!" in text_of(own)
    setting(manager, group, "email_type", "plain")
    setting(manager, "email_new_order", "enabled", "no")
    order(manager, status="completed")
    [own] = mails.new()
    assert own.get_content_type() == "text/plain"
    setting(manager, group, "enabled", "no")
    order(manager, status="completed")
    assert mails.new() == []


def test_the_look_of_the_shop_is_that_of_its_mails(manager: Client, mails: Mails) -> None:
    for name, value in (
        ("from_name", 'The "Shop"'), ("from_address", "shop@example.com"), ("base_color", "#aa0000"),
        ("background_color", "#00bb00"), ("body_background_color", "#0000cc"), ("text_color", "#dd0000"),
        ("footer_text_color", "#00ee00"), ("header_alignment", "center"), ("footer_text", "{store_email} <b>bye</b>"),
    ):  # fmt: skip
        setting(manager, "email", f"shop_email_{name}", value)
    order(manager, status="completed")
    own = to(mails.new(), "ada@example.com")
    assert own["From"] == '"The Shop" <shop@example.com>' or own["From"] == "The Shop <shop@example.com>"
    html = part(own, "html")
    for said in ("#aa0000", "#00bb00", "#0000cc", "#dd0000", "#00ee00", "text-align:center"):
        assert said in html, said
    assert "shop@example.com <b>bye</b>" in html
    assert "shop@example.com bye" in text_of(own)
    setting(manager, "email", "shop_email_base_color", 'red;"><script>')
    order(manager, status="completed")
    assert "<script>" not in part(to(mails.new(), "ada@example.com"), "html")


def test_names_of_customers_are_text(manager: Client, mails: Mails) -> None:
    evil = {**BUYER, "first_name": "{{ 7*7 }}\r\nBcc: eve@example.com", "last_name": '<img src=x onerror="a()">'}
    order(manager, status="completed", billing=evil, customer_note="<script>b()</script>{{ 7*7 }}")
    for one in mails.new():
        assert one["Bcc"] is None
        html = part(one, "html")
        assert 'onerror="a()"' not in html
        assert "<script>" not in html
        assert "{{ 7*7 }}" in html


def test_a_site_has_its_own_templates_and_a_broken_one_loses_no_mail(
    site: Stand, manager: Client, mails: Mails, caplog: pytest.LogCaptureFixture
) -> None:
    folder: Path = site.site.context.folder / "mails"
    folder.mkdir()
    own = folder / "customer_completed_order.html"
    own.write_text("<p>Ciao {{ order.first_name }}, {{ order.number }}</p>", encoding="utf-8")
    id = order(manager, status="completed")
    found = to(mails.new(), "ada@example.com")
    assert part(found, "html").strip() == f"<p>Ciao Ada, {id}</p>"
    assert "Hi Ada" in text_of(found)
    for broken in ("{% if %}", "{{ nothing.at.all }}", "{{ ''.__class__.__mro__ }}", "{% extends 'nowhere.html' %}"):
        caplog.clear()
        own.write_text(broken, encoding="utf-8")
        order(manager, status="completed")
        with caplog.at_level(logging.WARNING, "vetrina.mails"):
            found = to(mails.new(), "ada@example.com")
        assert "Total" in part(found, "html")
        assert len([one for one in caplog.records if one.name == "vetrina.mails"]) == 1
    own.write_bytes(b"\xff\xfe")
    order(manager, status="completed")
    assert "Total" in part(to(mails.new(), "ada@example.com"), "html")
    own.unlink()
    order(manager, status="completed")
    assert "Total" in part(to(mails.new(), "ada@example.com"), "html")


@pytest.mark.parametrize("mail", list(MAIL_TYPES_BY_ID))
def test_every_mail_is_made_of_an_order_that_says_nothing(manager: Client, mails: Mails, mail: str) -> None:
    bare = manager.post(f"{V3}/orders", {}).json["id"]
    full = order(manager, status="completed", line_items=[{"product_id": sold(manager), "quantity": 1}])
    for number in (bare, full):
        shown = manager.get(f"{EMAIL}/preview", query={"type": mail, "order": number})
        assert shown.status == 200, shown.json
        assert shown.json["subject"]
        assert shown.json["html"].startswith("<!doctype html>")
        assert "{" not in shown.json["subject"] + shown.json["text"]


def test_an_order_that_is_gone_sends_nothing_more(manager: Client, mails: Mails) -> None:
    id = order(manager, status="completed")
    assert manager.delete(f"{V3}/orders/{id}", query={"force": True}).status == 200
    assert mails.new() == []


def test_previews_show_what_would_be_sent(manager: Client, customer: Client, mails: Mails) -> None:
    shown = manager.get(f"{EMAIL}/preview", query={"type": "WC_Email_Customer_Processing_Order"})
    assert shown.status == 200, shown.json
    assert "Dummy Product" in shown.json["html"]
    assert "Dummy Product × 2" in shown.json["text"]
    id = order(manager, line_items=[{"product_id": sold(manager, "Real cup", "3"), "quantity": 1}])
    shown = manager.get(f"{EMAIL}/preview", query={"type": "customer_invoice", "order": id})
    assert "Real cup × 1" in shown.json["text"]
    assert shown.json["subject"] == f"Details for order #{id} on Vetrina"
    assert manager.get(f"{EMAIL}/preview", query={"type": "customer_invoice", "order": 999_999}).status == 404
    assert manager.get(f"{EMAIL}/preview", query={"type": "nothing"}).status == 400
    assert customer.get(f"{EMAIL}/preview", query={"type": "customer_invoice"}).status == 403
    assert mails.new() == []
    subject = manager.get(f"{EMAIL}/preview-subject", query={"type": "WC_Email_Customer_Processing_Order"}).json[
        "subject"
    ]
    assert subject == "Your Vetrina order has been received!"


def test_a_preview_is_sent_to_one_address(manager: Client, customer: Client, mails: Mails) -> None:
    setting(manager, "email_new_order", "cc", "cc@example.com")
    told = {"type": "WC_Email_New_Order", "email": "me@example.com"}
    assert customer.post(f"{EMAIL}/send-preview", told).status == 403
    answer = manager.post(f"{EMAIL}/send-preview", told)
    assert (answer.status, answer.json) == (200, {"message": "Test email sent to me@example.com."})
    [own] = mails.new()
    assert (own["To"], own["Cc"]) == ("me@example.com", None)
    assert "Dummy Product" in text_of(own)
    assert manager.post(f"{EMAIL}/send-preview", {**told, "email": "nobody"}).status == 400


def test_settings_are_tried_before_they_are_saved(manager: Client, mails: Mails) -> None:
    for key, value in (("shop_email_base_color", "#123456"), ("shop_new_order_subject", "Tried {order_number}")):
        answer = manager.post(f"{EMAIL}/save-transient", {"key": key, "value": value})
        assert answer.status == 200, answer.json
    shown = manager.get(f"{EMAIL}/preview", query={"type": "new_order"}).json
    assert shown["subject"] == "Tried 12345"
    assert "#123456" in shown["html"]
    assert manager.get(f"{EMAIL}/preview-subject", query={"type": "new_order"}).json["subject"] == "Tried 12345"
    order(manager, status="processing")
    sent = mails.new()
    assert sent
    assert all("#123456" not in part(one, "html") and "Tried" not in one["Subject"] for one in sent)
    assert manager.post(f"{EMAIL}/save-transient", {"key": "shop_currency", "value": "EUR"}).status == 400


def test_a_refund_and_an_invoice_have_subjects_of_their_own(manager: Client, mails: Mails) -> None:
    group, invoice = "email_customer_refunded_order", "email_customer_invoice"
    for id, names in ((group, ("full", "partial")), (invoice, ("paid",))):
        for name in names:
            setting(manager, id, f"subject_{name}", f"{name} subject {{order_number}}")
            setting(manager, id, f"heading_{name}", f"{name} heading {{order_date}}")
    id = order(manager, status="completed", line_items=[{"product_id": sold(manager, "Cup", "30"), "quantity": 1}])
    mails.new()
    for amount, name in (("1", "partial"), ("29", "full")):
        told = {"amount": amount, "api_refund": False}
        assert manager.post(f"{V3}/orders/{id}/refunds", told).status == 201
        [own] = mails.new()
        assert own["Subject"] == f"{name} subject {id}"
        assert f"{name} heading " in text_of(own)
        assert "{" not in text_of(own)
    assert manager.post(f"{V3}/orders/{id}/actions/send_order_details").status == 200
    [own] = mails.new()
    assert own["Subject"] == f"paid subject {id}"
    assert "paid heading " in part(own, "html")


def test_a_picture_stands_in_the_header(manager: Client, mails: Mails) -> None:
    def image() -> str:
        return str(manager.get(f"{EMAIL}/preview", query={"type": "new_order"}).json["html"])

    for address, shown in (("https://example.com/a.png?b=1&c=2", True), ("javascript:alert(1)", False)):
        assert manager.post("/shop-admin/options", {"shop_email_header_image": address}).status == 200
        assert ("<img " in image()) is shown
        assert "javascript" not in image()
    manager.post("/shop-admin/options", {"shop_email_header_image": 'https://example.com/"><script>'})
    setting(manager, "email", "shop_email_header_image_width", "200")
    assert 'width="200"' in image()
    assert "<script>" not in image()
    setting(manager, "email", "shop_email_header_image_width", '1" onload="')
    assert "onload" not in image()


def test_amounts_are_written_in_every_currency_and_language(site: Stand) -> None:
    with site.site.work(read=True) as work:
        for language in ("en", "it", "de", "ar", "ja", "hi", "pt-br", "zh-hans", "nowhere", ""):
            for code in currencies.CURRENCY_CODES:
                written = formatting.MailFormatter(work, language, code).format_amount(Decimal("-1234.565"))
                assert any(digit.isdigit() for digit in written)
        form = formatting.MailFormatter(work, "it", "EUR")
        assert form.format_amount(Decimal("1234567.891")).replace("\xa0", " ") == "1.234.567,89 €"


def test_a_site_that_has_a_language_no_more_sends_in_its_own(site: Stand, manager: Client, mails: Mails) -> None:
    id = order(manager, status="completed")
    with site.site.work() as work:
        one = order_model.get_order(work, id)
        order_model.save_order(work, one, msgspec.structs.replace(one, language="xx"))
    assert to(mails.new(), "ada@example.com")["Subject"] == "Your Vetrina order is now complete"


def test_an_order_that_is_refused_at_its_end_sends_nothing(manager: Client, mails: Mails) -> None:
    lines = [{"product_id": sold(manager), "quantity": 1}]
    refused = {"billing": BUYER, "status": "processing", "line_items": lines, "coupon_lines": [{"code": "nothing"}]}
    assert manager.post(f"{V3}/orders", refused).status == 400
    assert mails.new() == []


def test_what_was_chosen_of_shared_attributes_has_their_names(manager: Client, mails: Mails) -> None:
    attribute = manager.post(f"{V3}/products/attributes", {"name": "Farbe & Ton"}).json
    term = manager.post(f"{V3}/products/attributes/{attribute['id']}/terms", {"name": "Deep blue"}).json
    chosen = [{"key": attribute["slug"], "value": term["slug"]}, {"key": "_hidden", "value": "secret"}]
    lines = [{"product_id": sold(manager), "quantity": 1, "meta_data": chosen}]
    order(manager, status="completed", line_items=lines)
    text = text_of(to(mails.new(), "ada@example.com"))
    assert "Farbe & Ton: Deep blue" in text
    assert "secret" not in text


@pytest.mark.parametrize("piece", ["<a href='https://e.com/'>", "<a ", "<", " ", "&", "\n ", "{a", "</a>", "<br"])
def test_long_texts_are_made_plain_in_time_that_follows_their_length(piece: str) -> None:
    began = time.process_time()
    appearance.convert_html_to_text(piece * 100_000)
    appearance.replace_placeholders(piece * 100_000, {})
    mail_templates._collapse_empty_lines("note.txt", piece * 100_000)
    assert time.process_time() - began < 5


def test_a_link_is_followed_by_its_address() -> None:
    html = (
        "<p>See <a href='https://e.com/?a=1&amp;b'>here</a><br>or</p>"
        "<p><a href=https://e.com>https://e.com</a> 1 &lt; 2</p>"
    )
    assert appearance.convert_html_to_text(html) == "See here (https://e.com/?a=1&b)\nor\nhttps://e.com 1 < 2"
