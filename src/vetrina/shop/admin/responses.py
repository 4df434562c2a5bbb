"""The response fields of the administration's routes.

Rules: docs/rules/shop_admin.md, 3.
"""

from __future__ import annotations

from typing import Final

from vetrina.rest.fields import Array, Boolean, Field, Integer, Number, Object, String
from vetrina.rest.response_fields import (
    LINKS,
    Either,
    Free,
    Nothing,
    build_map_field,
    build_optional_fields,
    build_text_fields,
)

_NUMBERS: Final = Array(items=Integer())
_TEXTS: Final = Array(items=String())

SUCCESS: Final = Object(properties={"success": Boolean()})

# -- options, features, the app

OPTIONS: Final = Object(
    "Values by name, false for an option that was never set.",
    additional=Free("What the option was set to; each has a shape of its own.", of=()),
)
CHANGED_OPTIONS: Final = Object("By name, whether the value became another one.", additional=Boolean())
VARIATIONS: Final = Object(properties={
    "variations": Object("By experiment.", additional=String("The variation, null for none.", nullable=True)),
    "ttl": Integer("Seconds for which this holds."),
})  # fmt: skip
APP: Final = Array(items=Object(properties={**build_text_fields("slug", "description"), "_links": LINKS}))

# -- onboarding

_STEP: Final = Object(properties={"completed_at": String("When it was done.")})
PROGRESS: Final = build_map_field(build_map_field(_STEP, "By step."), "By part of the setup.")
STEPS: Final = Object(properties={"results": PROGRESS, "status": String("`success`.")})
TASK: Final = Object(properties={
    "id": String(), "parentId": String("The list that it is in."), **build_text_fields("title", "badge", "content"),
    "additionalInfo": String(nullable=True), "actionLabel": String(),
    "actionUrl": String("Where it is done.", nullable=True), "canView": Boolean(), "isComplete": Boolean(),
    "isInProgress": Boolean(), "inProgressLabel": String(), "time": String("How long it takes.", nullable=True),
    "level": Integer(), "isActioned": Boolean("Whether somebody began it."), "isDismissed": Boolean(),
    "isDismissable": Boolean(), "isSnoozed": Boolean(), "isSnoozeable": Boolean(), "isVisited": Boolean(),
    "isDisabled": Boolean(),
    "snoozedUntil": Integer("Milliseconds since 1970, null for a task that is not put off.", unset=(None,)),
    "additionalData": Free("What the task tells besides, by its name.", of=("object", "array", "null")),
    "eventPrefix": String(), "recordViewEvent": Boolean(),
})  # fmt: skip
TASK_LIST: Final = Object(properties={
    **build_text_fields("id", "title"), "isHidden": Boolean(), "isVisible": Boolean(), "isComplete": Boolean(),
    "tasks": Array(items=TASK), "eventPrefix": String(), "displayProgressHeader": Boolean(),
    "keepCompletedTaskList": String("`yes` or `no`."),
})  # fmt: skip
_FAILURE: Final = Object(properties={
    "errors": Object("Sentences by code.", additional=_TEXTS),
    "error_data": Object("By code.", additional=Object(properties={"row": String("Which sample it is.")})),
})  # fmt: skip
SAMPLES: Final = Object("Numbers of products.", properties={
    "imported": _NUMBERS, "imported_variations": _NUMBERS, "failed": Array(items=_FAILURE), "updated": _NUMBERS,
    "skipped": _NUMBERS,
})  # fmt: skip
HOME_PAGE: Final = Object(properties={
    **build_text_fields("status", "message"), "post_id": Integer("Number of the page."), "edit_post_link": String(),
})  # fmt: skip
CREATED_PRODUCT: Final = Object(properties={"id": Integer("Number of the product.")})

# -- suggestions and marketing

PAYMENTS: Final = Array(items=Object(properties={
    **build_text_fields("id", "title", "content", "image", "image_72x72"), "is_visible": Boolean(),
    "recommendation_priority": Integer(),
    **build_optional_fields({
        "plugins": _TEXTS, **build_text_fields("external_link", "description"), "is_offline": Boolean(),
        "category_other": _TEXTS, "category_additional": _TEXTS,
    }),
}))  # fmt: skip
_LAYOUT: Final = Object(properties={
    "image": String(), "features": Array(items=Object(properties=build_text_fields("icon", "title", "description"))),
})  # fmt: skip
PARTNERS: Final = Array(
    items=Object(
        properties={
            **build_text_fields("id", "name", "slug", "description", "learn_more_link"),
            "layout_row": _LAYOUT,
            "layout_column": _LAYOUT,
            "available_layouts": _TEXTS,
            "is_visible": Boolean(),
        }
    )
)
EXTENSIONS: Final = Array(items=Object(properties={
    **build_text_fields("key", "title"),
    "plugins": Array(items=Object(properties={
        **build_text_fields("name", "description", "image_url"), "is_visible": Boolean(), "is_built_by_wc": Boolean(),
        "key": String(), "is_installed": Boolean(), "is_activated": Boolean(),
        **build_optional_fields({
            **build_text_fields("manage_url", "min_cms_version", "label", "learn_more_link"),
            "install_priority": Integer(), "requires_jpc": Boolean("Whether it needs the connector."),
        }),
    })),
}))  # fmt: skip
PRODUCT_TYPES: Final = Object("Kinds of products by name.", additional=Object(properties={
    "label": String(), "default": Boolean(optional=True),
    "product": Integer("Number of the extension that it needs.", optional=True),
}))  # fmt: skip
_NAMED: Final = Array(items=Object(properties=build_text_fields("slug", "name")))
MARKETING_MODULES: Final = Array(
    items=Object(
        properties={
            **build_text_fields("title", "description", "url"),
            "direct_install": Boolean(),
            **build_text_fields("icon", "product", "plugin"),
            "categories": _TEXTS,
            "subcategories": _NAMED,
            "tags": _NAMED,
        }
    )
)
INSTALLED_MODULES: Final = Array(
    items=Object(properties=build_text_fields("slug", "name", "description", "icon", "status"))
)
ARTICLES: Final = Array(items=Object(properties=build_text_fields(
    "title", "date", "link", "author_name", "author_avatar", "image",
)))  # fmt: skip
RECOMMENDATIONS: Final = Array(items=Object(properties=build_text_fields("id", "title", "description", "url", "icon")))
CHANNELS: Final = Array(items=Object(properties={
    "slug": String(), "is_setup_completed": Boolean(),
    **build_text_fields("settings_url", "name", "description", "product_listings_status"), "errors_count": Integer(),
    "icon": String(),
}))  # fmt: skip
_AMOUNT: Final = Either(
    "", (Object(properties=build_text_fields("value", "currency")), Nothing("The channel does not say."))
)
CAMPAIGNS: Final = Array(items=Object(properties={
    **build_text_fields("id", "channel", "title", "manage_url"), "cost": _AMOUNT, "sales": _AMOUNT,
}))  # fmt: skip
CAMPAIGN_KINDS: Final = Array(items=Object(properties={
    **build_text_fields("id", "name", "description"), "channel": Object(properties=build_text_fields("slug", "name")),
    **build_text_fields("create_url", "icon_url"),
}))  # fmt: skip

# -- modules

_ERRORS: Final = Object(properties={
    "errors": build_map_field(_TEXTS, "Sentences by module or code."),
    "error_data": build_map_field(Integer("A status."), "By code."),
})  # fmt: skip
_INSTALL_FIELDS: Final[dict[str, Field]] = {"installed": _TEXTS, "results": build_map_field(Boolean())}
_DETAILS: Final = Object(
    "By module.", additional=Object(properties=build_text_fields("name", "description", "uri", "version"))
)
_OUTCOME_FIELDS: Final[dict[str, Field]] = {"errors": _ERRORS, "success": Boolean(), "message": String()}
_MILLISECONDS: Final = build_map_field(Number(), "Milliseconds that each took.")
_QUEUED_JOB: Final = Object(properties={
    "data": Object(properties={"job_id": String(), "plugins": _TEXTS}), "message": String(),
})  # fmt: skip
MODULES_INSTALLED: Final = Either(
    "What became of it, or the job that does it later.",
    (
        Object(
            properties={
                "data": Object(
                    properties={**_INSTALL_FIELDS, "install_time": _MILLISECONDS, "plugin_details": _DETAILS}
                ),
                **_OUTCOME_FIELDS,
            }
        ),
        _QUEUED_JOB,
    ),
)
MODULES_ACTIVATED: Final = Either(
    "What became of it, or the job that does it later.",
    (
        Object(
            properties={
                "data": Object(properties={"activated": _TEXTS, "active": _TEXTS, "plugin_details": _DETAILS}),
                **_OUTCOME_FIELDS,
            }
        ),
        _QUEUED_JOB,
    ),
)
INSTALL_AND_ACTIVATE: Final = Object(properties={
    "install": Object(properties={**_INSTALL_FIELDS, "errors": _ERRORS, "time": _MILLISECONDS}),
    "activate": Either("What became of it; only errors where nothing was there to activate.", (
        Object(properties={"activated": _TEXTS, "active": _TEXTS, "errors": _ERRORS}), _ERRORS,
    )),
})  # fmt: skip
JOB: Final = Either("", (
    Object(properties={"job_id": String(), "plugins": _TEXTS, "status": String()}), Boolean("False: there is none."),
))  # fmt: skip
JOBS: Final = Array(items=Object(properties={"job_id": String(), "plugins": _TEXTS, "status": String()}))
_STATES: Final = build_map_field(Object(properties={"status": String(), "errors": _TEXTS}), "By module.")
SCHEDULED_JOB: Final = Object(properties={**build_text_fields("job_id", "status"), "plugins": _STATES})
CONNECT: Final = Object(properties={"connectAction": String("Address to go to.")})
CONNECT_URL: Final = Object(properties={"connectUrl": String("Address to go to.")})
AUTHORIZATION_URL: Final = Object(properties={
    "success": Boolean(), "errors": _TEXTS, "color_scheme": String(), "url": String("Address to go to."),
})  # fmt: skip

# -- generated texts and images

STORE_INFO: Final = Object(properties={"is_ai_generated": Boolean()})
GENERATED_CONTENT: Final = Object(properties={"ai_content_generated": Boolean("Whether anything was made.")})
GENERATED_IMAGES: Final = Object(properties={
    "ai_content_generated": Boolean("Whether anything was made."),
    "images": Array("What the provider of images gives.", items=Free("An image, as its provider tells it.", of=())),
})  # fmt: skip
DELETED_CONTENT: Final = Object(properties={"removed": Boolean()})

# -- themes

THEME: Final = Object(properties=build_text_fields("status", "message", "theme", "slug", "name"))
OFFERED_THEMES: Final = Object(
    properties={
        "themes": Array(
            items=Object(
                properties={
                    **build_text_fields("name", "price"),
                    "color_palettes": Array(
                        items=Object(properties=build_text_fields("title", "primary", "secondary"))
                    ),
                    "total_palettes": Integer(),
                    "slug": String(),
                    "is_active": Boolean(),
                    **build_text_fields("thumbnail_url", "link_url"),
                }
            )
        ),
        "_links": Object(properties={"browse_all": Object(properties=build_text_fields("href"))}),
    }
)
