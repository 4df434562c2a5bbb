"""Menus at the locations of a profile and widgets in its sidebars: what was saved is on the next view of a page."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from conftest import Client, Stand, made
from pages.conftest import Visitor
from vetrina.profile_checks import convert_sound_profile

WIDGETS = "/cms/v2/widgets"


@pytest.fixture
def house(tmp_path: Path) -> Iterator[Stand]:
    """A site with a public place for menus, one that is not, and two sidebars."""
    profile = convert_sound_profile(
        {
            "languages": ["en", "it"], "menu_locations": {"staff": "For the staff", "primary": "Above every page"},
            "public_menu_locations": ["primary"],
            "sidebars": {"below": {"name": 'Below "all"', "css_class": "quiet"}, "beside": {"name": "Beside"}},
        },
        "the test",
    )  # fmt: skip
    site = made(tmp_path, profile)
    yield Stand(site)
    site.close()


def add_menu(client: Client, name: str, *places: str, **members: object) -> int:
    answer = client.post("/cms/v2/menus", {"name": name, "locations": [*places], **members})
    assert answer.status == 201, answer.json
    return int(answer.json["id"])


def add_item(client: Client, menu: int, title: str, url: str, **members: object) -> int:
    given = {"title": title, "url": url, "menus": menu, "status": "publish", "menu_order": 1, **members}
    answer = client.post("/cms/v2/menu-items", given)
    assert answer.status == 201, answer.json
    return int(answer.json["id"])


def read_header(page: str) -> str:
    found = re.search(r"<header\b.*?</header>", page, re.DOTALL)
    assert found
    return found[0]


def test_the_menu_of_a_public_location_is_the_navigation_until_there_is_one(house: Stand, visitor: Visitor) -> None:
    admin, italian = house.client("admin"), house.client("admin", "/it/cms-json")
    menu = add_menu(admin, "Main", "primary")
    about = add_item(
        admin, menu, "About <em>us</em> -- all", "https://a.example/?a=1&b=2", target="_blank", classes=["bold"]
    )
    add_item(admin, menu, "Our code", "https://code.example/", parent=about, menu_order=2)
    other = add_menu(italian, "Principale", translations={"en": menu})
    add_item(italian, other, "Chi siamo", "https://it.example/")
    page = read_header(visitor.get("/en/").text)
    assert 'href="https://a.example/?a=1&#038;b=2" target="_blank"' in page
    assert '<span class="wp-block-navigation-item__label">About <em>us</em> &#8212; all</span>' in page
    assert page.index("wp-block-navigation__submenu-container") < page.index("Our code")
    assert "Chi siamo" in read_header(visitor.get("/it/").text)
    admin.post(f"/cms/v2/menu-items/{about}", {"title": "Who we are"})
    assert "Who we are" in read_header(visitor.get("/en/").text)
    admin.post("/cms/v2/navigation", {"title": "Links", "content": '<!-- wp:home-link {"label":"Start"} /-->',
                                      "status": "publish"})  # fmt: skip
    page = read_header(visitor.get("/en/").text)
    assert "Start" in page
    assert "Who we are" not in page


def test_a_navigation_may_name_a_location_and_no_other_than_a_public_one(house: Stand, visitor: Visitor) -> None:
    admin = house.client("admin")
    add_item(admin, add_menu(admin, "Main", "primary"), "Harbour", "https://a.example/")
    add_item(admin, add_menu(admin, "Inside", "staff"), "Wages", "https://b.example/")
    for place in ("primary", "staff", "nowhere"):
        content = f'<!-- wp:navigation {{"__unstableLocation":"{place}"}} /-->'
        link = admin.post("/cms/v2/posts", {"title": place, "content": content, "status": "publish"}).json["link"]
        page = visitor.get(link.removeprefix("http://vetrina.test")).text
        main = page[page.index("<main") : page.index("</main>")]
        assert ("Harbour" in main, "Wages" in page) == (place == "primary", False), place


def test_widgets_are_on_every_page_in_each_language(house: Stand, visitor: Visitor) -> None:
    admin = house.client("admin")
    assert "wp-block-widget-area" not in visitor.get("/en/").text
    instance = {"raw": {"title": "Open", "text": "From eight to noon."}}
    made = admin.post(WIDGETS, {"id_base": "text", "sidebar": "below", "instance": instance}).json
    for target in ("/en/", "/it/", "/en/nothing/"):
        page = visitor.get(target).text
        assert '<section class="wp-block-widget-area quiet alignwide" aria-label="Below &quot;all&quot;">' in page, (
            target
        )
        assert "From eight to noon." in page
        assert "Beside" not in page
    admin.post(f"{WIDGETS}/{made['id']}", {"instance": {"raw": {"title": "Open", "text": "From nine."}}})
    page = visitor.get("/en/").text
    assert ("From nine." in page, "From eight" in page) == (True, False)
    admin.post("/cms/v2/sidebars/below", {"widgets": []})
    assert "From nine." not in visitor.get("/en/").text


def test_a_template_shows_the_sidebar_that_it_names(house: Stand, visitor: Visitor) -> None:
    admin = house.client("admin")
    for place in ("below", "beside"):
        instance = {"raw": {"title": "", "text": f"Words {place}."}}
        admin.post(WIDGETS, {"id_base": "text", "sidebar": place, "instance": instance})
    content = '<!-- wp:widget-area {"id":"beside"} /--><!-- wp:widget-area {"id":"cms_inactive_widgets"} /-->'
    admin.post("/cms/v2/templates", {"slug": "404", "title": "404", "content": content})
    page = visitor.get("/en/nothing/").text
    assert ("Words beside." in page, "Words below." in page) == (True, False)
