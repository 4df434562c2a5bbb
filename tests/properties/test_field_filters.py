"""Lists filtered and sorted by own fields are what a look at every record gives, on every page."""

from __future__ import annotations

import operator
from collections.abc import Callable
from itertools import pairwise
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from conftest import Client, Stand
from recipes import PATH, prepared_postgres_recipes, prepared_recipes, site_of_recipes
from vetrina.content.custom_fields.value_keys import encode_number

__all__ = ["prepared_postgres_recipes", "prepared_recipes", "site_of_recipes"]

Meta = dict[str, Any]
Condition = tuple[str, str, Any]  # field, operator, value

VALUES: dict[str, tuple[Any, ...]] = {
    "prep_minutes": (-7, 0, 3, 10, 200),
    "rating": (-1.5, -0.1, 0.1, 3, 3.25),
    "vegetarian": (True, False),
    "season": ("1969-12-31", "2000-02-29", "2026-01-01"),
    "cuisine": ("italian", "french", "thai"),
    "tags": ("quick", "cheap", "feast"),
    "subtitle": ("alfa", "alfabeto", "beta", "b"),
}
COMPARED: dict[str, Callable[[Any, Any], bool]] = {
    "eq": operator.eq, "gt": operator.gt, "gte": operator.ge, "lt": operator.lt, "lte": operator.le,
    "in": lambda value, others: value in others, "starts": lambda value, start: value.startswith(start),
}  # fmt: skip
ORDERED = ("eq", "ne", "gt", "gte", "lt", "lte", "in", "exists")
OPERATORS = {
    "prep_minutes": ORDERED, "rating": ORDERED, "season": ORDERED, "vegetarian": ("eq", "ne", "exists"),
    "cuisine": ("eq", "ne", "in", "exists"), "tags": ("eq", "ne", "in", "exists"),
    "subtitle": ("eq", "ne", "in", "starts", "exists"),
}  # fmt: skip
SORTED = ("prep_minutes", "rating", "vegetarian", "season", "subtitle", "cuisine")


@st.composite
def conditions(draw: st.DrawFn) -> Condition:
    field = draw(st.sampled_from(sorted(VALUES)))
    how = draw(st.sampled_from(OPERATORS[field]))
    one = st.sampled_from(VALUES[field])
    if how == "exists":
        return field, how, draw(st.booleans())
    return field, how, draw(st.lists(one, min_size=1, max_size=3)) if how == "in" else draw(one)


def is_match(meta: Meta, condition: Condition) -> bool:
    field, how, wanted = condition
    stored = meta.get(field)
    values = [] if stored is None else stored if isinstance(stored, list) else [stored]
    if how == "exists":
        return bool(values) == wanted
    if how == "ne":
        return wanted not in values
    return any(COMPARED[how](value, wanted) for value in values)


def write(query: list[Condition]) -> str:
    """Return conditions as a client writes them; of two alike the last counts, as in any query."""
    parts = []
    for field, how, value in query:
        text = ",".join(map(str, value)) if isinstance(value, list) else str(value).lower()
        parts.append(f"meta.{field}{'' if how == 'eq' else f'[{how}]'}={text}")
    return "&".join(parts)


def keep_last(query: list[Condition]) -> list[Condition]:
    """Return conditions without those that a later one replaces, or that a plain value and conditions of it would."""
    kept: dict[tuple[str, str], Condition] = {}
    for one in query:
        plain = {key for key in kept if key[0] == one[0] and "eq" in (key[1], one[1])}
        for key in plain:
            del kept[key]
        kept[one[0], one[1]] = one
    return list(kept.values())


def make_meta(random: Random) -> Meta:
    meta: Meta = {}
    for field, values in VALUES.items():
        if random.random() < 0.7:
            meta[field] = random.sample(values, 2) if field == "tags" else random.choice(values)
    return meta


def sort(records: dict[int, tuple[int, Meta]], order: str, up: bool) -> list[int]:
    """Return ids in an order: `date`, or a field, by which records without a value come last."""
    if order == "date":
        return sorted(records, key=lambda id: (records[id][0], id), reverse=not up)
    valued = [id for id in records if order in records[id][1]]
    rest = [id for id in records if order not in records[id][1]]
    valued.sort(key=lambda id: (records[id][1][order], id), reverse=not up)
    return [*valued, *sorted(rest, reverse=not up)]


@pytest.mark.in_process("its cache is made small")
@pytest.mark.every_database
@pytest.mark.parametrize("few", [2, 2_000], ids=["read along an index", "picked by their ids"])
def test_a_list_is_what_a_look_at_every_record_gives(site: Stand, admin: Client, anyone: Client, few: int) -> None:
    random, records = Random(7), dict[int, tuple[int, Meta]]()
    site.site.context.filter_cache.most_ids = few

    def save(id: int | None) -> None:
        meta, day = make_meta(random), random.randrange(10, 28)
        given = {**dict.fromkeys(VALUES), **meta}
        body = {"title": "x", "status": "publish", "date": f"2020-01-{day}T00:00:00", "meta": given}
        answer = admin.post(PATH if id is None else f"{PATH}/{id}", body)
        assert answer.status in (200, 201), answer.json
        records[answer.json["id"]] = (day, meta)

    for _ in range(30):
        save(None)

    @given(
        query=st.lists(conditions(), max_size=4).map(keep_last),
        order=st.sampled_from(("date", *SORTED)),
        up=st.booleans(),
        size=st.sampled_from((3, 7, 50)),
        changed=st.integers(0, 5),
    )
    @settings(max_examples=40, suppress_health_check=[HealthCheck.too_slow])
    def check(query: list[Condition], order: str, up: bool, size: int, changed: int) -> None:
        if changed == 0:
            save(random.choice(list(records)))
        matching = {id: of for id, of in records.items() if all(is_match(of[1], one) for one in query)}
        wanted = sort(matching, order, up)
        by = "date" if order == "date" else f"meta.{order}"
        asked = f"{PATH}?{write(query)}&orderby={by}&order={'asc' if up else 'desc'}&per_page={size}&_fields=id"
        found: list[int] = []
        for page in range(1, max(2, -(-len(wanted) // size) + 1)):
            answer = anyone.get(f"{asked}&page={page}")
            assert (answer.status, int(answer.headers["x-cms-total"])) == (200, len(wanted)), (asked, answer.json)
            found += [one["id"] for one in answer.json]
        assert found == wanted, asked

    check()


@given(st.lists(st.one_of(st.floats(allow_nan=False), st.integers(-(10**400), 10**400)), min_size=2, max_size=20))
def test_keys_of_numbers_sort_as_the_numbers_do(numbers: list[float]) -> None:
    by_key = sorted(numbers, key=encode_number)
    # Beyond what double precision tells apart, numbers have one key.
    assert [encode_number(one) for one in by_key] == [encode_number(one) for one in sorted(numbers)]
    for one, other in pairwise(by_key):
        assert one <= other or encode_number(one) == encode_number(other)
