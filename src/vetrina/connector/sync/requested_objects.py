"""Single objects that the service asks for, by module, kind and ids.

Not here: the objects (connector/sync/objects.py, connector/sync/named_objects.py, connector/sync/shop_objects.py).
Rules: docs/rules/connector_tables.md, 6.
"""

from __future__ import annotations

from typing import Any

import orjson

from vetrina.connector.sync import (
    modules,
    named_objects,
    objects as sync_objects,
    shop_objects,
)
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel.integers import parse_digits


def load_objects(work: UnitOfWork, module: str, kind: str, ids: list[Any]) -> dict[str, Any]:
    """Return objects of a module by their ids. Raises InvalidSyncModule."""
    known = {"posts", "constants", "options", "functions", "updates", "stats", "full-sync", "meta"}
    if modules.has_all_modules(work):
        known |= {
            "comments",
            "users",
            "terms",
            "term_relationships",
            "themes",
            *modules.get_module_loaders(work.site),
        }
    if module not in known:
        raise modules.InvalidSyncModule(name=module[:40])
    if not kind or not ids:
        return {}
    words = [str(one) for one in ids if isinstance(one, (str, int)) and not isinstance(one, bool)]
    numbers = [int(word) for word in words if word.isdecimal() and len(word) < 16]
    match module, kind:
        case "posts", "post":
            return sync_objects.load_posts(work, numbers)
        case "comments", "comment":
            return sync_objects.load_comments(work, numbers)
        case "users", "user":
            return sync_objects.load_users(work, numbers)
        case "terms", ("term" | "term_taxonomy"):
            return sync_objects.load_terms(work, numbers)
        case (("terms" | "term_relationships"), "term_relationships"):
            return sync_objects.load_relationships(work, numbers)
        case modules.ORDERS, ("order" | "shop_order"):
            return shop_objects.load_orders(work, numbers)
        case modules.COUPONS, ("coupon" | "shop_coupon"):
            return shop_objects.load_coupons(work, numbers)
        case modules.RATES, "tax_rate":
            return shop_objects.load_tax_rates(work, numbers)
        case modules.ATTRIBUTES, "attribute":
            return shop_objects.load_attributes(work, numbers)
        case "themes", "theme-info":
            return {word: named_objects.build_theme(work) for word in words}
        case "updates", "update":
            return {word: named_objects.build_updates(work).get(word) for word in words}
        case "options", "option":
            return named_objects.load_options(
                work, named_objects.list_option_names(work.site) if "all" in words else words
            )
        case "constants", "constant":
            constants = named_objects.build_constants(work)
            return constants if "all" in words else {word: constants.get(word, False) for word in words}
        case "functions", "callable":
            return named_objects.compute_functions(work, None if "all" in words else words)
        case "meta", ("post" | "comment" | "postmeta" | "commentmeta"):
            return _load_meta(work, kind.removesuffix("meta"), ids)
    return {}


def _load_meta(work: UnitOfWork, kind: str, ids: list[Any]) -> dict[str, Any]:
    pairs = [
        (number, str(one["meta_key"]))
        for one in ids
        if isinstance(one, dict) and (number := parse_digits(str(one.get("id", "")))) is not None and "meta_key" in one
    ]
    load = sync_objects.load_posts if kind == "post" else sync_objects.load_comments
    found = load(work, [number for number, _ in pairs])
    out: dict[str, Any] = {}
    for number, name in pairs:
        thing = found.get(str(number))
        if thing is not None and name in thing["meta"]:
            value = thing["meta"][name]
            out[f"{number}-{name}"] = [{
                "meta_type": kind, "meta_id": 0, "meta_key": name,
                "meta_value": value if isinstance(value, str) else orjson.dumps(value).decode(), "object_id": number,
            }]  # fmt: skip
    return out
