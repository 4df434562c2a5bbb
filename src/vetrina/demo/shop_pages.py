"""The pages of a demonstration's shop in its second language: catalogue, cart, checkout and account."""

from __future__ import annotations

from typing import Final

from vetrina.demo.content import CreatedContent
from vetrina.demo.seed_client import SeedClient
from vetrina.shop.onboarding import PAGES

_DAYS_BEFORE_END: Final = 740  # days before the end of the period
_SECOND_LANGUAGE: Final = "it"
_TITLES: Final = {"shop": "Bottega", "cart": "Carrello", "checkout": "Cassa", "my-account": "Il mio account"}


def translate_shop_pages(client: SeedClient, written: CreatedContent) -> None:
    """Create the translations of the shop's pages, and let menus lead to them by their slugs."""
    client.clock.move_before_end(_DAYS_BEFORE_END)
    with client.site.work(read=True) as work:
        ids = {slug: int(work.stored_option(option) or 0) for option, (slug, _, _) in PAGES.items()}
    for slug, id in ids.items():
        members = {
            "title": _TITLES[slug], "status": "publish", "comment_status": "closed", "content": "",
            "translations": {"en": id},
        }  # fmt: skip
        made = client.post("/cms/v2/pages", members, language=_SECOND_LANGUAGE)["id"]
        written.records[slug, "en"], written.records[slug, _SECOND_LANGUAGE] = id, made
        written.types[slug] = "pages"
