"""The tasks of setting up a shop as one table: in which list each is, when it is seen, when it is done.

Not here: what callers do to them (shop/admin/tasks.py). Rules: facts, "Task lists".
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import bindparam, exists, select

from vetrina.backends.database import Statement
from vetrina.backends.tables.catalogue import shop_meta
from vetrina.backends.tables.core import record
from vetrina.core.unit_of_work import Work
from vetrina.shop.admin import coming_soon, onboarding_profile, store_location
from vetrina.shop.admin import modules as admin_modules
from vetrina.shop.payments import gateways
from vetrina.shop.products.product_types import PRODUCT
from vetrina.shop.shipping import zones as shipping_zones
from vetrina.shop.taxes import rates as tax_rates

__all__ = ["ACTIONED", "LISTS", "SAMPLE", "TASKS", "TRACKED", "Task", "TaskList", "names"]

SAMPLE: Final = "_sample"  # extra field of the products that were made as samples
TRACKED: Final = "shop_task_list_tracked_completed_tasks"
ACTIONED: Final = "shop_task_list_tracked_completed_actions"

Question = Callable[[Work], bool]


def _codes(written: str) -> list[str]:
    return written.split()


_SHIPPING: Final = frozenset(_codes("CA AU NZ SG HK GB ES IT DE FR CL AR PE BR UY GT NL AT BE"))
_PAYMENTS: Final = "shop-payments"
_MARKETING: Final = (
    "google-listings-and-ads", "mailchimp-for-shop", "facebook-for-shop", "pinterest-for-shop", "mailpoet", "klaviyo",
)  # fmt: skip
_TAX_COUNTRIES: Final = {
    "shopTaxCountries": _codes(
        "US CA AU GB AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK"
    ),
    "stripeTaxCountries": _codes(
        "AU AT BE BG CA HR CY CZ DK EE FI FR DE GR HK HU IE IT JP LV LT LU MT NL NZ NO PL PT RO SG SK SI ES SE CH "
        "AE GB US"
    ),
}
_TAX_SERVICES: Final = {
    "avalaraActivated": "shop-avatax", "taxJarActivated": "taxjar-simplified-taxes-for-shop",
    "stripeTaxActivated": "stripe-tax-for-shop", "shopTaxActivated": "shop-tax",
    "shopShippingActivated": "shop-shipping",
}  # fmt: skip

_OWN_PRODUCT = Statement(
    select(record.c.id)
    .where(
        record.c.type == bindparam("type"),
        record.c.status == "publish",
        ~exists().where(
            shop_meta.c.kind == "product", shop_meta.c.name == bindparam("sample"), shop_meta.c.owner == record.c.id
        ),
    )
    .limit(1)
)


@dataclass(frozen=True, slots=True)
class TaskList:
    """A list of tasks. prefix: of the names of its events. header: whether its progress is shown."""

    id: str
    title: str
    prefix: str
    header: bool = False
    seen: bool = True


@dataclass(frozen=True, slots=True)
class Task:
    """A task. page: where it is done, empty for where its list is, None where the client knows.
    remains: whether a list that is hidden names it still."""

    id: str
    list: str
    title: str
    done: Question
    content: str = ""
    time: str = ""
    page: str | None = None
    in_progress: str = "In progress"
    seen: Question = lambda work: True
    more: Callable[[Work], dict[str, Any]] | None = None
    remains: bool = False


LISTS: Final[Mapping[str, TaskList]] = {
    one.id: one
    for one in (
        TaskList("setup", "Get ready to start selling", "tasklist_", header=True),
        TaskList("extended", "Things to do next", "extended_tasklist_"),
        TaskList("secret_tasklist", "", "secret_tasklist_", seen=False),
    )
}


def names(work: Work, option: str) -> list[str]:
    """Return the names that an option lists; one that holds anything else lists none."""
    stored = work.stored_option(option)
    return [one for one in stored if isinstance(one, str)] if isinstance(stored, list) else []


# -- when a task is done, and when it is seen


def _has_products(work: Work) -> bool:
    work.uses(PRODUCT.name)
    own = work.tx.value(_OWN_PRODUCT, type=PRODUCT.name, sample=SAMPLE)
    return own is not None or "products" in names(work, TRACKED)


def _takes_money(work: Work) -> bool:
    return any(one.enabled for one in gateways.listed(work))


def _taxed(work: Work) -> bool:
    if work.stored_option("shop_no_sales_tax") is not None:
        return True
    active = admin_modules.active(work)
    if any(slug in active for slug in _TAX_SERVICES.values()):
        return True
    return tax_rates.page(work, orderby="id", order="asc", tax_class=None, per_page=1, start=0)[1] > 0


def _sends(work: Work) -> bool:
    # The zone of everywhere else is always there and does not count.
    return any(zone.id for zone in shipping_zones.listed(work))


def _needs_shipping(work: Work) -> bool:
    if work.stored_option("shop_admin_created_default_shipping_zones") == "yes":
        return False
    if onboarding_profile.stored(work).get("product_types") == ["downloads"]:
        return False
    place = store_location.country(work)
    return not place or place in _SHIPPING


def _markets(work: Work) -> bool:
    return any(slug in admin_modules.active(work) for slug in _MARKETING)


def _payments(work: Work) -> dict[str, Any]:
    active = _PAYMENTS in admin_modules.active(work)
    on = _takes_money(work)
    return {
        "wooPaymentsIsActive": active,
        "wooPaymentsIsInstalled": _PAYMENTS in admin_modules.installed(work),
        "wooPaymentsSettingsCountryIsSupported": True,
        "wooPaymentsIsOnboarded": False,
        "wooPaymentsHasTestAccount": False,
        "wooPaymentsHasOtherProvidersEnabled": on,
        "wooPaymentsHasOtherProvidersNeedSetup": not on,
        "wooPaymentsHasOnlineGatewaysEnabled": False,
    }


def _taxes(work: Work) -> dict[str, Any]:
    active = admin_modules.active(work)
    return {**{name: slug in active for name, slug in _TAX_SERVICES.items()}, **_TAX_COUNTRIES}


def _is(option: str, value: str) -> Question:
    return lambda work: work.stored_option(option) == value


TASKS: Final[Mapping[str, Task]] = {
    one.id: one
    for one in (
        Task(
            "products", "setup", "Add your products", _has_products,
            content="Enter products by hand, bring them from a file, or begin with one of our templates.",
            time="1 minute per product", more=lambda work: {"hasProducts": _has_products(work)}, remains=True,
        ),
        Task(
            "payments", "setup", "Set up payments", _takes_money,
            content="Choose how your customers pay, and switch it on at the checkout.", time="5 minutes",
            page="page=shop-settings&tab=checkout&from=WCADMIN_PAYMENT_TASK", in_progress="Test account",
            more=_payments,
        ),
        Task(
            "customize-store", "setup", "Customize your store ", _is("shop_admin_customize_store_completed", "yes"),
            page="page=shop-admin&path=%2Fcustomize-store",
        ),
        Task(
            "tax", "setup", "Collect sales tax", _taxed,
            content="Say where the shop is and which taxes its customers pay.", time="1 minute", more=_taxes,
        ),
        Task(
            "shipping", "setup", "Select your shipping options", _sends,
            content="Say where the shop is, where you send to, and what that costs.", time="1 minute",
            seen=_needs_shipping,
        ),
        Task(
            "launch-your-store", "setup", "Launch your store", lambda work: not coming_soon.is_on(work),
            content="Everything is ready: look at the shop once more, then open it for everybody.",
            page="page=shop-admin&path=%2Flaunch-your-store",
        ),
        Task(
            "marketing", "extended", "Grow your business", _markets,
            content="Add a tool that brings new customers to the shop.", time="2 minutes",
        ),
        Task(
            "extend-store", "extended", "Add more to the shop", lambda work: "extend-store" in names(work, ACTIONED),
            page="page=shop-admin&path=/extensions",
        ),
        Task(
            "get-mobile-app", "extended", "Run the shop from a phone",
            _is("shop_admin_dismissed_mobile_app_modal", "yes"), page="page=shop-admin&mobileAppModal=true",
            seen=lambda work: work.user.can("install_plugins"),
        ),
        Task(
            "shipping-recommendation", "secret_tasklist", "Get your products shipped",
            lambda work: "shop-shipping" in admin_modules.active(work), page="",
        ),
    )
}  # fmt: skip
