"""The profile of the one who sets up the shop, and which steps are done.

Not here: what is kept (shop/admin/onboarding_profile.py). Rules: facts, "Onboarding profile"; interface.md, the
members that a client may write.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from vetrina.core.unit_of_work import Frame
from vetrina.kernel.errors import Fault, InvalidParam
from vetrina.rest import coercion
from vetrina.rest.call import Call, Result
from vetrina.rest.fields import VIEW, Array, Boolean, Field, Object, String
from vetrina.rest.response_fields import Nothing
from vetrina.rest.route import CHANGE, READ, WRITE, Route
from vetrina.rest.serializer import Shape, choice, chosen
from vetrina.shop.admin import onboarding_profile
from vetrina.shop.admin import permissions as admin_permissions
from vetrina.shop.admin import responses as admin_responses
from vetrina.shop.admin.onboarding_profile import SHOWN, SHOWN_ONCE_SAID, STEPS, CountryUnknown

__all__ = ["routes"]

_PATH: Final = "/shop-admin/onboarding/profile"
_PRODUCT_TYPES: Final = (
    "physical", "downloads", "subscriptions", "memberships", "bookings", "product-bundles", "product-add-ons",
)  # fmt: skip
_PRODUCT_COUNTS: Final = ("0", "1-10", "11-100", "101-1000", "1000+")
_VENUES: Final = ("no", "other", "brick-mortar", "brick-mortar-other", "other-shop")
_EMPLOYEES: Final = ("1", "<10", "10-50", "50-250", "+250", "not specified")
_REVENUES: Final = (
    "none", "up-to-2500", "2500-10000", "10000-50000", "50000-250000", "more-than-250000", "rather-not-say",
)  # fmt: skip
_PLATFORMS: Final = (
    "shopify", "bigcommerce", "magento", "wix", "amazon", "ebay", "etsy", "squarespace", "other",
)  # fmt: skip


def _good_address(value: Any, name: str, asked: Any) -> Fault | None:
    """An address that is none may stay empty, unless news are wanted at it."""
    wanted = coercion.boolean(asked.raw.get("is_agree_marketing")) is True
    if not wanted and value == "":
        return None
    if isinstance(value, str) and coercion.string_fault(value, name, (), "email", "", None, None) is None:
        return None
    return Fault("rest_invalid_email", "This is no email address.")


def _texts(value: Any, name: str, asked: Any) -> Fault | None:
    """A list may hold nulls, and a lone value is a list of one."""
    values = value if isinstance(value, list) else [value]
    if any(isinstance(one, list | dict) for one in values):
        return coercion.wrong_type(f"{name}[0]", "string")
    return None


_PROFILE: Final[dict[str, Field]] = {
    "completed": Boolean("Whether the setup is done."),
    "skipped": Boolean("Whether it was passed over."),
    "industry": Array("What the shop deals in.", items=String()),
    "business_extensions": Array("Extensions to add.", items=String()),
    "is_agree_marketing": Boolean("Whether the owner wants news."),
    "store_email": String("Where the owner gets them.", check=_good_address, alone=True),
    "is_store_country_set": Boolean("Whether the country of the shop is said."),
    "is_plugins_page_skipped": Boolean("Whether the extensions were passed over."),
    "business_choice": String("Where the owner begins."),
    "selling_online_answer": String("Whether the owner sells elsewhere."),
    "selling_platforms": Array(
        "Where the owner sells already.", items=String(nullable=True), null="null", check=_texts, alone=True,
        extra={"type": ["array", "null"]},
    ),
}  # fmt: skip
_FURTHER: Final[dict[str, Field]] = {
    "setup_client": Boolean("Whether the shop is set up for somebody else."),
    "shopcom_connected": Boolean("Whether the site is connected to the marketplace."),
    "product_types": Array("What is sold.", items=String(enum=_PRODUCT_TYPES)),
    "product_count": String("How many products there are.", enum=_PRODUCT_COUNTS),
    "selling_venues": String("Where else the owner sells.", enum=_VENUES),
    "number_employees": String("How many people work there.", enum=_EMPLOYEES),
    "revenue": String("What the shop takes in a year.", enum=_REVENUES),
    "other_platform": String("What the owner sells with elsewhere.", enum=_PLATFORMS),
    "other_platform_name": String("Its name, for another one."),
    "theme": String("How the shop is to look."),
    "core_profiler_completed_steps": Array("Steps that are done.", items=Object()),
}


def _member(name: str) -> Callable[[Any, Any], Any]:
    return lambda told, work: told[name]


_SHAPE: Final = Shape(
    {
        **{name: field.but(context=(VIEW,), readonly=True) for name, field in _PROFILE.items()},
        "shopcom_connected": Boolean("Whether the site is connected.", context=(VIEW,), readonly=True),
    },
    {name: _member(name) for name in (*SHOWN, "shopcom_connected")},
)
_RARER: Final = {name: _FURTHER[name] for name in SHOWN_ONCE_SAID}
_SAID: Final = Object(properties={"status": String(), "message": String()})


def routes(frame: Frame) -> tuple[Route, ...]:
    """Return the routes of the profile and of its progress."""
    context = String("What is shown.", enum=(VIEW,), default=VIEW)
    step = String("The step that is done.", enum=STEPS, required=True)
    country = String("Code of the country.", required=True)
    return (
        Route(READ, _PATH, _read, {"context": context}, admin_permissions.viewing, _schema, shows=_RARER),
        Route(CHANGE, _PATH, _change, {**_PROFILE, **_FURTHER}, _may_change, _schema, answers=_SAID),
        Route(
            READ, f"{_PATH}/experimental_get_email_prefill", _email, {}, admin_permissions.viewing, _schema,
            answers=Object(properties={"email": String()}),
        ),
        Route(READ, f"{_PATH}/progress", _progress, {}, admin_permissions.viewing, answers=admin_responses.PROGRESS),
        Route(
            CHANGE, f"{_PATH}/progress/core-profiler/complete", _complete, {"step": step}, admin_permissions.viewing,
            answers=admin_responses.STEPS,
        ),
        Route(
            WRITE, f"{_PATH}/update-store-currency-and-measurement-units", _follow, {"country_code": country},
            admin_permissions.viewing, errors=(CountryUnknown,), answers=Nothing(), status=204,
        ),
    )  # fmt: skip


def _schema() -> dict[str, Any]:
    return _SHAPE.schema("onboarding_profile")


def _may_change(call: Call) -> None:
    """Those who run the shop (`manage_shop`)."""
    # Elsewhere a null empties a list; what the shop deals in is not taken back by accident.
    if "industry" in call.raw and call.raw["industry"] is None:
        raise InvalidParam({"industry": coercion.wrong_type("industry", "array")})
    admin_permissions.viewing(call)


def _read(call: Call) -> Result:
    """Read what the shop has told about its business."""
    told, wanted = onboarding_profile.read(call.work), choice(call.request.raw("_fields"))
    rarer = {name: told[name] for name in SHOWN_ONCE_SAID if name in told}
    usual = _SHAPE.members(told, call.work, VIEW, wanted)
    return Result({**usual, **(rarer if wanted is None else chosen(rarer, wanted.tree))})


def _change(call: Call) -> Result:
    """Change what the shop tells about its business; what is not sent stays."""
    given = {name: call.args[name] for name in call.args.given if name in _PROFILE or name in _FURTHER}
    if "selling_platforms" in given:
        raw = call.raw["selling_platforms"]
        if raw is not None:
            values = raw if isinstance(raw, list) else [raw]
            given["selling_platforms"] = [None if one is None else _text(one) for one in values]
    onboarding_profile.change(call.work, given)
    return Result({"status": "success", "message": "What you said about the shop is kept."})


def _text(value: Any) -> str:
    return ("1" if value else "") if isinstance(value, bool) else str(value)


def _email(call: Call) -> Result:
    """Suggest the address for mails to the shop."""
    return Result({"email": onboarding_profile.email(call.work)})


def _progress(call: Call) -> Result:
    """Tell which steps of the first set-up are done."""
    return Result(onboarding_profile.progress(call.work))


def _complete(call: Call) -> Result:
    """Mark a step of the first set-up as done."""
    return Result({"results": onboarding_profile.complete(call.work, call.args["step"]), "status": "success"})


def _follow(call: Call) -> Result:
    """Take currency and units of measurement from a country."""
    onboarding_profile.follow_country(call.work, call.args["country_code"])
    return Result(None, status=204)
