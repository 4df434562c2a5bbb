"""Kill a served shop with -9 at random moments of mixed writes, and look whether it kept what it acknowledged.

    python benchmarks/kills.py [--kills 1000] [--database sqlite|postgresql] [--seed 1] [--clients 6] [--folder DIR]

Clients write content, uploads, orders, refunds and posts for later, and a peer pulls every change; meanwhile a worker,
the consumer of jobs, the first process or all of them are killed, as soon as a drawn number of answers has come since
the last time. The seed decides what each client does and what is killed, in their order. Afterwards, and every 100
kills, nothing acknowledged is missing or there twice, stock, uses of coupons and reports fit the orders, the peer has
what the site has, and `vetrina check` and `vetrina analytics check` find nothing. The exit status is 1 otherwise.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import random
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from deeds import Deed, Writer, picture
from deployment import COUPON, PATIENCE, STOCK, Deployment, Line, deployed

_WHOM = {"a worker": 6, "the consumer of jobs": 2, "the first process": 1, "every process": 1}  # and how often
_MOST_ANSWERS = 12  # between two kills
_LONGEST = 0.05  # seconds from the last of those answers to the kill
_PAUSE = 0.02  # seconds; the longest pause of a client between two deeds
_EACH = 100  # kills between two looks
_SHOWN = 40  # findings that are written out


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=1000)
    parser.add_argument("--database", choices=("sqlite", "postgresql"), default="sqlite")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--clients", type=int, default=6)
    parser.add_argument("--folder", type=Path, help="where the site is made, and stays; else a folder that is removed")
    args = parser.parse_args()
    # Ended like that, it ends what it started, too.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("stopped"))
    print(f"{args.kills} kills on {args.database}, seed {args.seed}", flush=True)
    with contextlib.ExitStack() as stack:
        folder = args.folder or Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="vetrina-kills-")))
        folder.mkdir(parents=True, exist_ok=True)
        folder.chmod(0o755)
        deployment = stack.enter_context(deployed(args.database, folder))
        found = _killed_often(deployment, args.kills, args.seed, args.clients)
    for line in found[:_SHOWN]:
        print(f"- {line}")
    if found:
        sys.exit(f"{len(found)} faults")
    print("Everything that was acknowledged is there, once, and fits together.")


def _killed_often(deployment: Deployment, kills: int, seed: int, clients: int) -> list[str]:
    """Kill until it was often enough or something is wrong, and return what is wrong."""
    chance, whom, done, deeds = random.Random(f"{seed} kills"), Counter[str](), 0, list[Deed]()
    begun, part = time.monotonic(), 0
    while done < kills:
        part += 1
        names = [f"c{part}-{number}" for number in range(clients)]
        writers = [Writer(deployment, name, f"{seed} {name}", _PAUSE) for name in names]
        for writer in writers:
            writer.start()
        for _ in range(min(_EACH, kills - done)):
            _until_answered(deployment, writers, chance.randint(1, _MOST_ANSWERS))
            time.sleep(chance.uniform(0, _LONGEST))
            victim = chance.choices(list(_WHOM), list(_WHOM.values()))[0]
            if _kill(deployment, victim, chance):
                whom[victim] += 1
                done += 1
        for writer in writers:
            writer.stop()
        for writer in writers:
            writer.join()
        deeds += [deed for writer in writers for deed in writer.deeds]
        found = [line for writer in writers for line in writer.refused]
        found += _looked(deployment, deeds)
        kinds = Counter(deed.kind for deed in deeds if deed.id)
        print(
            f"{done} kills ({', '.join(f'{count} of {who}' for who, count in whom.items())}) in "
            f"{time.monotonic() - begun:.0f} s; acknowledged: {dict(kinds)}, "
            f"unknown: {sum(not deed.id for deed in deeds)}; wrong: {len(found)}",
            flush=True,
        )
        if found:
            return found
    return []


def _until_answered(deployment: Deployment, writers: list[Writer], answers: int) -> None:
    """Wait until so many more answers have come; start the server where it is gone."""
    before = sum(writer.acknowledged for writer in writers)
    until = time.monotonic() + PATIENCE
    while sum(writer.acknowledged for writer in writers) < before + answers:
        assert deployment.process is not None
        if deployment.process.poll() is not None:
            deployment.process.communicate()
            deployment.start()
        if time.monotonic() > until:
            raise SystemExit(f"the server answers nobody for {PATIENCE:.0f} s")
        time.sleep(0.002)


def _kill(deployment: Deployment, victim: str, chance: random.Random) -> bool:
    """Kill a process, or several, and tell whether there was one."""
    process = deployment.process
    assert process is not None
    workers, consumers = deployment.children()
    victims = {
        "a worker": [chance.choice(workers)] if workers else [],
        "the consumer of jobs": consumers,
        "the first process": [process.pid],
        "every process": [process.pid, *workers, *consumers],
    }[victim]
    for number in victims:
        with contextlib.suppress(ProcessLookupError):
            os.kill(number, signal.SIGKILL)
    return bool(victims)


# -- what is there afterwards


def _looked(deployment: Deployment, deeds: list[Deed]) -> list[str]:
    """Return what is wrong, when all that was begun has come to its end."""
    # It may be about to end because of the last kills.
    deployment.stop()
    deployment.start()
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


if __name__ == "__main__":
    main()
