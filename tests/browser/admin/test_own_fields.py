"""Fields that a profile declares, in the forms of the administration. Rules: docs/rules/custom_fields.md, 2 to 9."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

import vetrina
from browser.admin.conftest import AdminSite, serve_new_site
from browser.admin.editors import create_draft, find_sidebar, open_record, read_record, save_draft
from browser.admin.interface import call
from custom_field_profile import DECLARED
from pictures import quarters

RECIPES = "recipes"


@pytest.fixture(scope="module")
def admin_site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[AdminSite]:
    folder = tmp_path_factory.mktemp("kitchen")
    profile = folder / "kitchen.toml"
    first = Path(vetrina.__file__).parent / "profiles" / "first.toml"
    profile.write_text(first.read_text() + DECLARED)
    with serve_new_site(folder / "site", "init", "--empty", "--profile", str(profile)) as site:
        yield site


def find_field(page: Any, name: str) -> Any:
    return page.locator(f'[data-field="meta.{name}"]')


def choose_record(page: Any, name: str, search: str, title: str) -> None:
    """Choose what a relation names by its title."""
    find_field(page, name).get_by_role("combobox").fill(search)
    page.get_by_role("option", name=title, exact=True).click()


def choose_file(page: Any, name: str, *files: dict[str, Any]) -> None:
    """Choose files in the picker of a field; those that are given are uploaded, else the first is taken."""
    find_field(page, name).get_by_role("button").last.click()
    picker = page.get_by_role("dialog")
    if files:
        picker.locator("input[type=file]").set_input_files([*files])
        expect(picker.locator("[aria-pressed=true]")).to_have_count(len(files))
    else:
        picker.locator(".media-picker-grid button").first.click()
    picker.get_by_role("button", name="Use").click()
    expect(find_field(page, name).locator("li")).to_have_count(max(1, len(files)))


def test_every_kind_of_field_is_written_refused_and_read_again(admin: Any, admin_site: AdminSite) -> None:
    me = call(admin, "GET", "/wp/v2/users/me")["id"]
    genre = call(admin, "POST", "/wp/v2/genres", {"name": "Festive", "meta": {"motto": "Slowly"}})["id"]
    broth = create_draft(admin, RECIPES, title="Broth of bones", meta={"difficulty": "easy"})
    recipe = create_draft(admin, RECIPES, title="Soup")
    open_record(admin, admin_site.root, recipe, "recipe")
    panel = find_sidebar(admin)
    for label, value in {
        "Subtitle": "Warm", "Minutes": "900", "Rating": "4.5", "Cooked on": "2026-02-28",
        "Served at": "2026-02-28T19:30", "Source": "https://example.org/soup", "Contact": "cook@example.org",
        "Story": "Old.", "Layout": "<!-- wp:paragraph --><p>A block</p><!-- /wp:paragraph -->",
        "Price note": "Dear", "Portions": "4", "Unit": "bowls",
    }.items():  # fmt: skip
        panel.get_by_label(label, exact=True).fill(value)
    panel.get_by_label("Vegan").check()
    panel.get_by_label("Difficulty").select_option("hard")
    panel.get_by_role("checkbox", name="Cold").check()
    panel.get_by_role("checkbox", name="Hot").check()
    panel.get_by_label("Hue").fill("#aa0000")
    choose_record(panel, "chef", "admin", "admin")
    choose_record(panel, "similar", "bones", "Broth of bones")
    choose_record(panel, "mood", "Fest", "Festive")
    pictures = [{"name": f"{name}.png", "mimeType": "image/png", "buffer": quarters(8, 8)} for name in "ab"]
    choose_file(admin, "album", *pictures)
    choose_file(admin, "photo")
    choose_file(admin, "sheet")
    panel.get_by_role("button", name="Add to Steps").click()
    find_field(panel, "steps[0].text").get_by_role("textbox").fill("Chop")
    find_field(panel, "steps[0].minutes").get_by_role("spinbutton").fill("-5")

    admin.get_by_role("button", name="Save draft").click()
    fault = find_field(panel, "prep_minutes").get_by_role("alert")
    expect(fault).to_have_text("Minutes must be between 0 and 600.")
    expect(find_field(panel, "steps[0].minutes").get_by_role("alert")).to_contain_text("Minutes must be")
    panel.get_by_label("Minutes", exact=True).first.fill("30")
    expect(fault).to_be_hidden()
    find_field(panel, "steps[0].minutes").get_by_role("spinbutton").fill("5")
    save_draft(admin)

    stored = read_record(admin, recipe, RECIPES)["meta"]
    files = {name: stored.pop(name) for name in ("album", "photo", "sheet")}
    assert (len(files["album"]), files["photo"] in files["album"], files["sheet"] in files["album"]) == (2, True, True)
    assert {name: stored[name]["raw"] for name in ("story", "layout")} == {
        "story": "<p>Old.</p>", "layout": "<!-- wp:paragraph --><p>A block</p><!-- /wp:paragraph -->",
    }  # fmt: skip
    expected = {
        "subtitle": "Warm", "prep_minutes": 30, "rating": 4.5, "vegan": True, "cooked_on": "2026-02-28",
        "served_at": "2026-02-28T19:30:00", "difficulty": "hard", "tags": ["hot", "cold"], "hue": "#aa0000",
        "source": "https://example.org/soup", "contact": "cook@example.org", "chef": me, "similar": [broth],
        "mood": genre, "price_note": "Dear", "yields": {"portions": 4, "unit": "bowls"},
        "steps": [{"text": "Chop", "minutes": 5}],
    }  # fmt: skip
    assert {name: stored[name] for name in expected} == expected

    open_record(admin, admin_site.root, recipe, "recipe")
    expect(panel.get_by_label("Minutes", exact=True).first).to_have_value("30")
    expect(panel.get_by_label("Served at")).to_have_value("2026-02-28T19:30")
    expect(find_field(panel, "similar").locator("li")).to_contain_text("Broth of bones")
    expect(find_field(panel, "mood").get_by_role("combobox")).to_have_value("Festive")
    expect(find_field(panel, "album").locator("img")).to_have_count(2)
    assert [text for text in admin.refused if "400" not in text] == []


def test_an_options_page_and_a_term_have_their_fields(admin: Any, admin_site: AdminSite) -> None:
    admin.goto(f"{admin_site.root}/admin/settings/company")
    choose_record(admin, "boss", "adm", "admin")
    admin.get_by_label("Claim").fill("Cooked with care")
    admin.get_by_role("button", name="Save").click()
    admin.get_by_text("Saved.").wait_for()
    admin.reload()
    expect(find_field(admin, "boss").get_by_role("combobox")).to_have_value("admin")
    stored = call(admin, "GET", "/wp/v2/options-pages/company?context=edit")["meta"]
    assert (stored["boss"], stored["claim"]) == (call(admin, "GET", "/wp/v2/users/me")["id"], "Cooked with care")

    admin.goto(f"{admin_site.root}/admin/records/genre/new")
    admin.get_by_role("textbox", name="Name").first.fill("Autumn")
    admin.get_by_role("button", name="Save").click()
    expect(find_field(admin, "motto").get_by_role("alert")).to_have_text("Motto is required.")
    admin.get_by_label("Motto").fill("Ripe")
    admin.get_by_role("button", name="Save").click()
    admin.get_by_text("Saved.").wait_for()
    [made] = call(admin, "GET", "/wp/v2/genres?search=Autumn")
    assert made["meta"]["motto"] == "Ripe"


def test_fields_are_translated_beside_their_originals(admin: Any, admin_site: AdminSite) -> None:
    languages = admin.evaluate("JSON.parse(document.getElementById('boot').textContent).languages")
    to = next(one["code"] for one in languages if not one["default"])
    meta = {
        "difficulty": "hard", "subtitle": "Warm", "story": "<p>One.</p><p>Two.</p>", "prep_minutes": 30, "rating": 4,
        "steps": [{"text": "Chop", "minutes": 5}, {"text": "Boil"}],
    }  # fmt: skip
    recipe = create_draft(admin, RECIPES, title="Stew", content="", status="publish", meta=meta)
    admin.goto(f"{admin_site.root}/admin/translate/recipe/{recipe}?to={to}")
    written = {
        "title": "Title 2", "field-subtitle": "Warm 2", "field-story-text-0": "One 2.", "field-steps.0.text": "Chop 2",
    }  # fmt: skip
    for unit, text in written.items():
        admin.locator(f'[data-unit="{unit}"] [data-translation-field]').fill(text)
    expect(admin.locator('[data-unit^="field-"]')).to_have_count(5)
    admin.get_by_role("button", name="Publish").click()
    admin.get_by_text("The translation is published.").wait_for()
    made = call(admin, "GET", f"/wp/v2/recipes/{recipe}")["translations"][to]["id"]
    found = read_record(admin, made, RECIPES)["meta"]
    assert {name: found[name] for name in ("subtitle", "difficulty", "prep_minutes", "rating", "steps")} == {
        "subtitle": "Warm 2", "difficulty": "hard", "prep_minutes": 30, "rating": 4,
        "steps": [{"text": "Chop 2", "minutes": 5}, {"text": "Boil", "minutes": None}],
    }  # fmt: skip
    assert found["story"]["raw"] == "<p>One 2.</p><p>Two.</p>"
    # Once more: what the translation has of its own stays.
    call(admin, "POST", f"/wp/v2/recipes/{made}", {"meta": {"prep_minutes": 45}})
    admin.reload()
    admin.locator('[data-unit="field-steps.1.text"] [data-translation-field]').fill("Boil 2")
    admin.get_by_role("button", name="Save").click()
    admin.get_by_text("The translation is saved.").wait_for()
    found = read_record(admin, made, RECIPES)["meta"]
    assert (found["prep_minutes"], [one["text"] for one in found["steps"]]) == (45, ["Chop 2", "Boil 2"])
    assert admin.refused == []


def test_rich_text_is_formatted_by_keyboard_and_keeps_what_it_cannot_show(admin: Any, admin_site: AdminSite) -> None:
    recipe = create_draft(admin, RECIPES, title="Bread", meta={"difficulty": "easy"})
    open_record(admin, admin_site.root, recipe, "recipe")
    story = find_sidebar(admin).get_by_label("Story", exact=True)
    expect(story).to_have_role("textbox")
    story.focus()
    admin.keyboard.type("Knead ")
    admin.keyboard.press("Control+b")
    admin.keyboard.type("well")
    admin.keyboard.press("Control+b")
    admin.keyboard.type(" and see ")
    admin.keyboard.press("Control+k")
    expect(admin.get_by_label("Address")).to_be_focused()
    admin.keyboard.type("example.org/flour")
    admin.keyboard.press("Enter")
    expect(story.locator("a")).to_have_attribute("href", "https://example.org/flour")
    expect(story).to_be_focused()
    admin.keyboard.press("End")
    admin.keyboard.press("Enter")
    tools = find_field(admin, "story").get_by_role("group", name="Formatting")
    tools.get_by_role("button", name="List", exact=True).click()
    expect(tools.get_by_role("button", name="List", exact=True)).to_have_attribute("aria-pressed", "true")
    admin.keyboard.type("flour")
    admin.keyboard.press("Enter")
    admin.keyboard.type("salt")
    save_draft(admin)
    assert read_record(admin, recipe, RECIPES)["meta"]["story"]["raw"] == (
        '<p>Knead <strong>well</strong> and see <a href="https://example.org/flour">https://example.org/flour</a></p>'
        "<ul><li>flour</li><li>salt</li></ul>"
    )

    table = "<table><tbody><tr><td>One</td></tr></tbody></table>"
    call(admin, "POST", f"/wp/v2/{RECIPES}/{recipe}", {"meta": {"story": table}})
    open_record(admin, admin_site.root, recipe, "recipe")
    expect(find_field(admin, "story").get_by_role("textbox")).to_have_value(table)
