"""What public pages have beside records and lists: forms, blocks that depend on who visits, pages of their own.

Each package named here has them in its `FEATURES`; those of a module are loaded with the first site that has it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache, partial
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

from vetrina.content.blocks.block_context import BlockContext, BlockRenderFunction
from vetrina.content.records.model import Record
from vetrina.core.phrases import Phrases
from vetrina.core.site_context import SiteContext
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.core.user import User
from vetrina.pages.forms import PageForm, SubmittedForm
from vetrina.pages.markup import Html, join_markup, render_element, render_link
from vetrina.pages.page_request import PageRequest
from vetrina.rest.call import Response
from vetrina.rest.dialects.block_names import add_dialect_names

if TYPE_CHECKING:
    from vetrina.pages.list_pages import RecordListing

ShortcodeFunction = Callable[[UnitOfWork, Mapping[str, str]], str]  # (work, parameters) → block markup
VisitorBlock = Callable[[PageRequest, BlockContext], str]

_SITE_FEATURES: Final = ("vetrina.pages.comments", "vetrina.pages.visitor_sign_in")
_MODULE_FEATURES: Final = {
    "shop": ("vetrina.pages.shop.catalogue", "vetrina.pages.shop.cart", "vetrina.pages.shop.account"),
}

_NO_PHRASES: Final = Phrases("vetrina.pages")


@dataclass(frozen=True, eq=False)
class PageFeatures:
    """What a module adds to public pages.

    forms: by name. blocks: by name, those that depend on who visits; each is given the page and its block. notices: in
    English, by the name with which an address asks for them. phrases: their translations.
    find_page: (page) → the response of an address that only this module knows, None for another. find_listing: the same
    for a list. list_in_place: (page, record) → the list that stands in the place of a record's page, None for that.
    replace_content: (page, record) → the content that is shown in place of a record's own, None for that.
    shortcodes: by name, what writes the blocks that one stands for; a name that begins with `*` is an end of names.
    notice_links: by the name of a notice, the text of a link behind it, and (unit of work) → where it leads, empty for
    nowhere.
    guarded_types: names of types whose own templates show what a password of a record protects.
    describe_record: (page, record) → what the page of a record says of it for machines, as objects of schema.org, in
    place of what the site says of the same kinds.
    """

    forms: Mapping[str, PageForm] = field(default_factory=dict)
    blocks: Mapping[str, VisitorBlock] = field(default_factory=dict)
    notices: Mapping[str, str] = field(default_factory=dict)
    notice_links: Mapping[str, tuple[str, Callable[[UnitOfWork], str]]] = field(default_factory=dict)
    phrases: Phrases = _NO_PHRASES
    find_page: Callable[[PageRequest], Response | None] | None = None
    find_listing: Callable[[PageRequest], RecordListing | None] | None = None
    list_in_place: Callable[[PageRequest, Record], RecordListing | None] | None = None
    replace_content: Callable[[PageRequest, Record], str | None] | None = None
    after_sign_in: Callable[[SubmittedForm, User], None] | None = None
    describe_record: Callable[[PageRequest, Record], list[dict[str, Any]]] | None = None
    guarded_types: frozenset[str] = frozenset()
    shortcodes: Mapping[str, ShortcodeFunction] = field(default_factory=dict)


@lru_cache(maxsize=8)
def _load_features(modules: tuple[str, ...]) -> tuple[PageFeatures, ...]:
    # Late: forms and blocks of every site render pages, which look here for what they have.
    names = (*_SITE_FEATURES, *(name for module in modules for name in _MODULE_FEATURES.get(module, ())))
    return tuple(import_module(name).FEATURES for name in names)


def list_page_features(site: SiteContext) -> tuple[PageFeatures, ...]:
    """Return what the pages of a site have beside records and lists, what every site has first."""
    return _load_features(tuple(module.name for module in site.modules))


def find_form(site: SiteContext, name: str) -> PageForm | None:
    """Return a form by its name, None where there is none."""
    return next((one.forms[name] for one in list_page_features(site) if name in one.forms), None)


def render_notice(work: UnitOfWork, name: str, path: str) -> Html:
    """Return what the page at a path says has been done, with a link to what comes next; empty for an unknown name."""
    for one in list_page_features(work.site):
        if name in one.notices:
            text = one.phrases.translate(work.language, one.notices[name])
            label, find_address = one.notice_links.get(name, ("", lambda work: ""))
            address = find_address(work)
            link = (
                render_link(address, one.phrases.translate(work.language, label))
                if address and not address.endswith(path)
                else ""
            )
            return render_element("p", text, " " if link else "", link, class_="site-notice", role="status")
    return join_markup(())


def find_own_page(page: PageRequest) -> Response | None:
    """Return the response of an address that only a module knows, None for another."""
    asked = (one.find_page for one in list_page_features(page.work.site) if one.find_page is not None)
    return next((found for find in asked if (found := find(page)) is not None), None)


def find_own_listing(page: PageRequest) -> RecordListing | None:
    """Return the list at an address that only a module knows, None for another."""
    asked = (one.find_listing for one in list_page_features(page.work.site) if one.find_listing is not None)
    return next((found for find in asked if (found := find(page)) is not None), None)


def find_listing_in_place(page: PageRequest, record: Record) -> RecordListing | None:
    """Return the list that stands in the place of a record's page, None for that page."""
    asked = (one.list_in_place for one in list_page_features(page.work.site) if one.list_in_place is not None)
    return next((found for find in asked if (found := find(page, record)) is not None), None)


def build_visitor_blocks(page: PageRequest) -> dict[str, BlockRenderFunction]:
    """Return what renders the blocks of a page that depend on who visits it."""
    return {name: partial(block, page) for name, block in _list_visitor_blocks(list_page_features(page.work.site))}


@lru_cache(maxsize=8)
def _list_visitor_blocks(features: tuple[PageFeatures, ...]) -> tuple[tuple[str, VisitorBlock], ...]:
    return tuple(add_dialect_names({name: block for one in features for name, block in one.blocks.items()}).items())


def find_replaced_content(page: PageRequest, record: Record) -> str | None:
    """Return the content that is shown in place of a record's own, None for that."""
    asked = (one.replace_content for one in list_page_features(page.work.site) if one.replace_content is not None)
    return next((found for replace in asked if (found := replace(page, record)) is not None), None)


def is_guarded(site: SiteContext, type: str) -> bool:
    """Return whether the own templates of a type show what a password of a record protects."""
    return any(type in one.guarded_types for one in list_page_features(site))


def describe_record(page: PageRequest, record: Record) -> list[dict[str, Any]]:
    """Return what modules say of a record for machines."""
    asked = (one.describe_record for one in list_page_features(page.work.site) if one.describe_record is not None)
    return [found for describe in asked for found in describe(page, record)]
