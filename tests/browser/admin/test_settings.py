"""Settings, accounts and what programs sign in with."""

from __future__ import annotations

import base64
import re
import urllib.error
import urllib.request
from typing import Any

from playwright.sync_api import expect

from browser.admin.accessibility import find_violations
from browser.admin.conftest import AdminSite
from browser.admin.screens import open_screen, read
from pictures import quarters

SETTINGS = "/wp/v2/settings"


def sign_in_as_program(url: str, login: str, password: str) -> int:
    """Return the status of a request that is signed with an application password."""
    proof = base64.b64encode(f"{login}:{password}".encode()).decode()
    request = urllib.request.Request(url, headers={"Authorization": f"Basic {proof}"})
    try:
        with urllib.request.urlopen(request) as answer:
            return int(answer.status)
    except urllib.error.HTTPError as error:
        return error.code


def test_settings_are_saved(admin: Any, admin_site: AdminSite) -> None:
    open_screen(admin, admin_site, "/settings")
    assert find_violations(admin) == []
    admin.get_by_label("Tagline").fill("Paths and people")
    admin.get_by_label("Time zone").select_option("America/New_York")
    admin.get_by_label("Posts on a page").fill("7")
    admin.get_by_role("radio", name="the newest posts").check()
    admin.get_by_label("New posts can be commented").uncheck()
    admin.get_by_role("button", name="Save the settings").click()
    admin.get_by_text("The settings are saved.").wait_for()
    found = read(admin, SETTINGS)
    expected = {
        "description": "Paths and people", "timezone": "America/New_York", "posts_per_page": 7,
        "show_on_front": "posts", "default_comment_status": "closed",
    }  # fmt: skip
    assert {name: found[name] for name in expected} == expected
    admin.get_by_label("E-mail address").fill("nobody")
    admin.get_by_label("E-mail address").evaluate("one => one.type = 'text'")
    admin.get_by_role("button", name="Save the settings").click()
    expect(admin.get_by_label("E-mail address")).to_have_attribute("aria-invalid", "true")
    assert admin.foreign == []


def test_an_application_password_is_made_used_and_revoked(admin: Any, admin_site: AdminSite) -> None:
    open_screen(admin, admin_site, "/profile")
    assert find_violations(admin) == []
    admin.get_by_label("Name of a new one").fill("Reader on the phone")
    admin.get_by_role("button", name="Make a password").click()
    password = admin.locator(".shown-password").inner_text()
    me = f"{admin_site.root}/cms-json/cms/v2/users/me"
    assert sign_in_as_program(me, "admin", password) == 200
    admin.get_by_role("button", name="I have it").click()
    expect(admin.locator(".shown-password")).to_have_count(0)
    admin.get_by_role("button", name="Revoke Reader on the phone").click()
    admin.get_by_role("button", name="Yes, revoke").click()
    admin.get_by_text("The password is revoked.").wait_for()
    assert sign_in_as_program(me, "admin", password) == 401
    expect(admin.get_by_text("Reader on the phone")).to_have_count(0)


def test_a_person_is_made_with_a_role_and_signs_in(admin: Any, admin_site: AdminSite, sign_in: Any) -> None:
    open_screen(admin, admin_site, "/records/users/new")
    admin.get_by_label("User name").fill("admin")
    admin.get_by_label("E-mail address").fill("lina@example.org")
    admin.get_by_label(re.compile("^Password")).fill("a walk along the old mill")
    admin.get_by_role("checkbox", name="Editor").check()
    admin.get_by_role("button", name="Save").click()
    expect(admin.locator("form").get_by_text("The user name 'admin' is taken.")).to_have_count(2)
    admin.get_by_label("User name").fill("lina")
    admin.get_by_role("button", name="Save").click()
    admin.wait_for_url(re.compile(r"/records/users/\d+$"))
    page = sign_in("lina", "a walk along the old mill")
    expect(page.get_by_role("link", name="Media")).to_be_visible()
    expect(page.get_by_role("link", name="Settings")).to_have_count(0)


def test_a_person_changes_names_and_password(admin: Any, admin_site: AdminSite, sign_in: Any) -> None:
    open_screen(admin, admin_site, "/profile")
    admin.get_by_label("First name").fill("Ada")
    admin.get_by_role("button", name="Save your account").click()
    admin.get_by_text("Your account is saved.").wait_for()
    admin.get_by_label("New password").fill("four words nobody guesses")
    admin.get_by_label("The same again").fill("four words")
    admin.get_by_role("button", name="Change the password").click()
    expect(admin.get_by_text("The two passwords differ.")).to_be_visible()
    admin.get_by_label("The same again").fill("four words nobody guesses")
    admin.get_by_role("button", name="Change the password").click()
    admin.get_by_text("The password is changed.").wait_for()
    admin_site.password = "four words nobody guesses"
    page = sign_in("admin", "four words nobody guesses")
    open_screen(page, admin_site, "/profile")
    expect(page.get_by_label("First name")).to_have_value("Ada")


def test_redirects_come_from_a_file_and_are_looked_up(admin: Any, admin_site: AdminSite) -> None:
    open_screen(admin, admin_site, "/records/redirects")
    for status, said, place in (
        ("999", "Line 2, status", admin.get_by_role("dialog")), ("301", "is taken over.", admin),
    ):  # fmt: skip
        content = f"source,target,status\n/old-walk,/en/news/,{status}\n"
        with admin.expect_file_chooser() as chooser:
            admin.get_by_role("button", name="Import CSV").click()
        chooser.value.set_files([{"name": "r.csv", "mimeType": "text/csv", "buffer": content.encode()}])
        place.get_by_text(said).wait_for()
        if place != admin:
            place.get_by_role("button", name="Close", exact=True).click()
    expect(admin.get_by_role("link", name="/old-walk")).to_be_visible()
    admin.get_by_role("button", name="Where does an address lead?").click()
    admin.get_by_label("Address on this site").fill("/old-walk")
    admin.get_by_role("button", name="Look it up").click()
    expect(admin.get_by_role("dialog").get_by_role("status")).to_contain_text("/en/news/")
    admin.get_by_role("button", name="Close", exact=True).click()
    with admin.expect_download() as saved:
        admin.get_by_role("button", name="Export CSV").click()
    assert "/old-walk" in saved.value.path().read_text()


def test_a_file_that_is_no_font_is_refused_beside_its_name(admin: Any, admin_site: AdminSite) -> None:
    open_screen(admin, admin_site, "/fonts")
    assert find_violations(admin) == []
    with admin.expect_file_chooser() as chooser:
        admin.get_by_role("button", name="Add font files").click()
    name = "Source-Serif-SemiBoldItalic.woff2"
    chooser.value.set_files([{"name": name, "mimeType": "font/woff2", "buffer": quarters(8, 8)}])
    dialog = admin.get_by_role("dialog")
    expect(dialog.get_by_label("Family")).to_have_value("Source Serif")
    expect(dialog.get_by_label("Weight")).to_have_value("600")
    expect(dialog.get_by_label("Style")).to_have_value("italic")
    dialog.get_by_role("button", name="Install").click()
    expect(dialog.get_by_role("alert")).to_contain_text(re.compile("font", re.IGNORECASE))
