"""Routes of the onboarding profile and its completed steps.

Not here: what is stored (shop/admin/onboarding_profile.py). Rules: docs/rules/onboarding.md, 1, 2 and 4.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from vetrina.core.call import Call
from vetrina.core.site_context import SiteContext
from vetrina.kernel.email_addresses import is_email_address
from vetrina.kernel.errors import Fault, InvalidParam
from vetrina.rest import coercion
from vetrina.rest.call import Result
from vetrina.rest.field_selection import parse_field_selection, select_fields
from vetrina.rest.fields import VIEW, Array, Boolean, Field, Object, String
from vetrina.rest.response_fields import Nothing, build_optional_fields
from vetrina.rest.route import CHANGE, READ, WRITE, Route
from vetrina.rest.serializer import Serializer
from vetrina.shop.admin import onboarding_profile, permissions as admin_permissions, responses as admin_responses
from vetrina.shop.admin.onboarding_profile import (
    EMPLOYEES,
    OPTIONAL_MEMBERS,
    PLATFORMS,
    PRODUCT_COUNTS,
    PRODUCT_KINDS,
    PROFILE_MEMBERS,
    REVENUES,
    STEPS,
    VENUES,
    UnknownCountryCode,
)

_PATH: Final = "/shop-admin/onboarding/profile"


def _find_email_fault(value: Any, name: str, context: Any) -> Fault | None:
    """Return a fault for an invalid e-mail address; it may be empty unless marketing mail is wanted."""
    wanted = coercion.coerce_boolean(context.raw.get("is_agree_marketing")) is True
    if not wanted and value == "":
        return None
    if isinstance(value, str) and is_email_address(value):
        return None
    return Fault("rest_invalid_email", "This is no email address.")


def _find_texts_fault(value: Any, name: str, context: Any) -> Fault | None:
    """Return a fault for a list of other than texts; it may contain nulls, and a single value is a list of one."""
    values = value if isinstance(value, list) else [value]
    if any(isinstance(one, list | dict) for one in values):
        return coercion.build_type_fault(f"{name}[0]", "string")
    return None


_PROFILE_FIELDS: Final[dict[str, Field]] = {
    "completed": Boolean("Whether the setup is done."),
    "skipped": Boolean("Whether it was passed over."),
    "industry": Array("What the shop deals in.", items=String()),
    "business_extensions": Array("Extensions to add.", items=String()),
    "is_agree_marketing": Boolean("Whether the owner wants news."),
    "store_email": String("Where the owner gets them.", check=_find_email_fault, alone=True),
    "is_store_country_set": Boolean("Whether the country of the shop is said."),
    "is_plugins_page_skipped": Boolean("Whether the extensions were passed over."),
    "business_choice": String("Where the owner begins."),
    "selling_online_answer": String("Whether the owner sells elsewhere."),
    "selling_platforms": Array(
        "Where the owner sells already.", items=String(nullable=True), null="null", check=_find_texts_fault, alone=True,
        extra={"type": ["array", "null"]},
    ),
}  # fmt: skip
_EXTRA_FIELDS: Final[dict[str, Field]] = {
    "setup_client": Boolean("Whether the shop is set up for somebody else."),
    "shopcom_connected": Boolean("Whether the site is connected to the marketplace."),
    "product_types": Array("What is sold.", items=String(enum=tuple(PRODUCT_KINDS))),
    "product_count": String("How many products there are.", enum=PRODUCT_COUNTS),
    "selling_venues": String("Where else the owner sells.", enum=VENUES),
    "number_employees": String("How many people work there.", enum=EMPLOYEES),
    "revenue": String("What the shop takes in a year.", enum=REVENUES),
    "other_platform": String("What the owner sells with elsewhere.", enum=PLATFORMS),
    "other_platform_name": String("Its name, for another one."),
    "theme": String("How the shop is to look."),
    "core_profiler_completed_steps": Array("Steps that are done.", items=Object()),
}


def _build_member_getter(name: str) -> Callable[[Any, Any], Any]:
    return lambda told, work: told[name]


_SERIALIZER: Final = Serializer(
    {
        **{
            name: field.replace(context=(VIEW,), readonly=True, unset=(None,))
            for name, field in _PROFILE_FIELDS.items()
        },
        "shopcom_connected": Boolean("Whether the site is connected.", context=(VIEW,), readonly=True),
    },
    {name: _build_member_getter(name) for name in (*PROFILE_MEMBERS, "shopcom_connected")},
)
_RARE_FIELDS: Final = build_optional_fields({name: _EXTRA_FIELDS[name] for name in OPTIONAL_MEMBERS}, None)
_MESSAGE: Final = Object(properties={"status": String(), "message": String()})


def build_routes(site: SiteContext) -> tuple[Route, ...]:
    """Return the routes of the profile and of its progress."""
    context = String("What is shown.", enum=(VIEW,), default=VIEW)
    step = String("The step that is done.", enum=STEPS, required=True)
    country = String("Code of the country.", required=True)
    return (
        Route(
            READ, _PATH, _read_profile, {"context": context}, admin_permissions.require_view_permission,
            _build_profile_schema, response_fields=_RARE_FIELDS,
        ),
        Route(
            CHANGE, _PATH, _update_profile, {**_PROFILE_FIELDS, **_EXTRA_FIELDS}, _require_profile_update_permission,
            _build_profile_schema, answers=_MESSAGE,
        ),
        Route(
            READ, f"{_PATH}/experimental_get_email_prefill", _suggest_email, {},
            admin_permissions.require_view_permission, _build_profile_schema,
            answers=Object(properties={"email": String()}),
        ),
        Route(
            READ, f"{_PATH}/progress", _read_progress, {}, admin_permissions.require_view_permission,
            answers=admin_responses.PROGRESS,
        ),
        Route(
            CHANGE, f"{_PATH}/progress/core-profiler/complete", _complete_step, {"step": step},
            admin_permissions.require_view_permission, answers=admin_responses.STEPS,
        ),
        Route(
            WRITE, f"{_PATH}/update-store-currency-and-measurement-units", _apply_country_defaults,
            {"country_code": country}, admin_permissions.require_view_permission, errors=(UnknownCountryCode,),
            answers=Nothing(), status=204,
        ),
    )  # fmt: skip


def _build_profile_schema() -> dict[str, Any]:
    return _SERIALIZER.schema("onboarding_profile")


def _require_profile_update_permission(call: Call) -> None:
    """Those who run the shop (`manage_shop`)."""
    # Elsewhere a null empties a list; the shop's product types must not be cleared by accident.
    if "industry" in call.raw and call.raw["industry"] is None:
        raise InvalidParam({"industry": coercion.build_type_fault("industry", "array")})
    admin_permissions.require_view_permission(call)


def _read_profile(call: Call) -> Result:
    """Read the onboarding profile of the shop."""
    profile, wanted = (
        onboarding_profile.serialize_profile(call.work),
        parse_field_selection(call.request.raw("_fields")),
    )
    rarer = {name: profile[name] for name in OPTIONAL_MEMBERS if name in profile}
    usual = _SERIALIZER.serialize(profile, call.work, VIEW, wanted)
    return Result({**usual, **(rarer if wanted is None else select_fields(rarer, wanted.tree))})


def _update_profile(call: Call) -> Result:
    """Change the onboarding profile of the shop; members that are not sent stay unchanged."""
    given = {
        name: call.args[name] for name in call.args.given_names if name in _PROFILE_FIELDS or name in _EXTRA_FIELDS
    }
    if "selling_platforms" in given:
        raw = call.raw["selling_platforms"]
        if raw is not None:
            values = raw if isinstance(raw, list) else [raw]
            given["selling_platforms"] = [None if one is None else _format_text(one) for one in values]
    onboarding_profile.update_profile(call.work, given)
    return Result({"status": "success", "message": "What you said about the shop is kept."})


def _format_text(value: Any) -> str:
    return ("1" if value else "") if isinstance(value, bool) else str(value)


def _suggest_email(call: Call) -> Result:
    """Suggest an e-mail address for mails to the shop."""
    return Result({"email": onboarding_profile.get_caller_email(call.work)})


def _read_progress(call: Call) -> Result:
    """List the completed steps of the onboarding."""
    return Result(onboarding_profile.load_progress(call.work))


def _complete_step(call: Call) -> Result:
    """Mark a step of the onboarding as completed."""
    return Result({"results": onboarding_profile.complete_step(call.work, call.args["step"]), "status": "success"})


def _apply_country_defaults(call: Call) -> Result:
    """Set currency and units of measurement to those of a country."""
    onboarding_profile.apply_country_defaults(call.work, call.args["country_code"])
    return Result(None, status=204)
