"""`vetrina mail`: a shop's mails are listed and previewed, and none is sent."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from conftest import ACCOUNTS, Client
from vetrina.cli import main
from vetrina.core.text_catalog import parse_texts
from vetrina.settings import Settings, load_profile
from vetrina.shop.mail import mails
from vetrina.site_factory import create_stand_in_site


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A shop with an order."""
    (tmp_path / "vetrina.toml").write_text('profile = "second"\nsecret = "of the tests"\n')
    site = create_stand_in_site(load_profile("second"), ACCOUNTS, tmp_path, Settings(secret="of the tests"))
    admin = Client(site, "admin", "admin pass word")
    product = admin.post("/shop/v3/products", {"name": "Blue cup", "regular_price": "10"}).json["id"]
    told = {"billing": {"email": "ada@example.com"}, "line_items": [{"product_id": product, "quantity": 3}]}
    made = admin.post("/shop/v3/orders?mlang_language=it", told).json["id"]
    (tmp_path / "number").write_text(str(made))
    site.close()
    return tmp_path


def run(folder: Path, *words: str) -> Result:
    return CliRunner().invoke(main, ["mail", *words, "--site", str(folder)])


def test_every_mail_is_listed() -> None:
    listed = CliRunner().invoke(main, ["mail", "list"]).output
    assert all(mail.id in listed for mail in mails.MAIL_TYPES)


def test_a_mail_is_shown_as_it_would_go_out(folder: Path) -> None:
    shown = run(folder, "preview", "customer_processing_order")
    assert (shown.exit_code, shown.output.splitlines()[0]) == (0, "Subject: Your Vetrina order has been received!")
    assert "Dummy Product × 2" in shown.output
    number = (folder / "number").read_text()
    shown = run(folder, "preview", "customer_processing_order", "--order", number, "--html")
    assert shown.output.startswith("<!doctype html>")
    assert "Blue cup" in shown.output
    assert "Grazie per il tuo ordine" in shown.output
    shown = run(folder, "preview", "new_order", "--order", number, "--text")
    assert "Subject:" not in shown.output
    assert "Blue cup × 3" in shown.output
    assert "low_stock" not in run(folder, "preview", "low_stock").output
    assert not (folder / "outbox").exists()


def test_a_template_of_the_site_is_shown(folder: Path) -> None:
    (folder / "mails").mkdir()
    (folder / "mails" / "new_order.html").write_text("<p>{{ order.number }}</p>", encoding="utf-8")
    assert run(folder, "preview", "new_order", "--html").output.strip() == "<p>12345</p>"


def test_what_cannot_be_shown_is_said(folder: Path) -> None:
    refused = run(folder, "preview", "new_order", "--order", "999999")
    assert refused.exit_code == 1
    assert "999999" in refused.stderr
    assert run(folder, "preview", "nothing").exit_code == 2


def test_a_site_without_a_shop_has_none(tmp_path: Path) -> None:
    (tmp_path / "vetrina.toml").write_text('profile = "first"\nsecret = "of the tests"\n')
    create_stand_in_site(load_profile("first"), ACCOUNTS, tmp_path, Settings(secret="of the tests")).close()
    refused = run(tmp_path, "preview", "new_order")
    assert refused.exit_code == 1
    assert "no shop" in refused.stderr


def test_a_catalog_is_written_to_be_translated(folder: Path) -> None:
    written = run(folder, "catalog", "de")
    assert written.exit_code == 0
    assert parse_texts(written.output.encode(), ".po")["hello"] == "Hallo {name},"
    assert 'msgctxt "password_reset.subject"' in written.output
    empty = run(folder, "catalog", "nl").output
    assert parse_texts(empty.encode(), ".po") == {}
    (folder / "languages").mkdir()
    target = folder / "languages" / "vetrina-mails-nl.po"
    entry = 'msgctxt "hello"\nmsgid "Hi {name},"\nmsgstr '
    assert f'{entry}""' in empty
    target.write_text(empty.replace(f'{entry}""', f'{entry}"Dag {{name}},"'), encoding="utf-8")
    assert parse_texts(run(folder, "catalog", "nl").output.encode(), ".po") == {"hello": "Dag {name},"}
    refused = run(folder, "catalog", "../nl")
    assert refused.exit_code == 2
    assert "code of a language" in refused.output
