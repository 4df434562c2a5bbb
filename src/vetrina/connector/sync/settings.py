"""Settings of sync, as the service reads and writes them.

Rules: docs/rules/connector_tables.md, 3 and 4.
"""

from __future__ import annotations

from typing import Any, Final

from vetrina.connector import stored_values
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel.integers import MAX_SAFE_INTEGER

_NAME: Final = "sync_settings"

_DEFAULTS: Final[dict[str, Any]] = {
    "dequeue_max_bytes": 500_000, "upload_max_bytes": 600_000, "upload_max_rows": 500, "sync_wait_time": 10,
    "sync_wait_threshold": 10, "enqueue_wait_time": 1, "max_queue_size": 5000, "max_queue_lag": 7200,
    "queue_max_writes_sec": 100, "post_types_blacklist": [], "taxonomies_blacklist": [], "disable": 0,
    "network_disable": 0, "render_filtered_content": 0, "post_meta_whitelist": [], "comment_meta_whitelist": [],
    "max_enqueue_full_sync": 100, "max_queue_size_full_sync": 1000, "sync_via_cron": 1, "cron_sync_time_limit": 240,
    "known_importers": {}, "term_relationships_full_sync_item_size": 100, "sync_sender_enabled": 1,
    "full_sync_sender_enabled": 1, "full_sync_send_duration": 9, "full_sync_limits": {}, "checksum_disable": 0,
    "dedicated_sync_enabled": 0, "custom_queue_table_enabled": 0, "wpcom_rest_api_enabled": 1,
}  # fmt: skip
_BUILT_IN: Final[dict[str, Any]] = {
    "post_types_blacklist": ["revision", "scheduled-action"],
    "taxonomies_blacklist": [],
    "post_meta_whitelist": ["_cms_page_template", "_thumbnail_id", "footnotes"],
    "comment_meta_whitelist": ["rating", "verified", "_cms_note_status"],
    "full_sync_limits": {
        "comments": {"chunk_size": 100, "max_chunks": 10}, "posts": {"chunk_size": 500, "max_chunks": 1},
        "term_relationships": {"chunk_size": 1000, "max_chunks": 10}, "terms": {"chunk_size": 1000, "max_chunks": 10},
        "users": {"chunk_size": 100, "max_chunks": 10},
    },
    "known_importers": {
        "Blogger_Importer": "blogger", "LJ_API_Import": "livejournal", "MT_Import": "mt", "RSS_Import": "rss",
        "CMS_Import": "cms", "Shop_Tax_Rate_Importer": "shop-tax-rate",
    },
}  # fmt: skip
_LISTS: Final = frozenset({"post_types_blacklist", "taxonomies_blacklist", "post_meta_whitelist",
                           "comment_meta_whitelist"})  # fmt: skip


def load_sync_settings(work: UnitOfWork) -> dict[str, Any]:
    """Return every setting; lists are the site's own values followed by the built-in ones."""
    own: dict[str, Any] = stored_values.get_value(work, _NAME, {})
    out = {}
    for name, default in _DEFAULTS.items():
        value = own.get(name, _BUILT_IN.get(name, default) if name not in _LISTS else default)
        if name in _LISTS:
            value = list(dict.fromkeys([*(value if isinstance(value, list) else []), *_BUILT_IN[name]]))
        out[name] = value
    return out


def get_sync_number(work: UnitOfWork, name: str) -> int:
    """Return a numeric setting; its default where a word is stored."""
    value = load_sync_settings(work)[name]
    return (
        int(max(-MAX_SAFE_INTEGER, min(value, MAX_SAFE_INTEGER)))
        if isinstance(value, (int, float))
        else int(_DEFAULTS[name])
    )


def update_sync_settings(work: UnitOfWork, given: dict[str, Any]) -> dict[str, Any]:
    """Change settings and return all, as the write echoes them; unknown names and false are ignored."""
    own = dict(stored_values.get_value(work, _NAME, {}))
    echo = {}
    for name, value in given.items():
        if name not in _DEFAULTS or value is False or value is None or name == "network_disable":
            continue
        cleaned = _clean_value(name, value)
        echo[name] = cleaned
        own[name] = 1 if cleaned is True else cleaned
    # Nothing here calls the site's own URL, so a dedicated process for sync is never available.
    if own.pop("dedicated_sync_enabled", 0):
        echo.pop("dedicated_sync_enabled", None)
    stored_values.save_value(work, _NAME, own)
    settings = load_sync_settings(work)
    return {**settings, **{name: value for name, value in echo.items() if value is True}}


def _clean_value(name: str, value: Any) -> Any:
    if value == "empty":
        return []
    if isinstance(value, str) and value.lstrip("-").isdecimal() and len(value) < 16:
        return int(value)
    if name in _LISTS and isinstance(value, str):
        return [word.strip() for word in value.split(",") if word.strip()]
    if name in _LISTS and isinstance(value, list):
        return [str(one) for one in value if isinstance(one, (str, int)) and not isinstance(one, bool)]
    return value


def reset_sync_settings(work: UnitOfWork) -> None:
    """Reset every setting."""
    stored_values.delete_values(work, _NAME)
