"""The connector in the administration: a site is registered with a service, sends what it has, and leaves it again."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from browser.admin.accessibility import find_violations
from browser.admin.conftest import AdminSite, serve_new_site
from browser.admin.screens import open_screen, read
from vetrina.fake_service.mirror import SiteMirror
from vetrina.fake_service.service import FakeService


@pytest.fixture(scope="module")
def admin_site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[AdminSite]:
    """A site of the second profile whose service is one of this process, which fetches nothing by itself."""
    folder = tmp_path_factory.mktemp("connector")
    mirror = SiteMirror(folder / "peer.sqlite")
    service = FakeService("127.0.0.1", 0, mirror, 0)
    thread = threading.Thread(target=service.run, daemon=True)
    thread.start()
    second = Path(__file__).parents[3] / "src" / "vetrina" / "profiles" / "second.toml"
    own = folder / "own.toml"
    own.write_text(f'{second.read_text(encoding="utf-8")}\n[connector]\nservice_url = "{service.url}"\n')
    with serve_new_site(folder / "site", "init", "--profile", str(own)) as site:
        yield site
    service.stop()
    thread.join()
    service.server.server_close()
    mirror.close()


def test_a_site_is_registered_sends_everything_and_is_disconnected(admin: Any, admin_site: AdminSite) -> None:
    open_screen(admin, admin_site, "/connector")
    assert find_violations(admin) == []
    admin.get_by_role("button", name="Register the site").click()
    connection = admin.get_by_role("region", name="Connection")
    expect(connection).to_contain_text("registered with the service")
    assert read(admin, "/jetpack/v4/connection")["isRegistered"]
    sent = admin.get_by_role("region", name="What is sent")
    expect(sent).to_contain_text("never")
    sent.get_by_role("button", name="Send the whole site again").click()
    expect(sent).to_contain_text("the service has not everything yet")
    sent.get_by_role("button", name="Send what waits now").click()
    expect(sent).not_to_contain_text("never")
    expect(sent).to_contain_text("all of it")
    assert find_violations(admin) == []
    settings = admin.get_by_role("region", name="Settings of sending")
    settings.get_by_label("Changes that are sent at once").fill("200")
    settings.get_by_label("Tell the service what changes").uncheck()
    settings.get_by_role("button", name="Save the settings").click()
    expect(sent).to_contain_text("Sending is switched off")
    stored = read(admin, "/jetpack/v4/sync/settings")
    assert (stored["disable"], stored["upload_max_rows"]) == (1, 200)
    connection.get_by_role("button", name="End the connection", exact=True).click()
    admin.get_by_role("dialog").get_by_role("button", name="End the connection", exact=True).click()
    expect(connection).to_contain_text("not registered")
    assert not read(admin, "/jetpack/v4/connection")["isRegistered"]
