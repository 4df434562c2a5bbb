"""The explorer's page: self-contained, under a policy that allows nothing else."""

from __future__ import annotations

import re

from conftest import Client, Stand


def test_the_page_needs_no_other_server(outside: Client) -> None:
    answer = outside.get("/docs")
    text = answer.content.decode()
    assert answer.headers["content-type"] == "text/html; charset=UTF-8"
    assert re.findall(r"(?:src|href|url)[=(]\"?https?:", text) == []
    assert re.findall(r"<(?:link|img|iframe)\b", text) == []
    assert "{style}" not in text
    assert "{script}" not in text
    policy = answer.headers["content-security-policy"]
    assert policy.startswith("default-src 'none'; style-src 'sha256-")
    assert "unsafe" not in policy
    assert "connect-src 'self'" in policy


def test_the_page_offers_the_dialects_of_the_site(outside: Client, site: Stand) -> None:
    assert "<option>neutral</option><option>wordpress</option>" in outside.get("/docs").content.decode()
    alone = Client(site.site, root="").get("/docs").content.decode()
    assert "<option>neutral</option></select>" in alone


def test_every_field_has_a_label(outside: Client) -> None:
    text = outside.get("/docs").content.decode().partition("<script>")[0]
    fields = set(re.findall(r"<(?:input|select|textarea)\b[^>]*\bid=\"(\w+)\"", text))
    assert fields == set(re.findall(r"<label for=\"(\w+)\"", text))


def test_the_index_leads_to_the_page(stand: Stand) -> None:
    assert stand.client().get("/").json["_links"]["help"][0]["href"] == "http://vetrina.test/docs"
