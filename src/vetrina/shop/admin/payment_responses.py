"""The response fields of the payment settings routes.

Not here: the routes (shop/admin/payment_settings_routes.py, shop/admin/payment_onboarding_routes.py).
"""

from __future__ import annotations

from typing import Final

from vetrina.rest.fields import Array, Boolean, Field, Integer, Object, String
from vetrina.rest.response_fields import build_map_field, build_optional_fields, build_text_fields

_HREF: Final = Object(properties={"href": String("Address.")})
_LINKS: Final = build_map_field(_HREF, "By what they do; requests are sent there by `POST`.")
_PLUGIN: Final = Object("The module that it comes with.", properties={
    "_type": String("`module`: part of the software or of a package."), "slug": String(), "file": String(),
    "status": String(enum=("not_installed", "installed", "active")),
})  # fmt: skip
_FACTS: Final = Array("Pages about it.", items=Object(properties=build_text_fields("_type", "url")))
_INCENTIVE: Final = Object("An offer that goes with it.", properties={
    **build_text_fields("id", "promo_id", "title", "description", "short_description", "cta_label", "tc_url", "badge"),
    "_dismissals": Array("Where it was put away.", items=Object(properties={
        "context": String(), "timestamp": Integer("Seconds since 1970."),
    })),
    "_links": _LINKS,
})  # fmt: skip
_TEXT_MEMBERS: Final[dict[str, Field]] = {
    **build_text_fields("id", "title", "description", "image", "icon"), "plugin": _PLUGIN, "links": _FACTS,
    "tags": Array(items=String()), "_links": _LINKS,
}  # fmt: skip
_STATE: Final = Object(properties={
    "enabled": Boolean("Whether customers can choose it."),
    "account_connected": Boolean("Whether it knows where the money goes."),
    "needs_setup": Boolean("Whether something must be set before it works."),
    "test_mode": Boolean("Whether it takes no real money."), "dev_mode": Boolean("Whether it never does."),
})  # fmt: skip
_ONBOARDING_STATE: Final = Object(properties={
    "supported": Boolean(), "started": Boolean(), "completed": Boolean(), "test_mode": Boolean(),
})  # fmt: skip
_PROVIDER: Final = Object(properties=build_optional_fields({
    **_TEXT_MEMBERS, "_order": Integer("Place in the sequence."),
    "_type": String(enum=("gateway", "offline_pm", "offline_pms_group", "suggestion")),
    "supports": Array("What it can do.", items=String()), "state": _STATE,
    "management": Object(properties={"_links": Object(properties={"settings": _HREF})}),
    "onboarding": Object("How it is set up.", properties={
        "type": String("Where: `external`, on a page of its own, or `none`."), "state": _ONBOARDING_STATE,
        "messages": build_map_field(String(), "Why it cannot be, by what."), "_links": _LINKS,
        "recommended_payment_methods": Array("What it could take; only a vendor knows.", max_items=0),
    }),
    "_suggestion_id": String("What the suggestion is called in its routes."), "_incentive": _INCENTIVE,
}))  # fmt: skip
_SUGGESTION: Final = Object(properties={
    **_TEXT_MEMBERS, "_priority": Integer(), "_type": String("Its sort."), "short_description": String(),
    "category": String("One of `suggestion_categories`."), "_incentive": _INCENTIVE.replace(optional=True),
})  # fmt: skip
PROVIDERS: Final = Object(properties={
    "providers": Array("In their order.", items=_PROVIDER),
    "offline_payment_methods": Array("In their order, those of the group.", items=_PROVIDER),
    "suggestions": Array("What stands apart.", items=_SUGGESTION),
    "suggestion_categories": Array(items=Object(properties={
        "id": String(), "_priority": Integer(), **build_text_fields("title", "description"),
    })),
})  # fmt: skip
ELIGIBLE: Final = Object(properties={"is_eligible": Boolean()})

_METHOD: Final = Object(properties={**build_text_fields("id", "title", "description", "icon"), "enabled": Boolean()})
_MISSING: Final = Object("What one gateway still needs.", properties={
    "id": String(), "settings": Array("Names of settings.", items=String()), "_links": _LINKS,
})  # fmt: skip
_STEP: Final = Object(
    properties={
        **build_text_fields("id", "path"),
        "required_steps": Array("Steps that come before it.", items=String()),
        "status": String(enum=("not_started", "started", "completed")),
        "errors": Array(items=String()),
        "actions": build_map_field(Object(properties=build_text_fields("type", "href")), "By what they do."),
        "context": Object(
            properties={
                "recommended_pms": Array(items=_METHOD),
                "pms_state": build_map_field(Boolean(), "By way of paying, whether it is on."),
                "missing": Array(items=_MISSING),
            }
        ),
    }
)
ONBOARDING: Final = Object(properties={
    "state": _ONBOARDING_STATE, "messages": build_map_field(String()), "steps": Array(items=_STEP),
    "context": Object(properties={"urls": build_map_field(String(), "Pages, by what they are.")}),
})  # fmt: skip
STEP_STATE: Final = Object(properties={"status": String(), "error": Array(items=String())})
