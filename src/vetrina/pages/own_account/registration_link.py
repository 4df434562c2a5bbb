"""The link from where people sign in to where they register. Rules: docs/rules/registration.md, 4."""

from __future__ import annotations

from vetrina.access.registration.rules import is_registration_possible
from vetrina.core.site_context import SiteContext
from vetrina.pages.markup import Html, render_element, render_link
from vetrina.pages.own_account.texts import PHRASES


def render_registration_link(site: SiteContext, language: str, base: str) -> Html | str:
    """Return the link, empty where nobody may register. base: what stands before its path."""
    if not is_registration_possible(site):
        return ""
    return render_element("p", render_link(f"{base}/admin/register", PHRASES.translate(language, "Make an account")))
