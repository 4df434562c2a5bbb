"""Mails in the languages of a site: those of the program, and those that a site adds in catalogs of its own."""

from __future__ import annotations

import io
import logging
import re
from collections.abc import Iterator
from email import message_from_bytes, policy
from importlib.resources import files
from pathlib import Path

import msgspec
import pytest
from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo

from conftest import Client, Stand, standing
from pages.conftest import Visitor
from vetrina.access.passwords.reset_mail import RESET_MAIL_TEXTS
from vetrina.content.comments.mails import COMMENT_MAIL_TEXTS
from vetrina.core.text_catalog import TextCatalog, parse_texts
from vetrina.settings import load_profile
from vetrina.shop.mail.texts import MAIL_TEXTS

from .background import work_off
from .sent_mails import Mails, part, text_of, to
from .store import sold

ORDERS = "/shop/v3/orders"
LANGUAGES = ("de", "es", "fr", "it")
BUYER = {"first_name": "Ada", "last_name": "Rossi", "country": "DE", "email": "ada@example.com"}
PLACEHOLDER = re.compile(r"\{\w+\}")
DUTCH = """
msgid ""
msgstr "Content-Type: text/plain; charset=utf-8\\n"

msgctxt "customer_completed_order.subject"
msgid "Your {site_title} order is now complete"
msgstr "Je bestelling bij {site_title} is klaar"

msgctxt "hello"
msgid "Hi {name},"
msgstr "Dag {name} {0} {name.__class__} {unknown},"

#, fuzzy
msgctxt "total"
msgid "Total"
msgstr "Somtotaal"
"""


@pytest.fixture
def site(request: pytest.FixtureRequest, kind: str) -> Iterator[Stand]:
    profile = msgspec.structs.replace(load_profile("second"), languages=["en", *LANGUAGES, "nl", "pt-br"])
    with standing(request, profile, "_shop") as stand:
        yield stand


@pytest.fixture
def mails(site: Stand) -> Mails:
    return Mails(site)


@pytest.fixture
def catalogs(site: Stand) -> Path:
    folder: Path = site.site.context.folder / "languages"
    (folder / "mlang").mkdir(parents=True)
    return folder


def completed(manager: Client, language: str) -> None:
    """Create a completed order in a language."""
    lines = [{"product_id": sold(manager, "Cup", "1234.50"), "quantity": 1}]
    answer = manager.post(
        ORDERS, {"status": "completed", "billing": BUYER, "line_items": lines, "currency": "EUR"},
        query={"mlang_language": language},
    )  # fmt: skip
    assert answer.status == 201, answer.json


def subject(manager: Client, mails: Mails, language: str) -> str:
    completed(manager, language)
    return str(to(mails.new(), "ada@example.com")["Subject"])


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    "texts", [MAIL_TEXTS, RESET_MAIL_TEXTS, COMMENT_MAIL_TEXTS], ids=["shop", "password", "comments"]
)
def test_a_language_has_every_text_with_its_placeholders(texts: TextCatalog, language: str) -> None:
    found = parse_texts((files(texts.package) / "catalogs" / f"{language}.po").read_bytes(), ".po")
    assert found.keys() == texts.english.keys()
    for name, text in texts.english.items():
        assert sorted(PLACEHOLDER.findall(found[name])) == sorted(PLACEHOLDER.findall(text)), name


@pytest.mark.parametrize(
    ("language", "title", "greeting", "total"),
    [
        ("de", "Ihre Bestellung bei Vetrina ist abgeschlossen", "Hallo Ada,", "Gesamtsumme: 1.234,50 €"),
        ("es", "Tu pedido en Vetrina se ha completado", "Hola, Ada:", "Total: 1.234,50 €"),
        ("fr", "Votre commande sur Vetrina est terminée", "Bonjour Ada,", "Total: 1 234,50 €"),
        ("it", "Il tuo ordine su Vetrina è completato", "Ciao Ada,", "Totale: 1.234,50 €"),
        ("nl", "Your Vetrina order is now complete", "Hi Ada,", "Total: € 1.234,50"),
    ],
)
def test_a_customer_reads_the_language_of_the_order(
    manager: Client, mails: Mails, language: str, title: str, greeting: str, total: str
) -> None:
    completed(manager, language)
    found = to(mails.new(), "ada@example.com")
    text = text_of(found).replace("\u202f", " ")
    assert found["Subject"] == title
    assert greeting in text
    assert total in text
    assert f'<html lang="{language}"' in part(found, "html")


@pytest.mark.in_process("a log line")
def test_a_site_adds_a_language_and_the_rest_is_english(manager: Client, mails: Mails, catalogs: Path) -> None:
    assert subject(manager, mails, "nl") == "Your Vetrina order is now complete"
    (catalogs / "vetrina-mails-nl_NL.po").write_text(DUTCH, encoding="utf-8")
    completed(manager, "nl")
    found = to(mails.new(), "ada@example.com")
    assert found["Subject"] == "Je bestelling bij Vetrina is klaar"
    # Only the placeholders of the text have values, and what is fuzzy does not count.
    assert "Dag Ada {0} {name.__class__} {unknown}," in text_of(found)
    assert "Subtotal: " in text_of(found)
    assert "Somtotaal" not in text_of(found)


def test_the_nearest_catalog_of_a_site_comes_first(manager: Client, mails: Mails, catalogs: Path) -> None:
    def write(name: str, text: str) -> None:
        entry = f'msgctxt "customer_completed_order.subject"\nmsgid "x"\nmsgstr "{text}"\n'
        (catalogs / name).write_text(entry, encoding="utf-8")

    write("vetrina-mails-en.po", "English of the site")
    assert subject(manager, mails, "en") == subject(manager, mails, "pt-br") == "English of the site"
    assert subject(manager, mails, "de") == "Ihre Bestellung bei Vetrina ist abgeschlossen"
    write("vetrina-mails-de_AT.po", "Austria")
    assert subject(manager, mails, "de") == "Austria"
    write("vetrina-mails-de.po", "German")
    assert subject(manager, mails, "de") == "German"
    write("vetrina-mails-pt_PT.po", "Portugal")
    assert subject(manager, mails, "pt-br") == "English of the site"
    write("vetrina-mails-pt.po", "Portuguese")
    assert subject(manager, mails, "pt-br") == "Portuguese"
    write("vetrina-mails-pt_BR.po", "Brazil")
    assert subject(manager, mails, "pt-br") == "Brazil"
    translated = Catalog(locale="pt_BR", fuzzy=False)
    translated.add("x", "Translated here", context="customer_completed_order.subject")
    out = io.BytesIO()
    write_mo(out, translated)
    (catalogs / "mlang" / "vetrina-mails-pt_BR.mo").write_bytes(out.getvalue())
    assert subject(manager, mails, "pt-br") == "Translated here"


@pytest.mark.in_process("a log line")
@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("vetrina-mails-de.po", b'msgctxt "hello"\nmsgid "Hi'),
        ("vetrina-mails-de.po", b'msgid "x"\nmsgstr "\xff"\n'),
        ("vetrina-mails-de.po", b"#" * 1_000_001),
        ("vetrina-mails-de.mo", b"no catalog"),
    ],
)
def test_a_broken_catalog_loses_no_mail(
    manager: Client, mails: Mails, catalogs: Path, caplog: pytest.LogCaptureFixture, name: str, data: bytes
) -> None:
    (catalogs / name).write_bytes(data)
    with caplog.at_level(logging.WARNING, "vetrina.mails"):
        assert subject(manager, mails, "de") == "Ihre Bestellung bei Vetrina ist abgeschlossen"
    assert {one.getMessage().partition(" cannot")[0] for one in caplog.records if one.name == "vetrina.mails"} == {name}


def test_a_plain_mail_about_a_password_has_the_language_of_its_page(site: Stand, manager: Client) -> None:
    settings = "/shop/v3/settings/email_customer_reset_password/enabled"
    answer = manager.put(settings, {"value": "no"})
    assert answer.status == 200, answer.json
    visitor, page, german = Visitor(site), "/admin/lost-password", {"accept-language": "de"}
    form = visitor.get(page, **german).form
    assert visitor.post(page, {**form, "login": "author"}, **german).status == 200
    work_off(site)
    [file] = (site.site.context.folder / "outbox").glob("*.eml")
    mail = message_from_bytes(file.read_bytes(), policy=policy.default)
    assert mail["Subject"] == "Vetrina: ein neues Passwort"
