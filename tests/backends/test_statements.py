"""Statements that the databases spell differently mean the same on each (backends/statement_cache.py)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings, strategies as st
from sqlalchemy import bindparam, case, delete, func, insert, or_, select

from vetrina.backends.database import Database, Statement, Transaction
from vetrina.backends.statement_cache import (
    ContainsText,
    InList,
    ListPosition,
    StatementCache,
    build_upsert,
    encode_list,
)
from vetrina.backends.tables.accounts import failure
from vetrina.backends.tables.options import option
from vetrina.backends.tables.records import searchable
from vetrina.backends.tables.terms import term

pytestmark = pytest.mark.every_database

LARGEST = 2**63 - 1
COLUMNS = {column.name: bindparam(column.name) for column in term.c}
INSERT = Statement(insert(term).values(COLUMNS))
PUT = Statement(insert(option).values(name=bindparam("name"), value=bindparam("value")))
EVERY = Statement(select(option.c.name, option.c.value).order_by(option.c.name))
FORGET = Statement(delete(option))


def put(tx: Transaction, *slugs: str, first: int = 1) -> None:
    """Store terms with these slugs, numbered from `first`."""
    common = {
        "taxonomy": "category", "language": "en", "description": "", "parent": 0, "count": 0, "meta": "{}",
        "source_language": "",
    }  # fmt: skip
    rows = [
        {**common, "id": id, "translations": id, "name": slug, "name_key": slug, "slug": slug}
        for id, slug in enumerate(slugs, first)
    ]
    tx.run_each(INSERT, rows)


@pytest.fixture
def tx(database: Database) -> Any:
    with database.begin_write() as tx:
        yield tx


def ids(tx: Transaction, *conditions: Any, order: Any = term.c.id, **values: Any) -> list[int]:
    return [row[0] for row in tx.all(Statement(select(term.c.id).where(*conditions).order_by(order)), **values)]


# -- among


@pytest.mark.parametrize(
    ("wanted", "found"),
    [((2,), [2]), ((3, 1, 3), [1, 3]), ((), []), ((-1, 0, 99, LARGEST), []), (range(-3000, 3000), [1, 2, 3])],
)
def test_among_numbers(tx: Transaction, wanted: Any, found: list[int]) -> None:
    put(tx, "a", "b", "c")
    assert ids(tx, InList(term.c.id, "ids"), ids=encode_list(wanted)) == found
    assert ids(tx, ~InList(term.c.id, "ids"), ids=encode_list(wanted)) == [id for id in (1, 2, 3) if id not in found]


ODD = [
    "a",
    "",
    'say "it"',
    "it's",
    "back\\slash",
    "{brace}",
    "[1,2]",
    "a,b",
    "null",
    "NULL",
    "è",
    "日本",
    "🙂",
    "a\nb",
    "\t",
]


@pytest.mark.parametrize("wanted", [*([text] for text in ODD), ODD, ["\0"], ["\\u0000"], ["x\\u0000y", "a"]])
def test_among_texts(tx: Transaction, wanted: list[str]) -> None:
    put(tx, *ODD, "\\u0000")
    found = [id for id, slug in enumerate([*ODD, "\\u0000"], 1) if slug in wanted]
    assert ids(tx, InList(term.c.slug, "slugs"), slugs=encode_list(wanted)) == found


def test_among_what_is_put_together(tx: Transaction) -> None:
    put(tx, "a", "b")
    both = term.c.taxonomy.concat(term.c.slug)
    assert ids(tx, InList(both, "kinds"), kinds=encode_list(["categoryb", "b"])) == [2]


def test_among_within_another_condition(tx: Transaction) -> None:
    put(tx, "a", "b", "c")
    either = or_(InList(term.c.id, "ids"), InList(term.c.slug, "slugs"))
    assert ids(tx, either, ids=encode_list([1]), slugs=encode_list(["c"])) == [1, 3]
    assert ids(tx, ~either, ids=encode_list([1]), slugs=encode_list(["c"])) == [2]


# -- contains


@pytest.mark.parametrize(
    "part", ["b", "B", "%", "_", "\\", "'", '"', "a%", "%a", "\\%", "è", "e", "🙂", "abc", "", "\0"]
)
def test_contains_is_byte_for_byte(tx: Transaction, part: str) -> None:
    texts = ["abc", "ABC", "100%", "a_b", "back\\slash", "it's", '"', "caffè", "caffe", "🙂 ok", "a%b", "%a", "\\%"]
    put(tx, *texts)
    found = [at for at, text in enumerate(texts, 1) if part in text]
    assert ids(tx, ContainsText(term.c.slug, "part"), part=part) == found
    assert ids(tx, ContainsText(term.c.slug, "part", looked_up=True), part=part) == found


def test_contains_in_an_order(tx: Transaction) -> None:
    put(tx, "xa", "ya", "xb")
    order = case((ContainsText(term.c.slug, "first"), 0), (ContainsText(term.c.slug, "then"), 1), else_=2)
    assert ids(tx, order=order, first="y", then="b") == [2, 3, 1]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)
@given(text=st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"])), data=st.data())
def test_contains_any_part_of_any_text(database: Database, text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text)))
    part = text[start : data.draw(st.integers(start, len(text)))]
    with database.begin_write() as tx:
        put(tx, text)
        assert ids(tx, ContainsText(term.c.slug, "part"), part=part) == [1]
        assert ids(tx, ContainsText(term.c.slug, "part", looked_up=True), part=part) == [1]
        tx.run(Statement(delete(term)))


# -- place


def test_the_place_in_a_list_of_numbers(tx: Transaction) -> None:
    put(tx, *(str(number) for number in range(1, 25)))
    wanted = (11, 2, 1, 21, 12)
    order = ListPosition(term.c.id, "ids")
    assert ids(tx, InList(term.c.id, "ids"), order=order, ids=encode_list(wanted)) == list(wanted)
    assert ids(tx, InList(term.c.id, "ids"), order=order.desc(), ids=encode_list(wanted)) == list(reversed(wanted))


def test_the_place_in_a_list_of_texts(tx: Transaction) -> None:
    put(tx, "b", "a", "ab", "è", "it's", "b-2")
    wanted = ("it's", "ab", "è", "b-2", "a", "b")
    found = ids(tx, InList(term.c.slug, "slugs"), order=ListPosition(term.c.slug, "slugs"), slugs=encode_list(wanted))
    assert found == [5, 3, 4, 6, 2, 1]


def test_what_is_not_in_the_list_comes_first(tx: Transaction) -> None:
    put(tx, "a", "b", "c")
    assert ids(tx, order=ListPosition(term.c.id, "ids"), ids=encode_list([3, 2])) == [1, 3, 2]


def test_a_value_that_is_listed_twice_stands_at_its_first_place(tx: Transaction) -> None:
    put(tx, "a", "b", "c")
    assert ids(tx, InList(term.c.id, "ids"), order=ListPosition(term.c.id, "ids"), ids=encode_list([2, 3, 2, 1])) == [
        2,
        3,
        1,
    ]


# -- upsert


def test_an_upsert_inserts_and_then_changes(tx: Transaction) -> None:
    put_option = Statement(
        build_upsert(
            option,
            keys=("name",),
            values={"name": bindparam("name"), "value": bindparam("value")},
            changes={"value": bindparam("value")},
        )
    )
    tx.run(put_option, name="a", value="1")
    tx.run(put_option, name="b", value="1")
    tx.run(put_option, name="a", value="2")
    assert tx.all(EVERY) == [("a", "2"), ("b", "1")]


def test_an_upsert_may_count_up(tx: Transaction) -> None:
    count_up = Statement(
        build_upsert(
            failure,
            keys=("key",),
            values={"key": bindparam("key"), "count": 1, "at": bindparam("at")},
            changes={"count": failure.c.count + 1, "at": bindparam("at")},
        )
    )
    for at in range(3):
        tx.run(count_up, key="a", at=at)
    assert tx.first(Statement(select(failure.c.count, failure.c.at))) == (3, 2)


# -- values and orders


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)
@given(st.lists(st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"])), unique=True, max_size=12))
@example(["Z", "a", "é", "e", "_", "-", "10", "9", "", " ", "~", "ß", "日", "🙂"])
def test_texts_are_kept_as_they_are_and_sorted_byte_by_byte(database: Database, texts: list[str]) -> None:
    with database.begin_write() as tx:
        tx.run_each(PUT, [{"name": text, "value": text} for text in texts])
        stored = tx.all(EVERY)
        tx.run(FORGET)
    assert stored == [(text, text) for text in sorted(texts, key=str.encode)]


def test_lower_changes_ascii_letters_only(tx: Transaction) -> None:
    tx.run(PUT, name="a", value="ÀBC")
    assert tx.value(Statement(select(func.lower(option.c.value)))) == "Àbc"


def test_a_range_of_texts_is_one_of_bytes(tx: Transaction) -> None:
    put(tx, "post", "post-2", "post-10", "Post-3", "post.x", "poste")
    found = ids(tx, term.c.slug >= bindparam("first"), term.c.slug < bindparam("last"), first="post-", last="post.")
    assert found == [2, 3]


def test_a_long_text_is_kept(tx: Transaction) -> None:
    text = "lunghissimo è " * 100_000
    tx.run(PUT, name="a", value=text)
    assert tx.value(Statement(select(option.c.value))) == text


@pytest.mark.parametrize("number", [0, -1, 2**31, 2**53 + 1, LARGEST, -(2**63)])
def test_a_number_is_kept_whatever_its_size(tx: Transaction, number: int) -> None:
    put(tx, "a")
    tx.run(Statement(term.update().values(count=bindparam("of"))), of=number)
    assert tx.value(Statement(select(term.c.count).where(term.c.count == bindparam("of"))), of=number) == number


def test_a_text_with_a_nul_does_no_harm(tx: Transaction) -> None:
    tx.run(PUT, name="a\0b", value="\0")
    tx.run_each(PUT, [{"name": "c\0", "value": "x"}])
    assert tx.value(Statement(select(func.count()).select_from(option))) == 2
    named = Statement(select(option.c.name).where(option.c.name == bindparam("name")))
    assert len(tx.all(named, name="a\0b")) == 1
    assert tx.all(named, name="ab") == []


# -- statements


def test_a_write_tells_how_many_rows_it_touched(tx: Transaction) -> None:
    put(tx, "a", "b", "c")
    assert tx.run_and_count(Statement(delete(term).where(term.c.id > bindparam("over"))), over=1) == 2
    assert tx.run_and_count(Statement(delete(term).where(term.c.id > bindparam("over"))), over=1) == 0


def test_what_finds_nothing_answers_none(tx: Transaction) -> None:
    nothing = Statement(select(term.c.id).where(term.c.id == bindparam("id")))
    assert (tx.first(nothing, id=1), tx.value(nothing, id=1), tx.all(nothing, id=1)) == (None, None, [])


def test_literals_and_repeated_names_are_bound(tx: Transaction) -> None:
    put(tx, "a", "b", "c")
    same = (term.c.id == bindparam("id"), term.c.translations == bindparam("id"), term.c.taxonomy == "category")
    assert ids(tx, *same, id=2) == [2]


def test_a_row_cannot_point_to_nothing(tx: Transaction) -> None:
    with pytest.raises(Exception, match=r"(?i)foreign key"), tx.savepoint():
        tx.run(Statement(insert(searchable).values(record=5, title="", content="", excerpt="")))


def test_a_kept_statement_serves_both_kinds(opened: Callable[[], Database]) -> None:
    shapes = StatementCache(most=2)
    built = []

    def build() -> Any:
        built.append(1)
        return select(option.c.value).where(InList(option.c.name, "names"))

    for _ in range(3):
        with opened().begin_read() as tx:
            assert tx.all(shapes.get("a", build), names=encode_list(["x"])) == []
    assert len(built) == 1
