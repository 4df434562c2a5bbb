"""The account with the service, the proxy, and which URLs may be requested."""

from __future__ import annotations

import pytest
from sqlalchemy import select

from conftest import ORIGIN, Client, Stand
from multilingual.service import Service
from vetrina.access.sessions import nonces
from vetrina.backends.database import Statement
from vetrina.backends.tables.strings import mlang_setting
from vetrina.multilingual.services.remote import is_beneath
from vetrina.rest.call import Request

TM = "/mlang/tm/v1"
PROXY = "/mlang/ate/v1/ate/proxy"


@pytest.mark.every_database
def test_a_site_registers_with_the_service(serviced: Stand, service: Service) -> None:
    admin = serviced.client("admin")
    assert admin.get(f"{TM}/ams/status").content == b"null"
    assert admin.post(f"{TM}/ams/register_manager").json == {"enabled": True}
    (site,) = service.sites.values()
    assert site["manager"]["email"] == "admin@example.org"
    assert site["site_url"].startswith("http")
    assert admin.get(f"{TM}/ams/status").json == {"activated": True}
    engines = admin.get(f"{TM}/ams/engines").json
    assert isinstance(engines, list), engines
    assert [one["name"] for one in engines] == ["engine_a", "engine_b"]
    assert admin.post(f"{TM}/ams/engines", [{"name": "engine_b", "enabled": True}]).json is True
    assert admin.get(f"{TM}/ams/engines").json == [{"name": "engine_b", "enabled": True}]
    assert admin.post(f"{TM}/ams/engines", {"name": "engine_b"}).status == 400
    console = admin.get(f"{TM}/ams/console").json
    assert console.startswith(f"{service.base}/ams/login?")
    assert "signature=" in console


def test_secrets_do_not_lie_open_in_the_database(serviced: Stand, boss: Client, service: Service) -> None:
    (site,) = service.sites.values()
    with serviced.site.work(read=True) as work:
        kept = " ".join(row[0] for row in work.tx.all(Statement(select(mlang_setting.c.value))))
    assert site["site_uuid"] in kept
    for name in ("secret", "site_key"):
        assert site[name] not in kept


def test_a_taken_name_is_changed_once(serviced: Stand, service: Service) -> None:
    admin = serviced.client("admin")
    service.taken_uuids = 1
    assert admin.post(f"{TM}/ams/register_manager").json == {"enabled": True}
    service.taken_uuids = 2
    told = admin.post(f"{TM}/ams/register_manager").json
    assert told["enabled"] is False
    assert "uuid" in told["error"]


def test_people_are_told_to_the_service(serviced: Stand, boss: Client, service: Service) -> None:
    answer = boss.get(f"{TM}/ams/synchronize/managers").json
    assert answer["result"]["translation_managers"] == [
        {"email": "admin@example.org", "subscription": {"active": True}}
    ]
    assert boss.get(f"{TM}/ams/synchronize/translators").json == {"result": None}
    service.fail["managers"] = "nonsense"
    assert boss.get(f"{TM}/ams/synchronize/managers").code == "mlang_service_failed"


def test_the_proxy_passes_on_and_refuses_what_is_foreign(serviced: Stand, boss: Client, service: Service) -> None:
    words = {"url": f"{service.base}/ate/echo", "method": "POST", "query": {"a": "1"}, "headers": {"Accept": "text/x"}}
    unsigned = boss.post(PROXY, {**words, "body": {"site": "esempio"}})
    assert (unsigned.status, unsigned.json["message"]) == (401, "The signature is wrong.")
    assert unsigned.headers["content-security-policy"] == "sandbox"
    assert unsigned.headers["content-type"] == "application/json"
    for wrong in (
        {}, {"url": words["url"]}, {**words, "url": "https://altro.example/"}, {**words, "method": "GET"},
        {"url": words["url"], "method": "POST"}, {**words, "url": service.base.replace("/api", "/apiate/echo")},
        {**words, "url": f"{service.base}/ate/../tp/batches"}, {**words, "url": f"{service.base}/ate/%2e%2e/tp/x"},
        {**words, "url": f"{service.base}/tp/batches"},
    ):  # fmt: skip
        refused = boss.post(PROXY, wrong)
        assert (refused.status, refused.content) == (400, b""), wrong
    assert boss.get(PROXY).status == 400
    service.fail["echo"] = "slow"
    assert boss.post(PROXY, words).code == "mlang_service_failed"


def test_no_other_call_reaches_the_service_in_the_private_network(boss: Client, service: Service) -> None:
    answer = boss.get("/oembed/1.0/proxy", query={"url": f"{service.base}/ate/echo"})
    assert answer.code == "oembed_invalid_url"
    assert ("GET", "/api/ate/echo") not in service.asked


@pytest.mark.parametrize(
    ("url", "fitting"),
    [
        ("https://ate.example/api", True), ("https://ate.example/api/jobs?x=1", True),
        ("https://ATE.example/api/jobs", True), ("https://ate.example/apijobs", False),
        ("http://ate.example/api/jobs", False), ("https://ate.example:444/api/jobs", False),
        ("https://ate.example.altro.example/api/jobs", False), ("https://x@ate.example/api/jobs", False),
        ("https://ate.example/api/../jobs", False), ("https://ate.example/api/%2E%2E/jobs", False),
        ("javascript:alert(1)", False), ("", False), ("//ate.example/api", False),
    ],
)  # fmt: skip
def test_an_address_lies_beneath_another(url: str, fitting: bool) -> None:
    assert is_beneath(url, "https://ate.example/api") is fitting


def test_a_session_needs_its_nonce_and_an_application_password_none(site: Stand, admin: Client) -> None:
    assert admin.get(f"{TM}/ams/console").status == 200
    assert admin.post("/cms/v2/users/me", {"password": "a word that people keep"}).status == 200
    asked = Request("POST", "/", origin=ORIGIN)
    user = site.site.browser_sign_in.check_password(asked, "admin", "a word that people keep")
    cookie = site.site.browser_sign_in.start_session(asked, user).partition(";")[0]
    session = site.site.browser_sign_in.find_session(Request("GET", "/", origin=ORIGIN, headers={"cookie": cookie}))
    assert session is not None
    nonce = nonces.create_nonce(site.site.context, session.key)
    nobody = site.client()
    assert nobody.get(f"{TM}/ams/console", headers={"cookie": cookie}).status == 401
    assert nobody.get(f"{TM}/ams/console", headers={"cookie": cookie, "x-cms-nonce": "0" * 20}).status == 403
    assert nobody.get(f"{TM}/ams/console", headers={"cookie": cookie, "x-cms-nonce": nonce}).json == "#"
    assert nobody.get(f"{TM}/ams/console", query={"_cmsnonce": nonce}, headers={"cookie": cookie}).json == "#"
