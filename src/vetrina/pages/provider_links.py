"""The links by which people sign in by a provider.

The pages that these lead to: pages/provider_page.py. Rules: docs/rules/single_sign_on.md, 9.
"""

from __future__ import annotations

from urllib.parse import urlencode

from vetrina.core.site_context import SiteContext
from vetrina.pages.provider_texts import get_provider_texts

from .markup import Html, render_element, render_link


def render_provider_links(site: SiteContext, language: str, base: str, back: str) -> Html | str:
    """Return the links by which people sign in by a provider, empty without any.

    base: what stands before the path of a link. back: the local URL that it leads to in the end, empty for the usual.
    """
    providers = site.profile.accounts.providers
    if not providers:
        return ""
    texts = get_provider_texts(language)
    query = f"?{urlencode({'redirect_to': back})}" if back else ""
    links = [
        render_element(
            "li",
            render_link(
                f"{base}/admin/sign-in/{one.name}{query}",
                texts["sign_in_by"].format(label=one.label or one.name),
                class_="provider",
            ),
        )
        for one in providers
    ]
    return render_element("nav", render_element("ul", *links), aria_label=texts["other_ways"], class_="providers")
