"""Background jobs in the administration: a job that was given up is found, read and tried again."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from browser.admin.accessibility import find_violations
from browser.admin.conftest import AdminSite
from browser.admin.screens import open_screen, read
from vetrina.backends import job_queue
from vetrina.site_factory import open_site

JOBS = "/wp/v2/jobs"


@pytest.fixture
def failed(admin_site: AdminSite) -> int:
    """The number of a job that was given up."""
    site = open_site(admin_site.folder)
    with site.work() as work:
        arguments = {"mail": 12, "to": "ada@example.org"}
        job_queue.enqueue_job(work.tx, "shop.mail", arguments, due=work.now - 10**6, now=work.now)
        for _ in range(job_queue.MAX_ATTEMPTS):
            taken = job_queue.take_job(work.tx, work.now + 10**6)
            assert taken is not None
            job_queue.fail_job(work.tx, taken, "MailNotSent: ada@example.org was refused", work.now, 0.5)
    site.close()
    return taken.id


def test_a_failed_job_is_found_read_and_tried_again(admin: Any, admin_site: AdminSite, failed: int) -> None:
    open_screen(admin, admin_site, "/")
    admin.get_by_role("link", name="Given up: Send a mail of the shop").click()
    row = admin.get_by_role("row").filter(has_text="Send a mail of the shop")
    expect(row).to_contain_text("Given up")
    row.get_by_role("button", name="Actions").click()
    admin.get_by_role("menuitem", name="Show everything").click()
    dialog = admin.get_by_role("dialog")
    expect(dialog).to_contain_text("MailNotSent: *** was refused")
    expect(dialog).not_to_contain_text("ada@")
    admin.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    assert find_violations(admin) == []
    # The kind is none of this site's, so another try fails too: that it was tried is what counts.
    row.get_by_role("button", name="Actions").click()
    admin.get_by_role("menuitem", name="Try again").click()
    admin.get_by_text("1 job is tried again.").wait_for()
    expect(row).to_have_count(0)
    admin.get_by_role("button", name="Waiting and running").click()
    expect(admin.get_by_role("row").filter(has_text="Waits for another try")).to_be_visible()
    found = read(admin, f"{JOBS}/{failed}")
    assert found["state"] == "waiting"
    assert found["attempts"] >= 1


def test_the_list_follows_what_happens(admin: Any, admin_site: AdminSite) -> None:
    open_screen(admin, admin_site, "/jobs")
    site = open_site(admin_site.folder)
    with site.work() as work:
        job_queue.enqueue_job(work.tx, "content.feed", {}, due=work.now + 3600, now=work.now)
    site.close()
    expect(admin.get_by_role("row").filter(has_text="Fetch a feed")).to_be_visible()


def test_the_stored_data_is_checked(admin: Any, admin_site: AdminSite) -> None:
    open_screen(admin, admin_site, "/health")
    admin.get_by_role("button", name="Check the stored data").click()
    admin.get_by_text("Everything fitted together on").wait_for()
    assert read(admin, "/wp/v2/site-check")["faults"] == 0
    assert find_violations(admin) == []


def test_who_is_no_administrator_sees_nothing_of_it(sign_in: Any, admin: Any, admin_site: AdminSite) -> None:
    account = {
        "username": "ed", "email": "ed@example.org", "password": "Grey heron 27 reeds", "roles": ["editor"],
    }  # fmt: skip
    made = admin.evaluate(
        """account => fetch('/admin-json/wp/v2/users', { method: 'POST', body: JSON.stringify(account), headers: {
            'Content-Type': 'application/json',
            'X-WP-Nonce': JSON.parse(document.getElementById('boot').textContent).nonce } }).then(one => one.status)""",
        account,
    )
    assert made == 201
    page = sign_in("ed", "Grey heron 27 reeds")
    open_screen(page, admin_site, "/")
    expect(page.get_by_role("link", name="Background jobs")).to_have_count(0)
    assert read(page, JOBS)["code"] == "rest_forbidden"
