"""Modules as plugins: listed, installed, activated, at once or by a job."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from conftest import Client, SetClock, Stand
from installed_package import install_package
from shop.background import work_off
from vetrina.shop.admin import modules as admin_modules

PLUGINS = "/shop-admin/plugins"
SETUP = "/shop-admin/onboarding/plugins"


GIFTS = """
from vetrina.shop.admin.modules import InstallableModule

gifts = InstallableModule(
    "gifts", "Gifts", "Cards.", on_activate=lambda work: work.set_option("shop_gifts_began", "yes")
)
"""


@pytest.fixture
def gifts(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """A module from a package; its activation leaves a mark."""
    folder, load = tmp_path_factory.mktemp("package"), admin_modules.load_packaged_modules
    with install_package(folder, "vetrina_gifts", GIFTS, "vetrina.modules", ["gifts"], load):
        yield


@pytest.mark.in_process("a package is installed in it")
@pytest.mark.every_database
def test_a_module_is_installed_and_activated(admin: Client, gifts: None, site: Stand) -> None:
    assert "gifts" not in admin.get(f"{PLUGINS}/installed").json["plugins"]
    early = admin.post(f"{PLUGINS}/activate", {"plugins": "gifts"}).json
    assert (early["success"], list(early["errors"]["errors"])) == (False, ["gifts"])
    added = admin.post(f"{PLUGINS}/install", {"plugins": "gifts, nothing"}).json
    assert added["data"]["installed"] == ["gifts"]
    assert added["data"]["results"] == {"gifts": True}
    assert list(added["errors"]["errors"]) == ["nothing"]
    on = admin.post(f"{PLUGINS}/activate", {"plugins": "gifts"}).json
    assert on["success"] is True
    assert "gifts" in on["data"]["active"]
    assert on["data"]["plugin_details"]["gifts"]["name"] == "Gifts"
    with site.site.work(read=True) as work:
        assert work.stored_option("shop_gifts_began") == "yes"


@pytest.mark.in_process("a package is installed in it")
@pytest.mark.every_database
def test_a_job_is_pending_then_done(admin: Client, gifts: None, site: Stand, clock: SetClock) -> None:
    job = admin.post(f"{SETUP}/install-and-activate-async", {"plugins": ["gifts", "nothing"]}).json
    assert job["plugins"]["gifts"] == {"status": "pending", "errors": []}
    path = f"{SETUP}/scheduled-installs/{job['job_id']}"
    assert admin.get(path).json == {"job_id": job["job_id"], "status": "pending"}
    clock.forward(60)
    work_off(site)
    ended = admin.get(path).json
    assert ended["status"] == "failed"
    assert ended["plugins"]["gifts"] == {"status": "complete", "errors": []}
    assert ended["plugins"]["nothing"]["status"] == "failed"
    assert "gifts" in admin.get(f"{PLUGINS}/active").json["plugins"]


def test_an_installation_is_found_by_its_job(admin: Client, site: Stand, clock: SetClock) -> None:
    told = admin.post(f"{PLUGINS}/install", {"plugins": "shop", "async": True}).json["data"]
    assert len(told["job_id"]) == 13
    status = f"{PLUGINS}/install/status"
    assert admin.get(f"{status}/{told['job_id']}").json["status"] == "pending"
    assert admin.get(f"{PLUGINS}/activate/status/{told['job_id']}").json is False
    clock.forward(60)
    work_off(site)
    assert [job["status"] for job in admin.get(status).json] == ["complete"]


def test_an_unknown_job_is_told(admin: Client) -> None:
    assert admin.get(f"{PLUGINS}/install/status/abc").json is False
    answer = admin.get(f"{SETUP}/scheduled-installs/abc")
    assert (answer.status, answer.json) == (404, None)


@pytest.mark.parametrize("given", [{}, {"plugins": ""}, {"plugins": ","}, {"plugins": {}}, {"plugins": [[]]}])
def test_no_module_named_is_a_client_error(admin: Client, given: dict[str, object]) -> None:
    for path in ("install", "activate"):
        answer = admin.post(f"{PLUGINS}/{path}", given)
        assert (answer.status, answer.code) == (400, "shop_rest_invalid_plugins")


def test_without_services_nothing_is_connected(admin: Client) -> None:
    assert admin.get(f"{PLUGINS}/connect-connector").code == "shop_rest_connector_not_active"
    for path in ("request-shopcom-connect", "finish-shopcom-connect", "connect-processor"):
        assert admin.post(f"{PLUGINS}/{path}", {}).code == "shop_rest_helper_connect"
    told = admin.get(f"{SETUP}/connector-authorization-url", query={"redirect_url": "https://example.org"}).json
    assert (told["success"], len(told["errors"])) == (False, 1)


@pytest.mark.in_process("a package is installed in it")
@pytest.mark.usefixtures("cards")
def test_marketing_activates_what_is_installed(admin: Client) -> None:
    path = "/shop-admin/marketing/overview/activate-plugin"
    assert admin.post(path, {"plugin": "shop-payments"}).json == {"status": "success"}
    assert admin.post(path, {"plugin": "nothing"}).code == "shop_rest_invalid_plugin"


@pytest.mark.in_process("a package is installed in it")
def test_card_payments_are_a_module_where_a_gateway_takes_cards(admin: Client, request: pytest.FixtureRequest) -> None:
    assert "shop-payments" not in admin.get(f"{PLUGINS}/installed").json["plugins"]
    assert "shop-payments" not in admin.get(f"{PLUGINS}/active").json["plugins"]
    request.getfixturevalue("cards")
    assert "shop-payments" in admin.get(f"{PLUGINS}/installed").json["plugins"]
    assert "shop-payments" in admin.get(f"{PLUGINS}/active").json["plugins"]
