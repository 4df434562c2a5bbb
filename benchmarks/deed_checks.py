"""What a shop has of what it acknowledged: missing, doubled or half done, after whatever happened to it.

The ledger of what was acknowledged: deeds.py. Who does what to the shop meanwhile: kills.py, operators/failover.py.
"""

from __future__ import annotations

import contextlib
import time
from collections import Counter
from collections.abc import Iterator
from typing import Any

from deeds import Deed, picture
from deployment import COUPON, PATIENCE, STOCK, Deployment, Line

__all__ = ["find_faults"]


def find_faults(deployment: Deployment, deeds: list[Deed]) -> list[str]:
    """Return what is wrong, when all that was begun has come to its end."""
    line = Line(deployment.port)
    _settled(line, deeds)
    found = [*_posts(line, deeds), *_uploads(line, deeds), *_orders(line, deployment, deeds)]
    deployment.peer("pull")
    differing = [name for name, same in deployment.peer("compare").items() if not same]
    found += [f"the peer has other {name} than the site" for name in differing]
    line.close()
    for words in (("check",), ("analytics", "check", "--no-repair")):
        told = deployment.checked(*words)
        found += [f"vetrina {' '.join(words)}: {told}"] if told else []
    return found


def _settled(line: Line, deeds: list[Deed]) -> None:
    """Wait until what was to be published later is."""
    until = time.monotonic() + PATIENCE
    if any(deed.kind == "later" for deed in deeds):
        while True:
            with contextlib.suppress(OSError):
                _, waiting = line.ask("GET", "/cms/v2/posts?status=future&per_page=1&_fields=id")
                if waiting == []:
                    break
            if time.monotonic() > until:
                raise SystemExit(f"posts wait to be published for {PATIENCE:.0f} s: is there a consumer of jobs?")
            time.sleep(0.2)


def _all(line: Line, path: str) -> Iterator[dict[str, Any]]:
    page = 1
    while True:
        status, found = line.ask("GET", f"{path}&per_page=100&page={page}")
        if status != 200:
            return
        yield from found
        if len(found) < 100:
            return
        page += 1


def _by_key(found: Iterator[tuple[str, dict[str, Any]]], wrong: list[str]) -> dict[str, dict[str, Any]]:
    by_key: dict[str, dict[str, Any]] = {}
    for key, one in found:
        if by_key.setdefault(key, one) is not one:
            wrong.append(f"{key} is there twice: {by_key[key]['id']} and {one['id']}")
    return by_key


def _absent(deed: Deed, stored: dict[str, Any] | None) -> str:
    """Return what is wrong with a deed as far as being there goes; empty for nothing."""
    if deed.id and stored is None and not deed.known["removed"] and "removed" not in deed.open:
        return f"{deed.kind} {deed.key} ({deed.id}) was acknowledged and is not there"
    if deed.known.get("removed") and stored is not None:
        return f"{deed.kind} {deed.key} ({deed.id}) was removed and is there"
    if deed.id and stored is not None and stored["id"] != deed.id:
        return f"{deed.kind} {deed.key} was acknowledged as {deed.id} and is {stored['id']}"
    if deed.is_refused and not deed.id and stored is not None:
        return f"{deed.kind} {deed.key} was refused with 503 and is there as {stored['id']}"
    return ""


def _posts(line: Line, deeds: list[Deed]) -> list[str]:
    wrong: list[str] = []
    fields = "_fields=id,title,content,tags,status&context=edit&orderby=id&order=asc"
    found = ((one["title"]["raw"], one) for one in _all(line, f"/cms/v2/posts?status=any&{fields}"))
    stored = _by_key(found, wrong)
    for deed in deeds:
        if deed.kind not in ("post", "later"):
            continue
        one = stored.get(deed.key)
        absent = _absent(deed, one)
        if absent:
            wrong.append(absent)
        elif one is not None and one["status"] != "publish":
            wrong.append(f"post {deed.key} is {one['status']}")
        elif one is not None and deed.kind == "post":
            # Not acknowledged, it is whole, or was not made.
            texts = {deed.known.get("content", f"Text of {deed.key}"), *deed.open.values()}
            if one["content"]["raw"] not in texts or len(one["tags"]) != 1:
                wrong.append(f"post {deed.key} has the text {one['content']['raw']!r} and the tags {one['tags']}")
            elif deed.known and one["tags"] != deed.known["tags"]:
                wrong.append(f"post {deed.key} has the tags {one['tags']}, acknowledged were {deed.known['tags']}")
    return wrong


def _uploads(line: Line, deeds: list[Deed]) -> list[str]:
    wrong: list[str] = []
    found = _all(line, "/cms/v2/media?_fields=id,title,source_url&context=edit&orderby=id&order=asc")
    stored = _by_key(((one["title"]["raw"], one) for one in found), wrong)
    for deed in deeds:
        if deed.kind == "upload":
            one = stored.get(deed.key)
            absent = _absent(deed, one)
            if absent:
                wrong.append(absent)
            elif one is not None:
                path = one["source_url"].partition("//")[2].partition("/")[2]
                status, content = line.ask("GET", f"//{path}", signed=False)
                if status != 200 or content != picture(deed.key):
                    wrong.append(f"the file of upload {deed.key} ({deed.id}) is another: {status}, {content[:60]!r}")
    return wrong


def _orders(line: Line, deployment: Deployment, deeds: list[Deed]) -> list[str]:
    wrong: list[str] = []
    fields = "_fields=id,transaction_id,status,line_items,refunds,total,coupon_lines&orderby=id&order=asc"
    stored = _by_key(((one["transaction_id"], one) for one in _all(line, f"/shop/v3/orders?{fields}")), wrong)
    for deed in deeds:
        one = stored.get(deed.key)
        if deed.kind == "order" and deed.is_refused and not deed.id and one is not None:
            wrong.append(f"order {deed.key} was refused with 503 and is there as {one['id']}")
        if deed.kind != "order" or (one is None and not deed.id):
            continue
        if one is None or (deed.id and one["id"] != deed.id):
            wrong.append(f"order {deed.key} ({deed.id}) was acknowledged and is not there")
            continue
        seen = {
            "lines": {item["product_id"]: item["quantity"] for item in one["line_items"]}, "total": one["total"],
            "status": one["status"], "refunds": len(one["refunds"]),
        }  # fmt: skip
        wrong += [
            f"order {deed.key} ({deed.id}) has the {name} {seen[name]}, acknowledged was {value}"
            for name, value in deed.known.items()
            if seen[name] not in (value, deed.open.get(name, value))
        ]
    # What an order took is taken once, and given back once.
    taken, uses = Counter[int](), 0
    for one in stored.values():
        if one["status"] in ("processing", "completed"):
            taken.update({item["product_id"]: item["quantity"] for item in one["line_items"]})
            uses += len(one["coupon_lines"])
    for product in _all(line, "/shop/v3/products?_fields=id,stock_quantity"):
        left = STOCK - taken[product["id"]]
        if product["stock_quantity"] != left:
            wrong.append(f"product {product['id']} has {product['stock_quantity']} in stock; the orders leave {left}")
    [coupon] = _all(line, f"/shop/v3/coupons?code={COUPON}")
    if coupon["usage_count"] != uses:
        wrong.append(f"the coupon was used {coupon['usage_count']} times; {uses} orders have it")
    return wrong
