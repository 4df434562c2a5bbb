"""The status of a shop for support: its environment, data and settings.

The members are those of the interface; those that refer to parts of another program return their counterpart here. Not
here: tools (shop/system/tools.py). Rules: docs/rules/shop_settings.md, 5.
"""

from __future__ import annotations

import os
import platform
import re
import ssl
from pathlib import Path
from typing import Any, Final

from sqlalchemy import func, select, text

from vetrina import __version__
from vetrina.backends import database_schema
from vetrina.backends.database import Statement
from vetrina.backends.tables.records import record, revision
from vetrina.content.records import model as record_model
from vetrina.core.disk_usage import compute_site_sizes
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.design.themes import active_theme
from vetrina.shop.settings import currencies, features as setting_features, rules as settings

_MEGABYTE: Final = 1 << 20
_RECORD_COUNTS = Statement(select(record.c.type, func.count()).group_by(record.c.type).order_by(record.c.type))
_REVISION_COUNT = Statement(select(func.count()).select_from(revision))
_DATABASE_VERSION = Statement(
    lambda kind: text("SELECT sqlite_version()" if kind == "sqlite" else "SELECT current_setting('server_version')")
)

# Label of a page → the option with its id, and what its content consists of.
_SHOP_PAGES: Final = {
    "Shop base": ("shop_shop_page_id", "", ""),
    "Cart": ("shop_cart_page_id", "[shop_cart]", "shop/cart"),
    "Checkout": ("shop_checkout_page_id", "[shop_checkout]", "shop/checkout"),
    "My account": ("shop_myaccount_page_id", "[shop_my_account]", ""),
    "Terms and conditions": ("shop_terms_page_id", "", ""),
}
_PRODUCT_TYPES: Final = ("external", "grouped", "simple", "variable")
_VISIBILITY_TERMS: Final = (
    "exclude-from-catalog", "exclude-from-search", "featured", "outofstock", "rated-1", "rated-2", "rated-3", "rated-4",
    "rated-5",
)  # fmt: skip


def build_environment_info(work: UnitOfWork) -> dict[str, Any]:
    """Return the environment of the shop."""
    limits, kept = work.site.profile.limits, str(work.tx.value(_DATABASE_VERSION))
    folder: Path = work.site.folder
    return {
        "home_url": work.origin,
        "site_url": work.origin,
        "store_id": str(work.stored_option("shop_store_id") or ""),
        "version": __version__,
        "log_directory": str(folder.name),
        "log_directory_writable": os.access(folder, os.W_OK),
        "cms_version": __version__,
        "cms_multisite": False,
        "cms_memory_limit": _get_memory_size(),
        "cms_debug_mode": work.site.settings.log == "debug",
        "cms_cron": False,
        "cms_environment_type": "production" if work.origin.startswith("https:") else "local",
        "language": _get_site_locale(work),
        "external_object_cache": None,
        "server_info": f"Vetrina/{__version__}",
        "server_architecture": f"{platform.system()} {platform.release()} {platform.machine()}",
        "php_version": platform.python_version(),
        "php_post_max_size": limits.body_bytes,
        "php_max_execution_time": 0,
        "php_max_input_vars": 0,
        "curl_version": ssl.OPENSSL_VERSION,
        "suhosin_installed": False,
        "max_upload_size": limits.upload_bytes,
        "mysql_version": kept,
        "mysql_version_string": f"{'PostgreSQL' if work.tx.kind == 'postgresql' else 'SQLite'} {kept}",
        "default_timezone": "UTC",
        "fsockopen_or_curl_enabled": True,
        "soapclient_enabled": False,
        "domdocument_enabled": True,
        "gzip_enabled": True,
        "mbstring_enabled": True,
        # A read sends no requests to outside services.
        "remote_post_successful": False,
        "remote_post_response": False,
        "remote_get_successful": False,
        "remote_get_response": False,
    }


def _get_site_locale(work: UnitOfWork) -> str:
    return str(work.option("language"))


def _get_memory_size() -> int:
    """Return the machine's memory in bytes; 0 where it is unknown."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (ValueError, OSError, AttributeError):
        return 0


def build_database_info(work: UnitOfWork) -> dict[str, Any]:
    """Return the size of the database and its tables, in megabytes."""
    size = compute_site_sizes(work).database / _MEGABYTE
    tables = {
        name: {"data": "0", "index": "0", "engine": work.tx.kind}
        for name in sorted(database_schema.list_table_names(work.tx))
    }
    return {
        "shop_database_version": __version__,
        "database_prefix": "",
        "maxmind_geoip_database": "",
        "database_tables": {"shop": {}, "other": tables},
        "database_size": {"data": size, "index": 0.0},
    }


def list_plugin_info(work: UnitOfWork) -> list[dict[str, Any]]:
    """Return the active modules."""
    return [
        {
            "plugin": "shop/shop.php",
            "name": "Shop",
            "version": __version__,
            "version_latest": __version__,
            "url": "",
            "author_name": "Vetrina",
            "author_url": "",
            "network_activated": False,
        }
    ]


def build_theme_info(work: UnitOfWork) -> dict[str, Any]:
    """Return information about the theme."""
    found = active_theme.get_active_theme(work.site)
    return {
        "name": found.title,
        "version": found.head.get("Version", ""),
        "version_latest": 0,
        "author_url": "",
        "is_child_theme": False,
        "is_block_theme": True,
        "has_shop_support": False,
        "has_shop_file": False,
        "has_outdated_templates": False,
        "overrides": [],
        "parent_name": "",
        "parent_version": "",
        "parent_version_latest": "",
        "parent_author_url": "",
    }


def build_settings_info(work: UnitOfWork) -> dict[str, Any]:
    """Return the settings of the shop."""
    currency = str(settings.get_shop_option(work, "shop_currency"))
    return {
        "api_enabled": settings.is_setting_on(work, "shop_api_enabled")
        if _is_setting_known("shop_api_enabled")
        else False,
        "force_ssl": settings.is_setting_on(work, "shop_force_ssl_checkout"),
        "currency": currency,
        "currency_symbol": currencies.encode_symbol_entities(currencies.get_currency_symbol(currency)),
        "currency_position": settings.get_shop_option(work, "shop_currency_pos"),
        "thousand_separator": settings.get_shop_option(work, "shop_price_thousand_sep"),
        "decimal_separator": settings.get_shop_option(work, "shop_price_decimal_sep"),
        "number_of_decimals": settings.get_price_decimals(work),
        "geolocation_enabled": str(settings.get_shop_option(work, "shop_default_customer_address")).startswith(
            "geoloc"
        ),
        "taxonomies": {kind: kind for kind in _PRODUCT_TYPES},
        "product_visibility_terms": {name: name for name in _VISIBILITY_TERMS},
        "shop_com_connected": "no",
        "enforce_approved_download_dirs": True,
        "order_datastore": "shop_order",
        "HPOS_enabled": True,
        "HPOS_sync_enabled": False,
        "enabled_features": setting_features.list_enabled_features(work),
    }


def _is_setting_known(id: str) -> bool:
    return any(id in group.settings for group in settings.load_setting_groups().values())


def build_security_info(work: UnitOfWork) -> dict[str, Any]:
    """Return whether the shop is served securely."""
    return {"secure_connection": work.origin.startswith("https:"), "hide_errors": True}


def list_shop_pages(work: UnitOfWork) -> list[dict[str, Any]]:
    """Return the shop's own pages and their state."""
    out = []
    for name, (option, shortcode, block) in _SHOP_PAGES.items():
        id = int(work.stored_option(option) or 0)
        found = record_model.find_record(work.tx, id) if id else None
        content = found.content if found is not None else ""
        out.append(
            {
                "page_name": name,
                "page_id": str(id) if id else "",
                "page_set": id > 0,
                "page_exists": found is not None,
                "page_visible": found is not None and found.status == "publish",
                "shortcode": shortcode,
                "block": block,
                "shortcode_required": bool(shortcode),
                "shortcode_present": bool(shortcode) and shortcode in content,
                "block_present": bool(block) and _has_shop_block(content, block),
                "block_required": bool(block),
            }
        )
    return out


def _has_shop_block(content: str, block: str) -> bool:
    """Return whether a content has a block of the shop, under any of the shop's block namespaces."""
    return re.search(rf"<!-- wp:[\w-]+/{block.rpartition('/')[2]}\b", content) is not None


def count_post_types(work: UnitOfWork) -> list[dict[str, str]]:
    """Return the number of records of each type."""
    counts = {str(type): int(count) for type, count in work.tx.all(_RECORD_COUNTS)}
    counts["revision"] = int(work.tx.value(_REVISION_COUNT) or 0)
    return [{"type": type, "count": str(count)} for type, count in sorted(counts.items()) if count]
