"""What a shop says of itself to those who help: where it runs, what it keeps, how it is set.

The members are the interface's; those that name another program's parts tell what stands in their place here. Not here:
tools (shop/system/tools.py). Rules: facts, "Taxes, settings, shipping, gateways, data"; the recording of the status.
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
from vetrina.backends.tables.core import record, revision
from vetrina.content.records import model as record_model
from vetrina.core.disk_usage import sizes
from vetrina.core.unit_of_work import Work
from vetrina.design.themes import rules as themes
from vetrina.shop.settings import currencies
from vetrina.shop.settings import features as setting_features
from vetrina.shop.settings import rules as settings

__all__ = ["database", "environment", "pages", "plugins", "post_type_counts", "security", "shop_settings", "theme_info"]

_MEGA: Final = 1 << 20
_COUNTS = Statement(select(record.c.type, func.count()).group_by(record.c.type).order_by(record.c.type))
_REVISIONS = Statement(select(func.count()).select_from(revision))
_VERSION = Statement(
    lambda kind: text("SELECT sqlite_version()" if kind == "sqlite" else "SELECT current_setting('server_version')")
)

# Name of a page as people read it → the option that names it, and what its content is made of.
_PAGES: Final = {
    "Shop base": ("shop_shop_page_id", "", ""),
    "Cart": ("shop_cart_page_id", "[shop_cart]", "shop/cart"),
    "Checkout": ("shop_checkout_page_id", "[shop_checkout]", "shop/checkout"),
    "My account": ("shop_myaccount_page_id", "[shop_my_account]", ""),
    "Terms and conditions": ("shop_terms_page_id", "", ""),
}
_KINDS: Final = ("external", "grouped", "simple", "variable")
_VISIBILITY: Final = (
    "exclude-from-catalog", "exclude-from-search", "featured", "outofstock", "rated-1", "rated-2", "rated-3", "rated-4",
    "rated-5",
)  # fmt: skip


def environment(work: Work) -> dict[str, Any]:
    """Return where the shop runs."""
    limits, kept = work.frame.profile.limits, str(work.tx.value(_VERSION))
    folder: Path = work.frame.folder
    return {
        "home_url": work.origin,
        "site_url": work.origin,
        "store_id": str(work.stored_option("shop_store_id") or ""),
        "version": __version__,
        "log_directory": str(folder.name),
        "log_directory_writable": os.access(folder, os.W_OK),
        "cms_version": __version__,
        "cms_multisite": False,
        "cms_memory_limit": _memory(),
        "cms_debug_mode": work.frame.settings.log == "debug",
        "cms_cron": False,
        "cms_environment_type": "production" if work.origin.startswith("https:") else "local",
        "language": _locale(work),
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
        # Nobody outside is asked for an answer that somebody only reads.
        "remote_post_successful": False,
        "remote_post_response": False,
        "remote_get_successful": False,
        "remote_get_response": False,
    }


def _locale(work: Work) -> str:
    return str(work.option("language"))


def _memory() -> int:
    """Return the bytes of the machine's memory; 0 where nobody says."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (ValueError, OSError, AttributeError):
        return 0


def database(work: Work) -> dict[str, Any]:
    """Return what is kept where, in megabytes."""
    size = sizes(work).database / _MEGA
    tables = {
        name: {"data": "0", "index": "0", "engine": work.tx.kind}
        for name in sorted(database_schema.table_names(work.tx))
    }
    return {
        "shop_database_version": __version__,
        "database_prefix": "",
        "maxmind_geoip_database": "",
        "database_tables": {"shop": {}, "other": tables},
        "database_size": {"data": size, "index": 0.0},
    }


def plugins(work: Work) -> list[dict[str, Any]]:
    """Return what is switched on beside the program."""
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


def theme_info(work: Work) -> dict[str, Any]:
    """Return what the theme is."""
    found = themes.active(work.frame)
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


def shop_settings(work: Work) -> dict[str, Any]:
    """Return how the shop is set."""
    currency = str(settings.shop_option(work, "shop_currency"))
    return {
        "api_enabled": settings.is_on(work, "shop_api_enabled") if _knows("shop_api_enabled") else False,
        "force_ssl": settings.is_on(work, "shop_force_ssl_checkout"),
        "currency": currency,
        "currency_symbol": currencies.entity(currencies.symbol(currency)),
        "currency_position": settings.shop_option(work, "shop_currency_pos"),
        "thousand_separator": settings.shop_option(work, "shop_price_thousand_sep"),
        "decimal_separator": settings.shop_option(work, "shop_price_decimal_sep"),
        "number_of_decimals": settings.decimals(work),
        "geolocation_enabled": str(settings.shop_option(work, "shop_default_customer_address")).startswith("geoloc"),
        "taxonomies": {kind: kind for kind in _KINDS},
        "product_visibility_terms": {name: name for name in _VISIBILITY},
        "shop_com_connected": "no",
        "enforce_approved_download_dirs": True,
        "order_datastore": "shop_order",
        "HPOS_enabled": True,
        "HPOS_sync_enabled": False,
        "enabled_features": setting_features.list_enabled(work),
    }


def _knows(id: str) -> bool:
    return any(id in group.settings for group in settings.groups().values())


def security(work: Work) -> dict[str, Any]:
    """Return whether the shop is served safely."""
    return {"secure_connection": work.origin.startswith("https:"), "hide_errors": True}


def pages(work: Work) -> list[dict[str, Any]]:
    """Return which pages the shop has."""
    out = []
    for name, (option, shortcode, block) in _PAGES.items():
        id = int(work.stored_option(option) or 0)
        found = record_model.by_id(work.tx, id) if id else None
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
                "block_present": bool(block) and _has_block(content, block),
                "block_required": bool(block),
            }
        )
    return out


def _has_block(content: str, block: str) -> bool:
    """Say whether a content holds a block of the shop, by whatever name of the shop it was written."""
    return re.search(rf"<!-- wp:[\w-]+/{block.rpartition('/')[2]}\b", content) is not None


def post_type_counts(work: Work) -> list[dict[str, str]]:
    """Return how many records of each type there are."""
    counts = {str(type): int(count) for type, count in work.tx.all(_COUNTS)}
    counts["revision"] = int(work.tx.value(_REVISIONS) or 0)
    return [{"type": type, "count": str(count)} for type, count in sorted(counts.items()) if count]
