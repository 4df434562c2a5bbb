"""Initial data of a new shop: its four pages, the default product category, the default tax classes."""

from __future__ import annotations

from typing import Final

from vetrina.backends import id_sequences
from vetrina.content.records import model as record_model, rules as records
from vetrina.content.terms import rules as term_rules
from vetrina.content.types.registry import PAGE
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.core.user import User
from vetrina.shop.products.product_types import CATEGORY, DEFAULT_CATEGORY
from vetrina.shop.settings.shop_pages import ACCOUNT_PAGE, CART_PAGE, CHECKOUT_PAGE, SHOP_PAGE
from vetrina.shop.taxes import classes as tax_classes

_LAST_RESERVED_TERM: Final = 15  # likewise for terms
_LAST_RESERVED: Final = 10  # ids up to here are reserved for the initial records of a site

# Option that holds the page's id → its slug, title and content.
PAGES: Final = {
    SHOP_PAGE: ("shop", "Shop", ""),
    CART_PAGE: ("cart", "Cart", ""),
    CHECKOUT_PAGE: ("checkout", "Checkout", ""),
    ACCOUNT_PAGE: ("my-account", "My account", ""),
}


def bootstrap_shop(work: UnitOfWork, author: int = 0) -> None:
    """Create the initial data of a new shop; author: account id of the author of its pages, 0 for none."""
    caller, work.user = work.user, User(id=author, capabilities=frozenset({"publish_pages", "unfiltered_html"}))
    category = term_rules.create_term(work, CATEGORY, "Uncategorized")
    work.set_option(DEFAULT_CATEGORY, category.id)
    tax_classes.create_default_tax_classes(work)
    for option in PAGES:
        _create_page(work, option)
    # Clients store record ids; a shop that was moved from elsewhere expects its ids to begin where they began there.
    id_sequences.raise_sequence(work.tx, _LAST_RESERVED)
    id_sequences.raise_sequence(work.tx, _LAST_RESERVED_TERM, "term")
    work.user = caller


def create_missing_pages(work: UnitOfWork) -> list[str]:
    """Create the shop pages that are missing, and return the options that hold their ids."""
    caller, work.user = work.user, User(id=work.user.id, capabilities=frozenset({"publish_pages", "unfiltered_html"}))
    made = []
    for option in PAGES:
        found = record_model.find_record(work.tx, int(work.stored_option(option) or 0))
        if found is None or found.type != PAGE.name or found.status == "trash":
            _create_page(work, option)
            made.append(option)
    work.user = caller
    return made


def _create_page(work: UnitOfWork, option: str) -> None:
    slug, title, content = PAGES[option]
    given = {"slug": slug, "title": title, "content": content, "status": "publish", "comment_status": "closed"}
    work.set_option(option, records.create_record(work, PAGE, given).id)
