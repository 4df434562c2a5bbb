"""The response fields of the system status, where the interface's own schema declares only its parts.

Not here: the values (shop/system/status.py). Rules: docs/rules/shop_settings.md, 5.
"""

from __future__ import annotations

from typing import Final

from vetrina.rest.fields import AnyOf, Array, Boolean, Field, Integer, Number, Object, String
from vetrina.rest.response_fields import Nothing, build_map_field, build_text_fields


def _build_boolean_fields(*names: str) -> dict[str, Field]:
    return {name: Boolean() for name in names}


def _build_integer_fields(*names: str) -> dict[str, Field]:
    return {name: Integer() for name in names}


_TABLES: Final = build_map_field(Object(properties=build_text_fields("data", "index", "engine")), "By table.")
_VERSION: Final = AnyOf("A version, 0 where nobody knows one.", (String(), Integer()))
_PLUGINS: Final = Array(items=Object(properties={
    **build_text_fields("plugin", "name", "version", "version_latest", "url", "author_name", "author_url"),
    "network_activated": Boolean(),
}))  # fmt: skip

STATUS_FIELDS: Final[dict[str, Field]] = {
    "environment": Object(
        "Where the shop runs.",
        properties={
            **build_text_fields(
                "home_url",
                "site_url",
                "store_id",
                "version",
                "log_directory",
                "cms_version",
                "cms_environment_type",
                "language",
                "server_info",
                "server_architecture",
                "php_version",
                "curl_version",
                "mysql_version",
                "mysql_version_string",
                "default_timezone",
            ),
            "external_object_cache": Nothing(),
            **_build_integer_fields(
                "cms_memory_limit",
                "php_post_max_size",
                "php_max_execution_time",
                "php_max_input_vars",
                "max_upload_size",
            ),
            **_build_boolean_fields(
                "log_directory_writable",
                "cms_multisite",
                "cms_debug_mode",
                "cms_cron",
                "suhosin_installed",
                "fsockopen_or_curl_enabled",
                "soapclient_enabled",
                "domdocument_enabled",
                "gzip_enabled",
                "mbstring_enabled",
                "remote_post_successful",
                "remote_get_successful",
                "remote_post_response",
                "remote_get_response",
            ),
        },
    ),
    "database": Object(
        "What is kept where.",
        properties={
            **build_text_fields("shop_database_version", "database_prefix", "maxmind_geoip_database"),
            "database_tables": Object(properties={"shop": _TABLES, "other": _TABLES}),
            "database_size": Object("In megabytes.", properties={"data": Number(), "index": Number()}),
        },
    ),
    "active_plugins": _PLUGINS.replace(help="What is switched on."),
    "inactive_plugins": _PLUGINS.replace(help="What is switched off."),
    "dropins_mu_plugins": Object(
        "What is always on.",
        properties={
            "dropins": Array(max_items=0),
            "mu_plugins": Array(max_items=0),
        },
    ),
    "theme": Object(
        "The theme.",
        properties={
            **build_text_fields(
                "name",
                "version",
                "author_url",
                "parent_name",
                "parent_version",
                "parent_version_latest",
                "parent_author_url",
            ),
            "version_latest": _VERSION,
            "overrides": Array(max_items=0),
            **_build_boolean_fields(
                "is_child_theme", "is_block_theme", "has_shop_support", "has_shop_file", "has_outdated_templates"
            ),
        },
    ),
    "settings": Object(
        "How the shop is set.",
        properties={
            **build_text_fields(
                "currency",
                "currency_symbol",
                "currency_position",
                "thousand_separator",
                "decimal_separator",
                "shop_com_connected",
                "order_datastore",
            ),
            "number_of_decimals": Integer(),
            "taxonomies": build_map_field(String()),
            "product_visibility_terms": build_map_field(String()),
            "enabled_features": Array(items=String()),
            **_build_boolean_fields(
                "api_enabled",
                "force_ssl",
                "geolocation_enabled",
                "enforce_approved_download_dirs",
                "HPOS_enabled",
                "HPOS_sync_enabled",
            ),
        },
    ),
    "security": Object(
        "Whether it is served safely.", properties=_build_boolean_fields("secure_connection", "hide_errors")
    ),
    "pages": Array(
        "Its pages.",
        items=Object(
            properties={
                **build_text_fields("page_name", "page_id", "shortcode", "block"),
                **_build_boolean_fields(
                    "page_set",
                    "page_exists",
                    "page_visible",
                    "shortcode_required",
                    "shortcode_present",
                    "block_present",
                    "block_required",
                ),
            }
        ),
    ),
    "post_type_counts": Array(
        "How many records of each type there are.", items=Object(properties=build_text_fields("type", "count"))
    ),
    "logging": Object(
        "How much is logged.",
        properties={
            "logging_enabled": Boolean(),
            "default_handler": String(),
            "retention_period_days": Integer(),
            "level_threshold": String(),
            "log_directory_size": String(),
        },
    ),
}
