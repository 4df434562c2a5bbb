"""What is changed over the interface is on the next view of a page, in both languages, in a real browser."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

import vetrina
from browser.conftest import Served, serve_new_site
from browser.interface import Ask, connect

LANGUAGES = {"en": "We walk on Sundays.", "it": "Si cammina di domenica."}
_COLOUR = "getComputedStyle(document.querySelector('main a')).color"


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A site with a place for menus and a sidebar."""
    folder = tmp_path_factory.mktemp("changes")
    own = (Path(vetrina.__file__).parent / "profiles" / "first.toml").read_text()
    tables = '\n[menu_locations]\nprimary = "Above"\n\n[sidebars.below]\nname = "Below"\n'
    profile = folder / "first.toml"
    profile.write_text(f'public_menu_locations = ["primary"]\n{own}{tables}')
    with serve_new_site(folder / "site", "init", "--profile", str(profile)) as site:
        yield site


@pytest.fixture(scope="module")
def ask(house: Served) -> Ask:
    return connect(house)


@pytest.fixture(scope="module")
def post(ask: Ask) -> dict[str, Any]:
    """A post in each language, each with a link, by their language."""
    found: dict[str, Any] = {}
    for language, text in LANGUAGES.items():
        given = {
            "title": text, "slug": f"walks-{language}", "status": "publish",
            "content": f'<!-- wp:paragraph --><p><a href="https://a.example/">{text}</a></p><!-- /wp:paragraph -->',
            **({"translations": {"en": found["en"]["id"]}} if found else {}),
        }  # fmt: skip
        found[language] = ask("POST", "/cms/v2/posts", given, language)
    return found


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_template_a_menu_a_colour_and_a_widget_are_changed(
    tab: Any, house: Served, ask: Ask, post: dict[str, Any], language: str
) -> None:
    said, address = LANGUAGES[language], post[language]["link"]
    tab.goto(address)
    tab.get_by_role("heading", level=1, name=said).wait_for()
    plain = tab.evaluate(_COLOUR)

    content = ask("GET", "/cms/v2/templates/portico//single?context=edit")["content"]["raw"]
    more = f'<!-- wp:paragraph --><p id="more">Template {language}</p><!-- /wp:paragraph --></main>'
    ask("POST", "/cms/v2/templates/portico//single", {"content": content.replace("</main>", more, 1)})
    tab.goto(address)
    expect(tab.locator("#more")).to_have_text(f"Template {language}")
    ask("POST", "/cms/v2/templates/portico//single", {"content": content})

    menu = ask("POST", "/cms/v2/menus", {"name": f"Main {language}", "locations": ["primary"]}, language)["id"]
    item = {"title": f"Menu {language}", "url": "https://b.example/", "menus": menu, "status": "publish"}
    ask("POST", "/cms/v2/menu-items", {**item, "menu_order": 1}, language)
    tab.goto(address)
    header = tab.get_by_role("banner")
    expect(header.get_by_role("link", name=f"Menu {language}")).to_be_visible()
    link = f'<!-- wp:navigation-link {{"label":"Navigation {language}","url":"https://c.example/"}} /-->'
    found = ask("POST", "/cms/v2/navigation", {"title": "N", "content": link, "status": "publish"}, language)
    tab.goto(address)
    expect(header.get_by_role("link", name=f"Navigation {language}")).to_be_visible()
    ask("POST", f"/cms/v2/navigation/{found['id']}", {"content": link.replace("Navigation", "Changed")}, language)
    tab.goto(address)
    expect(header.get_by_role("link", name=f"Changed {language}")).to_be_visible()
    tab.set_viewport_size({"width": 320, "height": 700})
    expect(header.get_by_role("link", name=f"Changed {language}")).to_be_hidden()
    header.get_by_role("button", name="Menu").click()
    expect(header.get_by_role("link", name=f"Changed {language}")).to_be_visible()
    tab.keyboard.press("Escape")
    expect(header.get_by_role("link", name=f"Changed {language}")).to_be_hidden()

    theme = ask("GET", "/cms/v2/themes?status=active")[0]
    styles = theme["_links"]["cms:user-global-styles"][0]["href"].partition("/cms-json")[2]
    colour = {"elements": {"link": {"color": {"text": "#006400"}}}}
    ask("POST", styles, {"styles": colour})
    tab.goto(address)
    assert plain != "rgb(0, 100, 0)"
    assert tab.evaluate(_COLOUR) == "rgb(0, 100, 0)"
    ask("POST", styles, {"styles": {}})

    instance = {"raw": {"title": "", "text": f"Widget {language}"}}
    widget = ask("POST", "/cms/v2/widgets", {"id_base": "text", "sidebar": "below", "instance": instance})
    tab.goto(address)
    below = tab.get_by_role("contentinfo").get_by_role("region", name="Below")
    expect(below).to_contain_text(f"Widget {language}")
    ask("DELETE", f"/cms/v2/widgets/{widget['id']}?force=true")
    tab.goto(address)
    expect(below).to_have_count(0)
    assert tab.refused == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_old_address_leads_to_the_new_one(
    tab: Any, house: Served, ask: Ask, post: dict[str, Any], language: str
) -> None:
    ask("POST", f"/cms/v2/posts/{post[language]['id']}", {"slug": f"sundays-{language}"}, language)
    answer = tab.goto(post[language]["link"])
    assert answer.status == 200
    assert answer.request.redirected_from.response().status == 301
    assert tab.url.endswith(f"/sundays-{language}/")
    tab.get_by_role("heading", level=1, name=LANGUAGES[language]).wait_for()
    ask("POST", "/cms/v2/redirects", {"source": f"/{language}/old-walk/", "target": tab.url}, language)
    assert tab.goto(f"{house.root}/{language}/old-walk/").status == 200
    assert tab.url.endswith(f"/sundays-{language}/")
