"""The administration in Italian: no control of the block editor, its lists or the site editor speaks English."""

from __future__ import annotations

import re
from typing import Any

from browser.admin.conftest import AdminSite
from browser.admin.editors import wait_for_canvas
from browser.admin.interface import call
from browser.admin.screens import open_screen

# Words of English sentences and buttons that are none of Italian.
ENGLISH = re.compile(
    r"\b(?:the|your|of|and|with|this|that|are|is|you|add|edit|settings|block|blocks|select|options|open|close|show"
    r"|hide|view|page|pages|post|posts|image|text|save|saved|publish|draft|status|search|filter|actions|title"
    r"|author|categories|tags|move|remove|delete|reset|copy|undo|redo|heading|paragraph|styles|patterns|templates"
    r"|navigation|color|size|advanced|none|items|preview)\b",
    re.IGNORECASE,
)
TEMPLATE = "Single Posts"  # what the theme calls the template of a post
FRONT_PAGE = "Welcome to the valley"  # of the demonstration
# What controls say, to the eye and to screen readers; the canvas is a frame, and its texts are the site's.
READ = """(within) => {
    const part = document.querySelector(within);
    const said = [];
    const walker = document.createTreeWalker(part, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
        const {parentElement: parent, textContent: text} = walker.currentNode;
        const isShown = parent.checkVisibility() && !parent.closest('script, style, noscript');
        if (text.trim() && isShown) said.push(text.trim());
    }
    for (const one of part.querySelectorAll('[aria-label], [placeholder], [title]')) {
        if (one.checkVisibility() && one.tagName !== 'IFRAME') {
            said.push(...['aria-label', 'placeholder', 'title'].map((name) => one.getAttribute(name)).filter(Boolean));
        }
    }
    return [...new Set(said)];
}"""


def find_english(page: Any, *known: str, within: str = "body") -> list[str]:
    """Return what a window says in English. known: names of the site and of its records, which stay as they are.

    within: the part of the page that is looked at, as a selector.
    """
    said = (re.sub("|".join(map(re.escape, known)), "", one) if known else one for one in page.evaluate(READ, within))
    return sorted(one for one in said if ENGLISH.search(one))


def test_the_post_editor_speaks_italian(sign_in: Any, admin_site: AdminSite) -> None:
    page = sign_in(locale="it-IT")
    text = "<!-- wp:paragraph --><p>La vecchia strada.</p><!-- /wp:paragraph -->"
    draft = call(page, "POST", "/wp/v2/posts", {"title": "Una prova", "content": text, "status": "draft", "lang": "it"})
    page.goto(f"{admin_site.root}/admin/content/post/{draft['id']}?lang=it")
    canvas = wait_for_canvas(page)
    page.get_by_role("button", name="Pubblica", exact=True).wait_for()
    faults = find_english(page, TEMPLATE)
    canvas.get_by_text("La vecchia strada.").click()
    page.get_by_role("button", name="Grassetto").wait_for()
    faults += find_english(page, TEMPLATE)
    page.get_by_role("button", name="Elenco dei blocchi", exact=True).click()
    page.get_by_role("option", name="Paragrafo", exact=True).wait_for()
    faults += find_english(page, TEMPLATE)
    page.get_by_role("button", name="Chiudi l’elenco dei blocchi").click()
    page.get_by_role("button", name="Pubblica", exact=True).click()
    page.get_by_text("È tutto pronto per pubblicare?").wait_for()
    faults += find_english(page, TEMPLATE)
    assert faults == []


def test_lists_speak_italian(sign_in: Any, admin_site: AdminSite) -> None:
    page = sign_in(locale="it-IT")
    open_screen(page, admin_site, "/content/post?lang=it")
    page.get_by_role("link", name="Articoli", exact=True).wait_for()
    page.locator("tbody tr").first.wait_for()
    faults = find_english(page, "English")
    page.locator("tbody tr").first.get_by_role("button", name="Azioni").click()
    page.get_by_role("menuitem").first.wait_for()
    faults += find_english(page, "English")
    assert faults == []


def test_the_site_editor_speaks_italian(sign_in: Any, admin_site: AdminSite) -> None:
    page = sign_in(locale="it-IT")
    page.goto(f"{admin_site.root}/admin/site")
    page.get_by_role("button", name="Stili").first.wait_for()
    assert find_english(page, FRONT_PAGE) == []
