"""Lists of records are filtered and sorted by the site's own fields. Rules: docs/rules/custom_field_lists.md."""

from __future__ import annotations

import pytest

from conftest import Client, SetClock, Stand
from recipes import PATH, ids, make, prepared_postgres_recipes, prepared_recipes, site_of_recipes

__all__ = ["prepared_postgres_recipes", "prepared_recipes", "site_of_recipes"]


@pytest.mark.every_database
def test_each_condition_finds_what_it_says(admin: Client, anyone: Client) -> None:
    one = make(
        admin, prep_minutes=10, rating=4.5, vegetarian=True, season="2026-03-01", served_at="2026-03-01T12:30:00",
        cuisine="italian", tags=["quick", "feast"], subtitle="Élan Vital", source="https://example.org/A",
    )  # fmt: skip
    two = make(
        admin, prep_minutes=-5, rating=-0.25, vegetarian=False, season="2026-05-01", served_at="2026-03-01T12:30:01",
        cuisine="french", tags=["cheap"], subtitle="Zeta", source="https://example.org/a", portions=2, goes_with=[one],
    )  # fmt: skip
    none = make(admin)
    found = {
        "meta.prep_minutes=10": [one],
        "meta.prep_minutes[eq]=10": [one],
        "meta.prep_minutes=11": [],
        "meta.prep_minutes[ne]=10": [none, two],
        "meta.prep_minutes[gt]=-5": [one],
        "meta.prep_minutes[gte]=-5": [two, one],
        "meta.prep_minutes[lt]=10": [two],
        "meta.prep_minutes[lte]=10": [two, one],
        "meta.prep_minutes[in]=10, 7": [one],
        "meta.prep_minutes[exists]=true": [two, one],
        "meta.prep_minutes[exists]=false": [none],
        "meta.rating[gte]=-0.25": [two, one],
        "meta.rating[gt]=4.25": [one],
        "meta.vegetarian=true": [one],
        "meta.vegetarian=0": [two],
        "meta.vegetarian[ne]=true": [none, two],
        "meta.season[gt]=2026-03-01": [two],
        "meta.season=2026-03-01": [one],
        "meta.season[gte]=2026-03-01&meta.season[lt]=2026-05-01": [one],
        "meta.served_at[gt]=2026-03-01T12:30:00": [two],
        # An instant, as the clocks of Rome show it.
        "meta.served_at=2026-03-01T11:30:00Z": [one],
        "meta.cuisine[in]=french,thai": [two],
        "meta.cuisine[ne]=french": [none, one],
        "meta.tags=feast": [one],
        "meta.tags[in]=feast,quick,cheap": [two, one],
        "meta.tags[ne]=quick": [none, two],
        "meta.subtitle=elan%20vital": [one],
        "meta.subtitle[starts]=ELA": [one],
        "meta.subtitle[starts]=lan": [],
        "meta.source=https://example.org/a": [two],
        "meta.source[starts]=https://example.org/": [two, one],
        f"meta.goes_with={one}": [two],
        f"meta.goes_with[in]={one},{two}": [two],
        "meta.portions=4": [none, one],
        "meta.portions[lt]=4": [two],
    }
    assert {query: ids(anyone, query.replace(" ", "%20")) for query in found} == found


@pytest.mark.every_database
def test_conditions_are_joined_by_and_with_every_other_filter(admin: Client, author: Client, anyone: Client) -> None:
    one = make(admin, prep_minutes=10, cuisine="thai", vegetarian=True)
    make(admin, prep_minutes=10, cuisine="thai", vegetarian=False)
    other = make(author, prep_minutes=20, cuisine="thai", vegetarian=True)
    filled = "meta.cuisine=thai&meta.vegetarian=true"
    assert ids(anyone, filled) == [other, one]
    assert ids(anyone, f"{filled}&meta.prep_minutes[gte]=5&meta.prep_minutes[lt]=15") == [one]
    assert ids(anyone, f"{filled}&exclude={one}") == [other]
    assert ids(anyone, f"{filled}&author=1") == [one]
    assert ids(anyone, f"{filled}&categories=1") == [other, one]
    assert ids(anyone, f"{filled}&search=recipe") == [other, one]
    assert ids(anyone, f"{filled}&search=recipe&orderby=meta.prep_minutes&order=desc") == [other, one]
    assert ids(anyone, f"{filled}&categories=1&orderby=meta.prep_minutes&order=asc") == [one, other]


def test_a_query_may_be_nested_and_a_body_too(admin: Client, anyone: Client) -> None:
    one = make(admin, prep_minutes=10)
    make(admin, prep_minutes=20)
    assert ids(anyone, "meta[prep_minutes]=10") == [one]
    assert ids(anyone, "meta%5Bprep_minutes%5D%5Blt%5D=15") == [one]
    assert [of["id"] for of in anyone.ask("GET", PATH, json={"meta": {"prep_minutes": {"lt": 15}}}).json] == [one]


def test_links_to_other_pages_keep_the_conditions(admin: Client, anyone: Client) -> None:
    made = [make(admin, prep_minutes=number) for number in range(3)]
    first = anyone.get(f"{PATH}?meta.prep_minutes[gte]=1&orderby=meta.prep_minutes&per_page=1")
    assert [one["id"] for one in first.json] == made[2:]
    address = first.headers["link"].split("<")[1].split(">")[0]
    assert [one["id"] for one in anyone.get(address.partition("/en/cms-json")[2]).json] == [made[1]]


@pytest.mark.every_database
@pytest.mark.parametrize("way", ["asc", "desc"])
def test_an_order_puts_what_has_no_value_last_and_is_exact_on_pages(
    admin: Client, anyone: Client, way: str
) -> None:  # fmt: skip
    made = [(make(admin, **({} if minutes is None else {"prep_minutes": minutes})), minutes) for minutes in (
        5, None, -3, 5, 1000, None, 7,
    )]  # fmt: skip
    up = way == "asc"
    with_value = sorted((minutes, id) for id, minutes in made if minutes is not None)
    without = sorted(id for id, minutes in made if minutes is None)
    wanted = [id for _, id in (with_value if up else with_value[::-1])] + (without if up else without[::-1])
    for size in (1, 2, 3, 7, 10):
        pages = [
            anyone.get(f"{PATH}?orderby=meta.prep_minutes&order={way}&per_page={size}&page={page}")
            for page in range(1, -(-len(made) // size) + 1)
        ]
        assert [one["id"] for page in pages for one in page.json] == wanted
        assert {page.headers["x-cms-total"] for page in pages} == {"7"}
    past = anyone.get(f"{PATH}?orderby=meta.prep_minutes&page=2")
    assert (past.status, past.code) == (400, "rest_post_invalid_page_number")
    assert ids(anyone, f"orderby=meta.prep_minutes&order={way}&meta.prep_minutes[gt]=5") == [
        id for id in wanted if id in dict(made) and (dict(made)[id] or 0) > 5
    ]
    assert anyone.get(f"{PATH}?orderby=meta.prep_minutes&order={way}&offset=4").json[0]["id"] == wanted[4]


@pytest.mark.every_database
def test_texts_are_sorted_without_case_and_accents(admin: Client, anyone: Client) -> None:
    made = {text: make(admin, subtitle=text) for text in ("Zeta", "alfa", "Élan", "beta")}
    assert ids(anyone, "orderby=meta.subtitle&order=asc") == [made[text] for text in ("alfa", "beta", "Élan", "Zeta")]


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ("meta.prep_minuts=1", "did you mean 'prep_minutes'?"),
        ("meta.notes=x", "meta.notes is no field to filter by"),
        ("meta.prep_minutes[gtee]=1", "meta.prep_minutes[gtee] is no condition; did you mean 'gte'?"),
        ("meta.cuisine[gt]=a", "meta.cuisine[gt] is no condition"),
        ("meta.vegetarian[starts]=t", "meta.vegetarian[starts] is no condition"),
        ("meta.prep_minutes=soon", "meta.prep_minutes is not of type integer."),
        ("meta.prep_minutes[gte]=", "meta.prep_minutes[gte] is not of type integer."),
        ("meta.prep_minutes[in]=1,x", "meta.prep_minutes[in] is not of type integer."),
        ("meta.prep_minutes[][gte]=1", "meta.prep_minutes is not of type integer."),
        ("meta.cuisine=greek", "meta.cuisine is not one of italian, french, and thai."),
        ("meta.cuisine[]=thai", "meta.cuisine is not of type string."),
        ("meta.vegetarian=maybe", "meta.vegetarian is not of type boolean."),
        ("meta.season=spring", "meta.season is no date."),
        ("meta.season=2026-02-30T99:00:00", "meta.season is no date."),
        ("meta.subtitle=", "meta.subtitle is empty."),
        ("meta.subtitle[exists]=perhaps", "meta.subtitle[exists] is not of type boolean."),
        ("meta.prep_minutes[in]=" + ",".join(["1"] * 1001), "must contain at most 1000 items"),
        ("meta=x", "meta is not of type object."),
        ("meta.cost=1", "You may not read meta.cost"),
        ("meta.cost[exists]=true", "You may not read meta.cost"),
    ],
)
def test_what_is_no_condition_is_refused_with_its_name(anyone: Client, query: str, message: str) -> None:
    answer = anyone.get(f"{PATH}?{query}")
    assert (answer.status, answer.code) == (400, "rest_invalid_param")
    assert message in answer.json["data"]["params"]["meta"]


def test_every_fault_is_named_at_once(anyone: Client) -> None:
    answer = anyone.get(f"{PATH}?meta.prep_minutes=x&meta.season=x&order=x")
    assert set(answer.json["data"]["params"]) == {"meta", "order"}
    assert "meta.prep_minutes" in answer.json["data"]["params"]["meta"]
    assert "meta.season" in answer.json["data"]["params"]["meta"]


def test_a_field_that_the_caller_may_not_read_neither_filters_nor_sorts(admin: Client, anyone: Client) -> None:
    one = make(admin, cost=3)
    answer = anyone.get(f"{PATH}?orderby=meta.cost")
    assert (answer.status, answer.code) == (400, "rest_invalid_param")
    assert "You may not read meta.cost" in answer.json["data"]["params"]["orderby"]
    assert ids(admin, "meta.cost[lt]=4&orderby=meta.cost") == [one]


@pytest.mark.every_database
def test_what_a_password_hides_is_not_found_by_its_fields(
    admin: Client, editor: Client, subscriber: Client, anyone: Client
) -> None:  # fmt: skip
    plain, secret, none = make(admin, prep_minutes=10), make(admin, prep_minutes=20), make(admin)
    assert admin.post(f"{PATH}/{secret}", {"password": "open sesame"}).status == 200
    for reader in (anyone, subscriber):
        assert ids(reader, "meta.prep_minutes[gte]=5") == [plain]
        assert ids(reader, "meta.prep_minutes=20") == []
        # To its readers it is a record that has no value.
        assert ids(reader, "meta.prep_minutes[exists]=false") == [none, secret]
        assert ids(reader, "meta.prep_minutes[ne]=20") == [none, secret, plain]
        assert ids(reader, "orderby=meta.prep_minutes") == [plain, none, secret]
    assert ids(editor, "meta.prep_minutes[gte]=5") == [secret, plain]
    assert ids(editor, "orderby=meta.prep_minutes") == [secret, plain, none]


def test_the_index_options_and_openapi_show_what_can_be_asked(site: Stand, anyone: Client) -> None:
    shown = anyone.options(PATH).json["endpoints"][0]["args"]
    assert {"meta.prep_minutes", "meta.subtitle"} <= set(shown["orderby"]["enum"])
    assert not {"meta.tags", "meta.goes_with", "meta.notes"} & set(shown["orderby"]["enum"])
    conditions = shown["meta"]["properties"]["prep_minutes"]["oneOf"][1]["properties"]
    assert set(conditions) == {"eq", "ne", "gt", "gte", "lt", "lte", "in", "exists"}
    assert "notes" not in shown["meta"]["properties"]
    assert "meta" not in anyone.options("/cms/v2/posts").json["endpoints"][0]["args"]
    named = anyone.get("").json["routes"][PATH]["endpoints"][0]["args"]
    assert named["meta"] == shown["meta"]


@pytest.mark.every_database
def test_every_write_of_a_record_moves_what_lists_find(site: Stand, admin: Client, anyone: Client) -> None:
    one = make(admin, "draft", prep_minutes=10)
    query = "meta.prep_minutes=10"
    assert (ids(anyone, query), ids(admin, f"{query}&status=draft")) == ([], [one])
    assert admin.post(f"{PATH}/{one}", {"status": "publish"}).status == 200
    assert ids(anyone, query) == [one]
    assert admin.post(f"{PATH}/{one}", {"meta": {"prep_minutes": 11}}).status == 200
    assert (ids(anyone, query), ids(anyone, "meta.prep_minutes=11")) == ([], [one])
    assert admin.post(f"{PATH}/{one}", {"meta": {"prep_minutes": None}}).status == 200
    assert (ids(anyone, "meta.prep_minutes=11"), ids(anyone, "meta.prep_minutes[exists]=false")) == ([], [one])
    assert admin.post(f"{PATH}/{one}", {"meta": {"prep_minutes": 10}}).status == 200
    other = make(admin, prep_minutes=10)
    assert admin.post(f"{PATH}/{one}", {"date": "2031-01-01T00:00:00", "status": "publish"}).json["status"] == "future"
    assert ids(anyone, query) == [other]
    assert admin.post(f"{PATH}/{one}", {"date": "2001-01-01T00:00:00", "status": "publish"}).json["status"] == "publish"
    assert ids(anyone, query) == [other, one]
    assert admin.delete(f"{PATH}/{one}").status == 200
    assert (ids(anyone, query), ids(admin, f"{query}&status=trash")) == ([other], [one])
    assert admin.post(f"{PATH}/{one}", {"status": "publish"}).status == 200
    assert ids(anyone, query) == [other, one]
    assert admin.delete(f"{PATH}/{one}?force=true").status == 200
    assert ids(anyone, query) == [other]


@pytest.mark.in_process("its jobs are run here")
def test_a_scheduled_record_is_found_from_its_hour_on(
    site: Stand, admin: Client, anyone: Client, clock: SetClock
) -> None:  # fmt: skip
    site.site.start_jobs()
    meta = {"prep_minutes": 10}
    one = admin.post(
        PATH, {"title": "Later", "status": "publish", "date_gmt": "2099-01-01T00:00:00", "meta": meta}
    ).json
    assert (one["status"], ids(anyone, "meta.prep_minutes=10")) == ("future", [])
    clock.forward(4_080_000_000 - clock.now())
    site.site.run_due_jobs()
    assert ids(anyone, "meta.prep_minutes=10") == [one["id"]]


def test_a_batch_is_answered_by_what_it_has_written(admin: Client) -> None:
    requests = [
        {"path": PATH, "body": {"title": "In a batch", "status": "publish", "meta": {"prep_minutes": number}}}
        for number in (1, 2)
    ]
    assert {one["status"] for one in admin.post("/batch/v1", {"requests": requests}).json["responses"]} == {201}
    assert len(ids(admin, "meta.prep_minutes[in]=1,2")) == 2
