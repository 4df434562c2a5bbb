"""Public pages in a real browser, for people and assistive tools."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect


@pytest.mark.parametrize("path, language", [("/", "en"), ("/en/", "en"), ("/it/", "it"), ("/en/nothing/", "en")])
def test_a_page_has_landmarks_a_heading_and_no_faults(tab, served, path, language):
    tab.goto(served.root + path)
    assert tab.evaluate("document.documentElement.lang") == language
    for role in ("banner", "main", "contentinfo"):
        expect(tab.get_by_role(role)).to_have_count(1)
    expect(tab.get_by_role("search").first).to_be_attached()
    expect(tab.get_by_role("heading", level=1).first).to_be_attached()
    assert [text for text in tab.refused if "404" not in text] == []
    unnamed = "[...document.querySelectorAll('a, button')].filter(e => !e.textContent.trim() && !e.ariaLabel).length"
    assert tab.evaluate(unnamed) == 0
    unlabelled = "[...document.querySelectorAll('input:not([type=hidden])')].filter(e => !e.labels.length).length"
    assert tab.evaluate(unlabelled) == 0


def test_the_first_key_leads_to_the_content(tab, served):
    tab.goto(f"{served.root}/en/")
    tab.keyboard.press("Tab")
    expect(tab.locator(":focus")).to_have_text("Skip to the content")
    tab.keyboard.press("Enter")
    expect(tab.locator("#content")).to_be_focused()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_light_and_dark(tab, served, scheme):
    tab.emulate_media(color_scheme=scheme)
    tab.goto(f"{served.root}/en/")
    ground = tab.evaluate("getComputedStyle(document.body).backgroundColor")
    assert ground == {"light": "rgb(251, 250, 247)", "dark": "rgb(20, 24, 29)"}[scheme]


@pytest.mark.parametrize("width", [320, 1280])
def test_nothing_is_wider_than_the_window(tab, served, width):
    tab.set_viewport_size({"width": width, "height": 700})
    for path in ("/", "/it/", "/admin/sign-in"):
        tab.goto(served.root + path)
        assert tab.evaluate("document.documentElement.scrollWidth") <= width


def test_languages_lists_and_records_lead_to_each_other(tab, served):
    tab.goto(f"{served.root}/en/")
    tab.get_by_role("link", name="Italiano").click()
    tab.wait_for_url(f"{served.root}/it/")
    expect(tab.get_by_role("heading", level=1).first).to_have_text("Benvenuti")
    tab.goto(f"{served.root}/it/category/notizie/")
    link = tab.get_by_role("main").get_by_role("heading", level=2).get_by_role("link").first
    title = link.inner_text()
    link.click()
    expect(tab.get_by_role("heading", level=1)).to_have_text(title)
