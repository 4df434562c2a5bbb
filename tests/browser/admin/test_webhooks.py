"""Webhooks in the administration: one is made, told, read in its log and told again."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import expect

from browser.admin.accessibility import find_violations
from browser.admin.conftest import AdminSite
from browser.admin.screens import open_screen, read

HOOKS = "/wp/v2/webhooks"
# An address of the own network, which no site tells anything: what is sent to it is refused at once.
ADDRESS = "http://127.0.0.1:9/hook"


def test_a_webhook_is_made_and_its_messages_are_read_and_sent_again(admin: Any, admin_site: AdminSite) -> None:
    open_screen(admin, admin_site, "/records/webhooks/new")
    admin.get_by_label("Name").fill("The front end")
    admin.get_by_label("Add a topic").select_option("post.published")
    admin.get_by_label("Add a topic").select_option("post.deleted")
    admin.get_by_role("button", name="Remove post.deleted").click()
    admin.get_by_label("Address").fill(ADDRESS)
    admin.get_by_label("Secret").fill("long enough to sign with")
    admin.get_by_role("button", name="Save", exact=True).click()
    log = admin.get_by_role("region", name="What it was told")
    expect(log).to_contain_text("ping")
    [made] = read(admin, HOOKS)
    assert (made["name"], made["topics"], made["delivery_url"]) == ("The front end", ["post.published"], ADDRESS)
    assert "long enough" not in admin.content()
    assert find_violations(admin) == []
    log.get_by_role("button", name="Show everything").first.click()
    dialog = admin.get_by_role("dialog")
    expect(dialog).to_contain_text('"topic": "ping"')
    dialog.get_by_role("button", name="Close").click()
    log.get_by_role("button", name="Send again").first.click()
    admin.get_by_text("It is sent again.").wait_for()
    expect(log.get_by_role("listitem")).to_have_count(2)
    assert len(read(admin, f"{HOOKS}/{made['id']}/deliveries")) == 2
    admin.get_by_role("button", name="Back to the list").click()
    expect(admin.get_by_role("row").filter(has_text="The front end")).to_contain_text("Told")
    assert find_violations(admin) == []
