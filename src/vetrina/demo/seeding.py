"""Fill a new site with a demonstration: its parts, in the order in which they are created.

The folder of a new site: cli/demo.py.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass
from random import Random
from typing import Final

from sqlalchemy import func, select

from vetrina.backends.database import Statement
from vetrina.backends.http_client import OutboundClient
from vetrina.backends.tables.accounts import account
from vetrina.backends.tables.comments import comment
from vetrina.backends.tables.orders import shop_order
from vetrina.backends.tables.records import record
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.demo import content, design, translation_jobs
from vetrina.demo.seed_client import FakeClock, SeedClient
from vetrina.kernel.times import SystemClock
from vetrina.site import Site
from vetrina.system import job_runner

from .content import CreatedContent
from .texts import load_shared_texts, load_story

MAX_ROUTE_ORDERS: Final = 240  # orders that are created through routes; more are inserted straight into their tables
_SHOP_NAMESPACE: Final = "shop/v3"
STORY_FILES: Final = {"first": "valley", "second": "bottega"}  # profile → the file of its texts

_CONTENT_COUNTS: Final = {
    "records": Statement(select(func.count()).select_from(record)),
    "comments": Statement(select(func.count()).select_from(comment)),
    "orders": Statement(select(func.count()).select_from(shop_order)),
}
_COUNT_ACCOUNTS: Final = Statement(select(func.count()).select_from(account))

# Shows progress: a label and a total → a context manager whose value is called with each increment.
ShowProgress = Callable[[str, int], AbstractContextManager[Callable[[int], None]]]


class SiteNotNew(Exception):
    """The site already has content."""


@dataclass(frozen=True)
class DemoPlan:
    """What to create. orders: their total number, for a shop."""

    seed: int = 1
    orders: int = MAX_ROUTE_ORDERS


def build_offline_client() -> OutboundClient:
    """Return a client that refuses all requests: filling a site needs no other server."""
    return OutboundClient(resolve=lambda host, port: ())


def require_new_site(work: UnitOfWork) -> None:
    """Raise SiteNotNew if a site has more than its initial content."""
    counts = {what: int(work.tx.value(statement) or 0) for what, statement in _CONTENT_COUNTS.items()}
    counts["records"] -= sum(module.count_first_records() for module in work.site.modules)
    counts["accounts beside the first"] = int(work.tx.value(_COUNT_ACCOUNTS) or 0) - 1
    if summary := ", ".join(f"{number} {what}" for what, number in counts.items() if number > 0):
        raise SiteNotNew(f"it has content already ({summary})")


def fill_site(site: Site, clock: FakeClock, admin: str, plan: DemoPlan, show_progress: ShowProgress) -> None:
    """Fill a new site with a demonstration, as its administrator.

    clock: the clock of the site. admin: login. show_progress: shows the progress.
    """
    client, written = SeedClient(site, clock, admin), CreatedContent()
    with _mute_mails(client):
        _fill_content(client, plan, written)
        if _has_shop(site):
            _fill_shop(client, plan, written, show_progress)
        clock.move_before_end(0)
    # Follow-up work of the writes, such as the search index, is done here and not at the first start; and so is what
    # was scheduled for a time that has passed since.
    clock.move_to(SystemClock().now())
    consumer = job_runner.build_consumer(site.context, site.database)
    consumer.run_due_jobs()
    consumer.catch_up(whole=True)


def _has_shop(site: Site) -> bool:
    """Return whether a site has the routes by which a shop is filled."""
    return _SHOP_NAMESPACE in site.index.namespaces


@contextmanager
def _mute_mails(client: SeedClient) -> Iterator[None]:
    """Disable mails during the block."""
    with ExitStack() as stack:
        if _has_shop(client.site):
            from . import catalogue

            stack.enter_context(catalogue.mute_shop_mails(client))
        client.post("/mlang/tm/v1/settings", {"mails": False})
        yield
        client.post("/mlang/tm/v1/settings", {"mails": True})


def _fill_content(client: SeedClient, plan: DemoPlan, written: CreatedContent) -> None:
    texts, things = load_story(STORY_FILES[client.site.context.profile.name]), load_shared_texts()
    content.create_people(client, texts.people)
    content.create_library(client, texts.pictures, plan.seed, written)
    content.create_terms(client, texts.terms, written)
    design.configure_fields(client, things)
    design.create_patterns(client, things, written)
    content.create_records(client, texts.records, written)
    content.create_comments(client, texts.comments, written)
    if _has_shop(client.site):
        from . import shop_pages

        shop_pages.translate_shop_pages(client, written)
    content.create_menus(client, texts.menu, written)
    content.configure_front_page(client, texts, written)
    design.create_navigation(client, [one.to for one in texts.menu], written)
    design.customize_design(client, things)
    content.create_autosaves(client, texts.records, written)
    translation_jobs.create_translation_jobs(client, texts.jobs, written)
    client.clock.move_before_end(0)
    translation_jobs.translate_site_texts(client, texts)
    translation_jobs.create_glossary(client, texts.glossary)


def _fill_shop(client: SeedClient, plan: DemoPlan, written: CreatedContent, show_progress: ShowProgress) -> None:
    from vetrina.demo import catalogue, many_orders, orders, shop_visits

    from .shop_texts import load_shop_texts

    texts, random = load_shop_texts(), Random(plan.seed)
    catalogue.configure_shop(client, texts)
    goods = catalogue.create_catalog(client, texts, written)
    catalogue.create_customers(client, texts.customers, goods)
    by_hand = min(plan.orders, MAX_ROUTE_ORDERS)
    many, site = plan.orders - by_hand, client.site
    with show_progress("Orders, one by one", by_hand) as done:
        orders.create_orders(client, texts, goods, by_hand, random, done)
    if many:
        currency = texts.settings["general"]["shop_currency"]
        found = many_orders.iterate_bulk_orders(texts, goods.offers, many, client.clock.last, currency, random)
        with show_progress("All the others", many) as done:
            many_orders.load_orders(site, found, done)
    shop_visits.fetch_downloads(client, goods, 2)
    shop_visits.abandon_cart(client, texts, goods, 0.1)
    catalogue.create_reviews(client, texts.reviews, goods)
    catalogue.create_webhook(client)
    if many:
        with show_progress("Reports", plan.orders + 1) as done:  # including the order that a visitor began
            many_orders.rebuild_reports(site, done)
