"""Response schemas of the connector's routes.

Rules: docs/rules/connector.md, 8 and 9, docs/rules/connector_sync.md, 8 and docs/rules/connector_tables.md, 1.
"""

from __future__ import annotations

from typing import Final

from vetrina.rest.fields import AnyOf, Array, Boolean, Integer, Number, Object, String
from vetrina.rest.response_fields import Either, Free, Nothing, build_map_field, build_optional_fields


def _build_word_object(*names: str) -> Object:
    return Object(properties={name: String() for name in names})


def _build_switch_object(*names: str) -> Object:
    return Object(properties={name: Boolean() for name in names})


# -- the connection

CODE: Final = Object(properties={"code": String("`success`.")})
STATUS: Final = Object(properties={"status": String("`success`.")})
SUCCESS: Final = Object(properties={"success": Boolean()})
STATE: Final = Object(properties={
    "isActive": Boolean("Whether the connection has an owner."), "isStaging": Boolean("Whether the site is a copy."),
    "isRegistered": Boolean(), "isUserConnected": Boolean("Whether the caller's account is."),
    "hasConnectedOwner": Boolean(), "isPublic": Boolean("Whether search engines may list the site."),
    "offlineMode": _build_switch_object("isActive", "constant", "url", "filter", "wpLocalConstant", "option"),
})  # fmt: skip
_MISMATCH: Final = Object(properties={
    "type": String(), "message": String(), "details": _build_word_object("site_email", "wpcom_email"),
})  # fmt: skip
_ACCOUNT: Final = Object("The caller's account at the service, as the service tells it.", properties={
    "ID": AnyOf("Its number.", (Integer(), String())), "login": String(), "email": String(), "display_name": String(),
    "text_direction": String(), "site_count": AnyOf("", (Integer(), String())), "user_locale": String(),
    "avatar": AnyOf("Address of a picture, false for none.", (String(), Boolean())),
})  # fmt: skip
CONNECTION_DATA: Final = Object(properties={
    "currentUser": Object(properties={
        "isConnected": Boolean(), "isMaster": Boolean("Whether he owns the connection."), "username": String(),
        "id": Integer(), "blogId": AnyOf("Number of the site at the service, false for none.", (Integer(), Boolean())),
        "wpcomUser": _ACCOUNT, "gravatar": String(),
        "permissions": _build_switch_object("connect", "connect_user", "unlink_user", "disconnect", "manage_options"),
        "possibleAccountErrors": build_map_field(_MISMATCH, "What may be wrong, by its name."),
    }),
    "connectionOwner": String("Name of the owner.", nullable=True), "isRegistered": Boolean(),
})  # fmt: skip
PLUGINS: Final = Array("Plugins that use the connection.", items=_build_word_object("name", "slug"))
RECONNECTED: Final = Object(properties={
    "status": String("`completed`, or `in_progress` where an account has to authorise itself."),
    "authorizeUrl": String("Where it does."),
})  # fmt: skip
REGISTERED: Final = _build_word_object("authorizeUrl", "alternateAuthorizeUrl")
AUTHORIZE: Final = _build_word_object("authorizeUrl")
ADDRESS: Final = String("Where the account authorises itself.")
HEARTBEAT: Final = build_map_field(
    Either("", (Array(items=String()), Object(additional=String()))), "Figures by name, each after the prefix."
)

# -- the handshake

SECRET: Final = String("The second secret of the pair.")
IS_SO: Final = Boolean("Whether it is so.")
RESULT: Final = Object(properties={"result": String("`authorized` for the owner, `linked` for others.")})
CLIENT: Final = Object(properties={"client_id": Integer("Number of the site at the service.")})
PROVISION: Final = Object(properties={
    "jp_version": String(), "redirect_uri": String(), "user_id": Integer(), "user_email": String(),
    "user_login": String(), "scope": AnyOf("False for an account without a role.", (String(), Boolean())),
    "secret": String(), "is_active": Boolean(), "site_icon": String(),
})  # fmt: skip

# -- the identity crisis

VALIDATION: Final = Object(properties={
    "home": String(), "siteurl": String(), "url_secret": String(),
    "ip_requester": Array("Addresses from which this was asked lately.", items=String()),
    "offline_mode": String("`1` where nothing connects."),
})  # fmt: skip
URL_SECRET: Final = Object(properties={
    "code": String("`success`."),
    "data": Object(properties={"secret": String(), "expires_at": String("Seconds since 1970.")}),
})  # fmt: skip
SECRET_MATCH: Final = Object(properties={"code": String("`success`."), "match": Boolean()})

# -- sync

SCHEDULED: Final = Object(properties={"scheduled": Boolean("Whether it begins.")})
HEALTH: Final = Object(properties={"success": String("What is kept.")})
UNLOCKED: Final = Object(properties={"success": Integer("1 where the queue was locked.")})
_CHECKSUM: Final = Either("Sum of a table, or why it has none.", (Integer(), Object(properties={
    "errors": Object("Sentences by code.", additional=Array(items=String())), "error_data": Array(max_items=0),
})))  # fmt: skip
_WHEN: Final = AnyOf("Seconds since 1970, false for never.", (Number(), Boolean()))
_PARTS: Final = build_map_field(Free("What is asked of it, or how far it is.", of=()), "By module.")
SYNC: Final = Object(properties={
    "start_action_processed": Boolean(), "cancelled_action_processed": Boolean(), "started": _WHEN, "finished": _WHEN,
    "progress": _PARTS, "config": _PARTS, "context": String(), "cron_size": Integer(), "next_cron": Integer(),
    "queue_size": Integer(), "queue_lag": Number("Seconds that the oldest change has waited."),
    "queue_next_sync": Number("In seconds."), "full_queue_next_sync": Number("In seconds."),
    **build_optional_fields({
        "posts_checksum": _CHECKSUM, "comments_checksum": _CHECKSUM, "post_meta_checksum": _CHECKSUM,
        "comment_meta_checksum": _CHECKSUM,
        "debug_details": Free("What helps to see why nothing is sent; its members come and go."),
    }),
})  # fmt: skip
SETTINGS: Final = Object("Settings by name.", additional=Free("As it was written.", of=()))
OBJECTS: Final = Object(properties={"objects": String("Objects by their ids, packed."), "codec": String("How.")})
CHECKOUT: Final = Object(properties={
    "buffer_id": String("Name of the buffer, for `close`."),
    "items": Free("Changes by their id, or in a list: packed, or as their parts.", of=("array", "object")),
    "skipped_items": Array("Changes that make no item.", items=String()), "codec": String("How they are packed."),
    "sent_timestamp": Number(), "queue_size": Integer(), "status": SYNC,
})  # fmt: skip
CLOSED_BUFFER: Final = Object(properties={"success": Boolean(), "status": SYNC})
SENT_NOW: Final = Object(properties={"response": Either("True, or why nothing was sent.", (Boolean(), _CHECKSUM))})
RANGES: Final = Object(properties={
    "ranges": Array(items=Object(properties={
        "min": AnyOf("The first number.", (String(), Integer())), "max": AnyOf("The last one.", (String(), Integer())),
    })),
})  # fmt: skip
CHECKSUMS: Final = Object("Sums by table.", additional=_CHECKSUM)
HISTOGRAM: Final = Object(properties={
    "type": String("`sum`."),
    "histogram": build_map_field(
        Either("", (
            String("Sum of a range, or a bound."), Object("Sums by row.", additional=String()),
            Object("Why there is none.", additional=Array(items=String())), Array(max_items=0), Nothing(),
        )),
        "By range of numbers, as `1-100`; `min_range`, `max_range` and `item_count` where edges are asked for.",
    ),
})  # fmt: skip
