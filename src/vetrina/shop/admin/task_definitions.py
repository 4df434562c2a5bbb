"""The onboarding tasks as one table: the list of each, when it is visible, when it is done.

Not here: changes by clients (shop/admin/tasks.py). Rules: docs/rules/onboarding.md, 7.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import bindparam, exists, select

from vetrina.backends.database import Statement
from vetrina.backends.tables.catalogue import shop_meta
from vetrina.backends.tables.records import record
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.shop.admin import coming_soon, modules as admin_modules, onboarding_profile, store_location
from vetrina.shop.payments import gateways
from vetrina.shop.products.product_types import PRODUCT
from vetrina.shop.shipping import zones as shipping_zones
from vetrina.shop.taxes import rate_store as tax_rates
from vetrina.shop.taxes.rate_store import TaxRateQuery

SAMPLE_KEY: Final = "_sample"  # meta key of the sample products
TRACKED_OPTION: Final = "shop_task_list_tracked_completed_tasks"
ACTIONED_OPTION: Final = "shop_task_list_tracked_completed_actions"

TaskCondition = Callable[[UnitOfWork], bool]


def _split_codes(text: str) -> list[str]:
    return text.split()


_SHIPPING: Final = frozenset(_split_codes("CA AU NZ SG HK GB ES IT DE FR CL AR PE BR UY GT NL AT BE"))
_PAYMENTS: Final = "shop-payments"
_MARKETING: Final = (
    "google-listings-and-ads", "mailchimp-for-shop", "facebook-for-shop", "pinterest-for-shop", "mailpoet", "klaviyo",
)  # fmt: skip
_TAX_COUNTRIES: Final = {
    "shopTaxCountries": _split_codes(
        "US CA AU GB AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK"
    ),
    "stripeTaxCountries": _split_codes(
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
class OnboardingTaskList:
    """A list of tasks. prefix: of the names of its events. header: whether its progress is displayed."""

    id: str
    title: str
    prefix: str
    header: bool = False
    is_visible: bool = True


@dataclass(frozen=True, slots=True)
class OnboardingTask:
    """A task. page: where it is done, empty for the page of its list, None where the client knows.

    remains: whether a hidden list still names it.
    """

    id: str
    list: str
    title: str
    is_done: TaskCondition
    content: str = ""
    time: str = ""
    page: str | None = None
    in_progress: str = "In progress"
    is_visible: TaskCondition = lambda work: True
    build_details: Callable[[UnitOfWork], dict[str, Any]] | None = None
    remains: bool = False


TASK_LISTS: Final[Mapping[str, OnboardingTaskList]] = {
    one.id: one
    for one in (
        OnboardingTaskList("setup", "Get ready to start selling", "tasklist_", header=True),
        OnboardingTaskList("extended", "Things to do next", "extended_tasklist_"),
        OnboardingTaskList("secret_tasklist", "", "secret_tasklist_", is_visible=False),
    )
}


def load_names(work: UnitOfWork, option: str) -> list[str]:
    """Return the names in a list option; none where it holds anything else."""
    stored = work.stored_option(option)
    return [one for one in stored if isinstance(one, str)] if isinstance(stored, list) else []


# -- when a task is done, and when it is visible


def _has_products(work: UnitOfWork) -> bool:
    work.uses(PRODUCT.name)
    own = work.tx.value(_OWN_PRODUCT, type=PRODUCT.name, sample=SAMPLE_KEY)
    return own is not None or "products" in load_names(work, TRACKED_OPTION)


def _has_enabled_gateway(work: UnitOfWork) -> bool:
    return any(one.enabled for one in gateways.list_gateways(work))


def _has_tax_setup(work: UnitOfWork) -> bool:
    if work.stored_option("shop_no_sales_tax") is not None:
        return True
    active = admin_modules.list_active_modules(work)
    if any(slug in active for slug in _TAX_SERVICES.values()):
        return True
    return tax_rates.list_tax_rates(work, TaxRateQuery(limit=1))[1] > 0


def _has_shipping_zone(work: UnitOfWork) -> bool:
    # The zone for the rest of the world always exists and does not count.
    return any(zone.id for zone in shipping_zones.list_zones(work))


def _needs_shipping(work: UnitOfWork) -> bool:
    if work.stored_option("shop_admin_created_default_shipping_zones") == "yes":
        return False
    if onboarding_profile.load_profile(work).get("product_types") == ["downloads"]:
        return False
    place = store_location.get_store_country(work)
    return not place or place in _SHIPPING


def _has_marketing_tool(work: UnitOfWork) -> bool:
    return any(slug in admin_modules.list_active_modules(work) for slug in _MARKETING)


def _build_payment_details(work: UnitOfWork) -> dict[str, Any]:
    active = _PAYMENTS in admin_modules.list_active_modules(work)
    on = _has_enabled_gateway(work)
    return {
        "wooPaymentsIsActive": active,
        "wooPaymentsIsInstalled": _PAYMENTS in admin_modules.list_installed_modules(work),
        "wooPaymentsSettingsCountryIsSupported": True,
        "wooPaymentsIsOnboarded": False,
        "wooPaymentsHasTestAccount": False,
        "wooPaymentsHasOtherProvidersEnabled": on,
        "wooPaymentsHasOtherProvidersNeedSetup": not on,
        "wooPaymentsHasOnlineGatewaysEnabled": False,
    }


def _build_tax_details(work: UnitOfWork) -> dict[str, Any]:
    active = admin_modules.list_active_modules(work)
    return {**{name: slug in active for name, slug in _TAX_SERVICES.items()}, **_TAX_COUNTRIES}


def _build_option_condition(option: str, value: str) -> TaskCondition:
    return lambda work: work.stored_option(option) == value


ONBOARDING_TASKS: Final[Mapping[str, OnboardingTask]] = {
    one.id: one
    for one in (
        OnboardingTask(
            "products", "setup", "Add your products", _has_products,
            content="Enter products by hand, bring them from a file, or begin with one of our templates.",
            time="1 minute per product", build_details=lambda work: {"hasProducts": _has_products(work)}, remains=True,
        ),
        OnboardingTask(
            "payments", "setup", "Set up payments", _has_enabled_gateway,
            content="Choose how your customers pay, and switch it on at the checkout.", time="5 minutes",
            page="page=shop-settings&tab=checkout&from=WCADMIN_PAYMENT_TASK", in_progress="Test account",
            build_details=_build_payment_details,
        ),
        OnboardingTask(
            "customize-store", "setup", "Customize your store ",
            _build_option_condition("shop_admin_customize_store_completed", "yes"),
            page="page=shop-admin&path=%2Fcustomize-store",
        ),
        OnboardingTask(
            "tax", "setup", "Collect sales tax", _has_tax_setup,
            content="Say where the shop is and which taxes its customers pay.", time="1 minute",
            build_details=_build_tax_details,
        ),
        OnboardingTask(
            "shipping", "setup", "Select your shipping options", _has_shipping_zone,
            content="Say where the shop is, where you send to, and what that costs.", time="1 minute",
            is_visible=_needs_shipping,
        ),
        OnboardingTask(
            "launch-your-store", "setup", "Launch your store", lambda work: not coming_soon.is_coming_soon(work),
            content="Everything is ready: look at the shop once more, then open it for everybody.",
            page="page=shop-admin&path=%2Flaunch-your-store",
        ),
        OnboardingTask(
            "marketing", "extended", "Grow your business", _has_marketing_tool,
            content="Add a tool that brings new customers to the shop.", time="2 minutes",
        ),
        OnboardingTask(
            "extend-store", "extended", "Add more to the shop",
            lambda work: "extend-store" in load_names(work, ACTIONED_OPTION), page="page=shop-admin&path=/extensions",
        ),
        OnboardingTask(
            "get-mobile-app", "extended", "Run the shop from a phone",
            _build_option_condition("shop_admin_dismissed_mobile_app_modal", "yes"),
            page="page=shop-admin&mobileAppModal=true", is_visible=lambda work: work.user.can("install_plugins"),
        ),
        OnboardingTask(
            "shipping-recommendation", "secret_tasklist", "Get your products shipped",
            lambda work: "shop-shipping" in admin_modules.list_active_modules(work), page="",
        ),
    )
}  # fmt: skip
