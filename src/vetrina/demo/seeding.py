"""A demonstration site from nothing: which parts it has, and in which order they are written.

Not here: the folder of a new site (cli/demo.py).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass
from random import Random
from typing import Final

from sqlalchemy import func, select

from vetrina.backends.database import Statement
from vetrina.backends.http_client import Outbound
from vetrina.backends.tables.core import account, comment, record
from vetrina.backends.tables.orders import shop_order
from vetrina.core.unit_of_work import Work
from vetrina.demo import content, design, translation_jobs
from vetrina.demo.seed_client import Calendar, Hand
from vetrina.kernel.times import SystemClock
from vetrina.site import Site
from vetrina.system import job_runner

from .content import Written
from .texts import house, story

__all__ = ["BY_HAND", "STORIES", "Bar", "NotNew", "Plan", "closed", "fill", "require_new"]

BY_HAND: Final = 240  # orders that are made one by one; further ones go straight into their tables
STORIES: Final = {"first": "valley", "second": "bottega"}  # profile → the file of its texts

_COUNTED: Final = {
    "records": Statement(select(func.count()).select_from(record)),
    "comments": Statement(select(func.count()).select_from(comment)),
    "orders": Statement(select(func.count()).select_from(shop_order)),
}
_ACCOUNTS: Final = Statement(select(func.count()).select_from(account))

# What shows how far something is: a label and how much there is to do → a block that gives what counts it.
Bar = Callable[[str, int], AbstractContextManager[Callable[[int], None]]]


class NotNew(Exception):
    """A site has content already."""


@dataclass(frozen=True)
class Plan:
    """What is wanted. orders: how many in all, of a shop."""

    seed: int = 1
    orders: int = BY_HAND


def closed() -> Outbound:
    """Return what asks no other server: filling a site is nobody else's business."""
    return Outbound(resolve=lambda host, port: ())


def require_new(work: Work) -> None:
    """Raise NotNew where a site has more than it is founded with."""
    founded = 0
    if "shop" in work.frame.profile.modules:
        from vetrina.shop.onboarding import PAGES

        founded = len(PAGES)
    held = {what: int(work.tx.value(statement) or 0) for what, statement in _COUNTED.items()}
    held["records"] -= founded
    held["accounts beside the first"] = int(work.tx.value(_ACCOUNTS) or 0) - 1
    if told := ", ".join(f"{number} {what}" for what, number in held.items() if number > 0):
        raise NotNew(f"it has content already ({told})")


def fill(site: Site, calendar: Calendar, admin: str, plan: Plan, bar: Bar) -> None:
    """Write a demonstration into a new site, by its administrator.

    calendar: the clock of the site. admin: login. bar: shows how far it is.
    """
    hand, written = Hand(site, calendar, admin), Written()
    with _quiet(hand):
        _content(hand, plan, written)
        if "shop" in site.frame.profile.modules:
            _shop(hand, plan, written, bar)
        calendar.back(0)
    # What saves have left to do, such as the search index, is done here and not at the first start; and what a story
    # that ends in the past has planned for a day that is over.
    calendar.go(SystemClock().now())
    consumer = job_runner.consumer(site.frame, site.database)
    consumer.work_off()
    consumer.read_on(whole=True)


@contextmanager
def _quiet(hand: Hand) -> Iterator[None]:
    """Switch mails off for a while."""
    with ExitStack() as stack:
        if "shop" in hand.site.frame.profile.modules:
            from . import catalogue

            stack.enter_context(catalogue.quiet(hand))
        hand.post("/mlang/tm/v1/settings", {"mails": False})
        yield
        hand.post("/mlang/tm/v1/settings", {"mails": True})


def _content(hand: Hand, plan: Plan, written: Written) -> None:
    texts, things = story(STORIES[hand.site.frame.profile.name]), house()
    content.people(hand, texts.people)
    content.library(hand, texts.pictures, plan.seed, written)
    content.terms(hand, texts.terms, written)
    design.fields(hand, things)
    design.patterns(hand, things, written)
    content.records(hand, texts.records, written)
    content.comments(hand, texts.comments, written)
    content.menu(hand, texts.menu, written)
    content.front(hand, texts, written)
    design.navigation(hand, [one.to for one in texts.menu], written)
    design.looks(hand, things)
    content.history(hand, texts.records, written)
    translation_jobs.jobs(hand, texts.jobs, written)
    hand.calendar.back(0)
    translation_jobs.site_texts(hand, texts)


def _shop(hand: Hand, plan: Plan, written: Written, bar: Bar) -> None:
    from vetrina.demo import catalogue, many_orders, orders, shop_visits

    from .shop_texts import shop_texts

    texts, random = shop_texts(), Random(plan.seed)
    catalogue.ways(hand, texts)
    goods = catalogue.goods(hand, texts, written)
    catalogue.customers(hand, texts.customers, goods)
    by_hand = min(plan.orders, BY_HAND)
    many, site = plan.orders - by_hand, hand.site
    with bar("Orders, one by one", by_hand) as done:
        orders.orders(hand, texts, goods, by_hand, random, done)
    if many:
        currency = texts.settings["general"]["shop_currency"]
        found = many_orders.bulk(texts, goods.offers, many, hand.calendar.last, currency, random)
        with bar("All the others", many) as done:
            many_orders.load(site, found, done)
    shop_visits.fetched(hand, goods, 2)
    shop_visits.left(hand, texts, goods, 0.1)
    catalogue.reviews(hand, texts.reviews, goods)
    catalogue.webhook(hand)
    if many:
        with bar("Reports", plan.orders + 1) as done:  # of the order too that a visitor began
            many_orders.reports(site, done)
