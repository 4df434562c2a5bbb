"""What a new shop begins with: its four pages, the category of products that have no other, its tax classes.

Rules: the recordings of the second deployment; names of the options as its settings have them.
"""

from __future__ import annotations

from typing import Final

from vetrina.access.users.model import User
from vetrina.backends import id_sequences
from vetrina.content.records import model as record_model
from vetrina.content.records import rules as records
from vetrina.content.terms import rules as term_rules
from vetrina.content.types.registry import PAGE
from vetrina.core.unit_of_work import Work
from vetrina.shop.products.product_types import CATEGORY, DEFAULT_CATEGORY
from vetrina.shop.taxes import classes as tax_classes

__all__ = ["PAGES", "found", "missing_pages"]

_LAST_RESERVED_TERM: Final = 15  # the same of groups
_LAST_RESERVED: Final = 10  # numbers up to here are for what a site has before anybody writes to it

# The option that holds a page's number → its slug, title and content.
PAGES: Final = {
    "shop_shop_page_id": ("shop", "Shop", ""),
    "shop_cart_page_id": ("cart", "Cart", ""),
    "shop_checkout_page_id": ("checkout", "Checkout", ""),
    "shop_myaccount_page_id": ("my-account", "My account", ""),
}


def found(work: Work, author: int = 0) -> None:
    """Write what a new shop begins with; author: the account that its pages belong to, 0 for nobody's."""
    caller, work.user = work.user, User(id=author, capabilities=frozenset({"publish_pages", "unfiltered_html"}))
    category = term_rules.create(work, CATEGORY, "Uncategorized")
    work.set_option(DEFAULT_CATEGORY, category.id)
    tax_classes.found(work)
    for option in PAGES:
        _make_page(work, option)
    # Clients keep numbers of what they made; a shop that was moved from elsewhere begins where others begin.
    id_sequences.raise_to(work.tx, _LAST_RESERVED)
    id_sequences.raise_to(work.tx, _LAST_RESERVED_TERM, "term")
    work.user = caller


def missing_pages(work: Work) -> list[str]:
    """Make those pages of the shop that are not there, and return the options that name them."""
    caller, work.user = work.user, User(id=work.user.id, capabilities=frozenset({"publish_pages", "unfiltered_html"}))
    made = []
    for option in PAGES:
        found = record_model.by_id(work.tx, int(work.stored_option(option) or 0))
        if found is None or found.type != PAGE.name or found.status == "trash":
            _make_page(work, option)
            made.append(option)
    work.user = caller
    return made


def _make_page(work: Work, option: str) -> None:
    slug, title, content = PAGES[option]
    given = {"slug": slug, "title": title, "content": content, "status": "publish", "comment_status": "closed"}
    work.set_option(option, records.create(work, PAGE, given).id)
