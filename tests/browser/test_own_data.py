"""What people do with their own account in a browser: another mail address, a copy of their data, closing and keeping.

Once with scripts and once without; the pages have no faults that a tool finds.
"""

from __future__ import annotations

import io
import json
import time
import urllib.request
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from browser.admin.accessibility import AXE, find_violations
from browser.conftest import PATIENCE, Served, serve_new_site
from browser.outbox import read_link, wait_for_mail
from vetrina.access.users import rules as users
from vetrina.backends.transaction_retries import run_with_retries
from vetrina.cli.site_folder import open_site_folder

PASSWORD = "seven blue cups"


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with serve_new_site(tmp_path_factory.mktemp("own_data") / "site", "init") as site:
        yield site


@pytest.fixture(scope="module")
def hasty_house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A site that leaves no days to think an erasure over."""
    folder = tmp_path_factory.mktemp("own_data")
    profile = folder / "hasty.toml"
    profile.write_text('name = "hasty"\ntitle = "Hasty"\nlanguages = ["en"]\n[accounts]\nclosing_days = 0\n')
    with serve_new_site(folder / "site", "init", "--profile", str(profile)) as site:
        yield site


@pytest.fixture(params=[True, False], ids=["scripts", "no scripts"])
def window(chromium: Any, request: pytest.FixtureRequest) -> Iterator[Any]:
    """A small window with scripts or without."""
    context = chromium.new_context(
        locale="en-GB", java_script_enabled=request.param, viewport={"width": 320, "height": 740}
    )
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    page.scripts = request.param
    yield page
    context.close()


@pytest.fixture
def person(house: Served, window: Any, request: pytest.FixtureRequest) -> str:
    """The user name of somebody who is signed in in the window."""
    return sign_somebody_in(house, window, request.node.name)


def sign_somebody_in(house: Served, window: Any, test: str) -> str:
    """Create a subscriber, sign in with their password, and return their user name."""
    assert house.folder is not None
    login = f"ada{abs(hash(test)) % 10**6}"
    with open_site_folder(house.folder) as site:

        def create() -> None:
            with site.work() as work:
                users.create_user(work, login, f"{login}@example.org", roles=("subscriber",), password=PASSWORD)

        # The server and its jobs write at the same time.
        run_with_retries(create)
    window.goto(f"{house.root}/admin/sign-in")
    window.get_by_label("User name or e-mail address").fill(login)
    window.locator("input[name=password]").fill(PASSWORD)
    window.get_by_role("button", name="Sign in", exact=True).click()
    # Every page of the site begins with its address, that of the form as well.
    window.wait_for_url(lambda url: "/admin/sign-in" not in url)
    return login


def check_page(page: Any) -> None:
    """Check a page with tools, which need scripts."""
    if page.scripts:
        assert page.evaluate("document.documentElement.scrollWidth") <= 320, page.url
        if AXE.is_file():
            assert find_violations(page) == [], page.url


def send(house: Served, method: str, path: str, body: Any, token: str = "") -> Any:
    """Return what the interface answers. token: of the account that asks."""
    headers = {"Content-Type": "application/json", **({"Authorization": f"Bearer {token}"} if token else {})}
    asked = urllib.request.Request(
        f"{house.root}/cms-json{path}", json.dumps(body).encode() if body is not None else None, headers, method=method
    )
    with urllib.request.urlopen(asked, timeout=60) as answer:
        return json.loads(answer.read())


def is_registered(folder: Path, login: str) -> bool:
    with open_site_folder(folder) as site, site.work(read=True) as work:
        return users.find_user_by_login(work.tx, login) is not None


def find_email(folder: Path, login: str) -> str:
    with open_site_folder(folder) as site, site.work(read=True) as work:
        found = users.find_user_by_login(work.tx, login)
    assert found is not None
    return found.email


def test_an_address_changes_when_both_agree_on_their_pages(house: Served, window: Any, person: str) -> None:
    assert house.folder is not None
    old, new = f"{person}@example.org", f"{person}@example.net"
    token = send(house, "POST", "/access/v1/tokens", {"login": person, "password": PASSWORD, "scopes": ["write"]})
    change = {"email": new, "current_password": PASSWORD}
    send(house, "POST", "/access/v1/account/email", change, token["access_token"])
    for address, said in (
        (new, "Agreed. The other address must agree, too."), (old, "The account has the new address now."),
    ):  # fmt: skip
        link = read_link(house.folder, address, "confirm-email")
        window.goto(link)
        window.get_by_text(f"The account is to have the address {new}.").wait_for()
        check_page(window)
        # Only the form agrees; a program that looks at links changes nothing.
        assert find_email(house.folder, person) == old
        window.get_by_role("button", name="Agree").click()
        window.get_by_text(said).wait_for()
        check_page(window)
    assert find_email(house.folder, person) == new
    window.goto(link)
    window.get_by_text("It was used, withdrawn, or is too old.").wait_for()


def test_the_present_address_refuses_a_change(house: Served, window: Any, person: str) -> None:
    assert house.folder is not None
    token = send(house, "POST", "/access/v1/tokens", {"login": person, "password": PASSWORD, "scopes": ["write"]})
    change = {"email": f"{person}@example.net", "current_password": PASSWORD}
    send(house, "POST", "/access/v1/account/email", change, token["access_token"])
    window.goto(read_link(house.folder, f"{person}@example.org", "confirm-email"))
    window.get_by_role("button", name="Refuse").click()
    window.get_by_text("Refused: the address stays as it is.").wait_for()
    assert find_email(house.folder, person) == f"{person}@example.org"


def test_somebody_gets_a_copy_of_their_data(house: Served, window: Any, person: str) -> None:
    assert house.folder is not None
    email = f"{person}@example.org"
    window.goto(f"{house.root}/admin/my-data")
    window.get_by_text(f"Your address is {email}.").wait_for()
    check_page(window)
    window.get_by_role("button", name="Send the link").click()
    window.get_by_text("A mail is on its way.").wait_for()
    window.goto(read_link(house.folder, email, "confirm-personal-data"))
    check_page(window)
    window.get_by_role("button", name="Confirm").click()
    window.get_by_text("Confirmed. A mail tells you when it is done.").wait_for()
    # Its own link opens it, in whatever browser its owner reads mails.
    with urllib.request.urlopen(read_link(house.folder, email, "personal-data[?]"), timeout=60) as answer:
        assert answer.headers["Content-Type"] == "application/zip"
        content = answer.read()
    with zipfile.ZipFile(io.BytesIO(content)) as copy:
        assert "index.html" in copy.namelist()
        assert any(email.encode() in copy.read(name) for name in copy.namelist())


def test_an_account_is_closed_with_days_to_think_and_kept(house: Served, window: Any, person: str) -> None:
    assert house.folder is not None
    email = f"{person}@example.org"
    window.goto(f"{house.root}/admin/my-data")
    window.get_by_label("Erase it, and close my account").check()
    window.get_by_role("button", name="Send the link").click()
    window.get_by_text("A mail is on its way.").wait_for()
    window.goto(read_link(house.folder, email, "confirm-personal-data"))
    window.get_by_role("button", name="Confirm").click()
    window.get_by_text("Confirmed. A mail tells you when it is done.").wait_for()
    window.goto(f"{house.root}/admin/my-data")
    window.get_by_text("Until then you can keep it.").wait_for()
    check_page(window)
    window.get_by_role("button", name="Keep my account").click()
    window.get_by_text("Your account stays.").wait_for()
    check_page(window)
    window.goto(f"{house.root}/admin/my-data")
    window.get_by_label("Erase it, and close my account").wait_for()
    assert find_email(house.folder, person) == email


def test_an_account_is_closed_and_erased(hasty_house: Served, window: Any, request: pytest.FixtureRequest) -> None:
    house = hasty_house
    assert house.folder is not None
    login = sign_somebody_in(house, window, request.node.name)
    email = f"{login}@example.org"
    window.goto(f"{house.root}/admin/my-data")
    window.get_by_label("Erase it, and close my account").check()
    window.get_by_role("button", name="Send the link").click()
    window.get_by_text("A mail is on its way.").wait_for()
    window.goto(read_link(house.folder, email, "confirm-personal-data"))
    window.get_by_role("button", name="Confirm").click()
    window.get_by_text("Confirmed. A mail tells you when it is done.").wait_for()
    wait_for_mail(house.folder, email, "is erased now")
    # The mail goes out before the address is erased.
    until = time.monotonic() + PATIENCE / 1000
    while is_registered(house.folder, login) and time.monotonic() < until:
        time.sleep(0.1)
    assert not is_registered(house.folder, login)
    window.goto(f"{house.root}/admin/sign-in")
    window.get_by_label("User name or e-mail address").fill(login)
    window.locator("input[name=password]").fill(PASSWORD)
    window.get_by_role("button", name="Sign in", exact=True).click()
    window.get_by_role("alert").wait_for()
    check_page(window)
