"""Random reads of two sites that hold the same: which of them answer differently.

What may be asked is read from the index of a site: paths, arguments with their types and choices. Values are drawn from
what the site shows: ids of its lists, words of its texts, moments of its records.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any, Final, NamedTuple

from conftest import Answer, Client
from route_patterns import replace_groups
from vetrina.transfer.compare.comparable_form import ComparableForm

_HOLE: Final = re.compile(r"\{\}")
_TOTALS: Final = ("x-cms-total", "x-cms-totalpages")
_WORD: Final = re.compile(r"\w{2,}")
_NOT_ASKED: Final = frozenset({"_fields", "context", "fields", "key", "order_key", "password", "token"})
_MOST_RECORDS: Final = 30  # of a list that ids are taken from


class Read(NamedTuple):
    """A read: path below the API root, arguments, whether as the administrator or as nobody."""

    path: str
    query: dict[str, Any]
    signed_in: bool


class Difference(NamedTuple):
    """Where two answers to a read differ. place: of the value in the answer."""

    read: Read
    place: str
    a: Any
    b: Any


class RandomReads:
    """Draws reads of a site. left_out: beginnings of paths that are not asked for."""

    def __init__(self, admin: Client, random: Random, left_out: Sequence[str] = ()) -> None:
        self._admin, self._random = admin, random
        self._routes = [
            (path, endpoint.get("args", {}))
            for pattern, route in admin.get("/").json["routes"].items()
            for endpoint in route["endpoints"]
            if "GET" in endpoint["methods"] and not (path := replace_groups(pattern)).startswith(tuple(left_out))
        ]
        self._lists: dict[str, list[dict[str, Any]]] = {}
        self._ids: dict[str, list[int]] = {}
        self._words = ["a", "zzz"]
        self._moments = ["2020-01-01T00:00:00"]
        for path, _ in self._routes:
            if "{}" not in path:
                self._list_records(path)

    def draw(self, most: int) -> Iterator[Read]:
        """Give so many reads."""
        for _ in range(most):
            path, arguments = self._random.choice(self._routes)
            filled = self._fill(path)
            if filled is not None:
                yield Read(filled, self._draw_query(path, arguments), self._random.random() < 0.8)

    def _list_records(self, path: str) -> list[dict[str, Any]]:
        if path not in self._lists:
            answer = self._admin.get(path, query={"per_page": 100}).json
            found = [one for one in answer if isinstance(one, dict)] if isinstance(answer, list) else []
            self._lists[path] = found = found[:_MOST_RECORDS]
            for one in found:
                self._note(path.rpartition("/")[2], one)
        return self._lists[path]

    def _note(self, base: str, record: dict[str, Any]) -> None:
        """Keep what a record holds, for arguments."""
        if isinstance(record.get("id"), int):
            self._ids.setdefault(base, []).append(record["id"])
        for name, value in record.items():
            if isinstance(value, dict):
                value = value.get("raw") or value.get("rendered")
            if not isinstance(value, str):
                continue
            if re.match(r"\d{4}-\d\d-\d\dT", value):
                self._moments.append(value)
            elif name in ("title", "name", "slug", "email", "code", "sku", "status", "content", "username"):
                self._words += _WORD.findall(value)[:4]

    def _fill(self, path: str) -> str | None:
        """Return a path with ids in its holes, None where there are none."""
        while found := _HOLE.search(path):
            above = path[: found.start()].rstrip("/")
            records = self._list_records(above)
            if not records:
                return None
            one = self._random.choice(records)
            mark = one.get("id", one.get("slug", one.get("code")))
            if mark is None:
                return None
            path = f"{path[: found.start()]}{mark}{path[found.end() :]}"
        return path

    def _draw_query(self, path: str, arguments: dict[str, Any]) -> dict[str, Any]:
        names = [
            name for name in arguments if "{}" not in path or (name not in ("id", "slug") and not name.endswith("_id"))
        ]
        chosen = {name for name in names if arguments[name].get("required")}
        others = [name for name in names if name not in chosen]
        chosen.update(self._random.sample(others, min(len(others), self._random.choice((0, 1, 1, 2, 3, 4)))))
        query: dict[str, Any] = {}
        for name in sorted(chosen):
            value = self._draw_value(name, arguments[name])
            if value is not None:
                query[name] = value
        return query

    def _draw_value(self, name: str, argument: dict[str, Any]) -> Any:
        random = self._random
        if name in _NOT_ASKED or name.startswith("modified_"):
            return None  # when a record was changed is not compared
        kind = argument.get("type", "string")
        kind = random.choice(kind) if isinstance(kind, list) else kind
        if choices := argument.get("enum"):
            return random.choice(choices)
        if kind == "array":
            each = argument.get("items") or {"type": "string"}
            return [
                value for _ in range(random.choice((1, 1, 2))) if (value := self._draw_value(name, each)) is not None
            ]
        if kind == "boolean":
            return random.choice(("true", "false"))
        if kind in ("integer", "number"):
            return self._draw_number(name)
        if kind == "object":
            return None
        if argument.get("format") == "date-time" or name in ("after", "before", "date_min", "date_max"):
            return random.choice(self._moments)
        return random.choice(self._words)

    def _draw_number(self, name: str) -> int | None:
        random = self._random
        if name == "page":
            return random.choice((1, 1, 2, 3))
        if name == "per_page":
            return random.randint(1, 30)
        if name == "offset":
            return random.randint(0, 5)
        every = [id for ids in self._ids.values() for id in ids]
        likely = next((ids for base, ids in self._ids.items() if base.rstrip("s")[:6] == name.rstrip("s")[:6]), every)
        return random.choice(likely if random.random() < 0.8 and likely else every or [1])


class AnswerComparison:
    """Compares the answers of two sites. urls: theirs."""

    def __init__(self, a: Sequence[Client], b: Sequence[Client], urls: tuple[str, str]) -> None:
        self._clients = a, b
        self._forms = [ComparableForm((url, f"{url}/uploads")) for url in urls]

    def compare(self, read: Read) -> list[Difference]:
        """Return where the answers differ; empty where they agree."""
        a, b = (clients[0 if read.signed_in else 1].get(read.path, query=read.query) for clients in self._clients)
        found = [*_find_differences(self._describe(0, a), self._describe(1, b), "")]
        return [Difference(read, *one) for one in found]

    def _describe(self, side: int, answer: Answer) -> dict[str, Any]:
        try:
            body = answer.json
        except ValueError:
            body = answer.body.decode(errors="replace")
        return {
            "status": answer.status, "body": self._forms[side].convert(body),
            **{name: answer.headers.get(name) for name in _TOTALS},
        }  # fmt: skip


def _find_differences(a: Any, b: Any, place: str) -> Iterator[tuple[str, Any, Any]]:
    if isinstance(a, dict) and isinstance(b, dict):
        for name in dict.fromkeys((*a, *b)):
            yield from _find_differences(a.get(name), b.get(name), f"{place}.{name}" if place else name)
    elif isinstance(a, list) and isinstance(b, list) and len(a) == len(b):
        for at, (one, other) in enumerate(zip(a, b, strict=True)):
            yield from _find_differences(one, other, f"{place}.{at}")
    elif a != b:
        yield place, a, b
