"""Lists of records over HTTP: pages, orders, filters, searches, and what a caller may not read."""

from urllib.parse import parse_qs, urlsplit

import pytest

POSTS = "/cms/v2/posts"


def make(client, **members):
    answer = client.post(POSTS, {"title": "Voce", "status": "publish", **members})
    assert answer.status == 201, answer.json
    return answer.json["id"]


def ids(client, query=None, path=POSTS):
    answer = client.get(path, query=query)
    assert answer.status == 200, answer.json
    return [post["id"] for post in answer.json]


@pytest.fixture
def five(editor):
    """Five posts, the oldest first."""
    return [make(editor, title=f"Voce {day}", date=f"2024-05-0{day}T12:00:00") for day in range(1, 6)]


# -- pages


def test_a_list_has_ten_of_the_newest_first(editor, anyone):
    made = [make(editor, date=f"2024-05-{day:02}T12:00:00") for day in range(1, 13)]
    assert ids(anyone) == made[:1:-1]


def test_pages_hold_every_record_once(anyone, five):
    found = [ids(anyone, {"per_page": 2, "page": page}) for page in (1, 2, 3)]
    assert [len(page) for page in found] == [2, 2, 1]
    assert [id for page in found for id in page] == five[::-1]


def test_records_of_the_same_moment_are_on_one_page_each(editor, anyone):
    made = {make(editor, date="2024-05-01T12:00:00") for _ in range(6)}
    for order in ("asc", "desc"):
        found = [id for page in (1, 2, 3) for id in ids(anyone, {"per_page": 2, "page": page, "order": order})]
        assert len(found) == len(set(found)) == 6
        assert set(found) == made


@pytest.mark.parametrize("orderby", ["date", "title", "author", "modified", "slug", "id"])
def test_a_list_of_several_statuses_is_one_list(editor, orderby):
    for at in range(11):
        make(
            editor, title=f"Voce {at % 4}", date=f"2024-05-0{at % 3 + 1}T12:00:00", status=("publish", "draft")[at % 2]
        )
    for order in ("asc", "desc"):
        asked = {"status": "draft,publish,draft,private", "orderby": orderby, "order": order}
        whole = ids(editor, {**asked, "per_page": 100})
        assert len(set(whole)) == len(whole) == 11
        pages = [ids(editor, {**asked, "per_page": 3, "page": page}) for page in (1, 2, 3, 4)]
        assert [id for page in pages for id in page] == whole
        offsets = [ids(editor, {**asked, "per_page": 3, "offset": start}) for start in (0, 5, 9)]
        assert offsets == [whole[:3], whole[5:8], whole[9:]]
    shown = editor.get(POSTS, query={**asked, "orderby": "date", "per_page": 100}).json
    assert [(one["date"], one["id"]) for one in shown] == sorted(
        ((one["date"], one["id"]) for one in shown), reverse=True
    )


def test_a_search_finds_records_of_every_status(editor):
    made = [
        make(editor, title=f"Voce {at}", status=status) for at, status in enumerate(("publish", "draft", "publish"))
    ]
    found = {"status": "any", "search": "voce"}
    assert ids(editor, found) == made[::-1]
    later = make(editor, title="Voce 4", status="pending")
    assert ids(editor, found) == [later, *made[::-1]]
    assert ids(editor, {"status": "private,future", "search": "voce"}) == []


def test_totals_and_neighbours_are_in_the_headers(anyone, five):
    answer = anyone.get(POSTS, query={"per_page": 2, "page": 2, "search": "Voce"})
    assert (answer.headers["x-cms-total"], answer.headers["x-cms-totalpages"]) == ("5", "3")
    before, after = answer.headers["link"].split(", ")
    assert before.endswith('rel="prev"')
    assert after.endswith('rel="next"')
    query = parse_qs(urlsplit(after[1 : after.index(">")]).query)
    assert query == {"per_page": ["2"], "page": ["3"], "search": ["Voce"]}


def test_a_neighbours_address_can_be_followed(anyone, five):
    answer = anyone.get(POSTS, query={"per_page": 2, "include": [five[0], five[1], five[2]]})
    target = answer.headers["link"].partition("<http://vetrina.test/en/cms-json")[2].partition(">")[0]
    followed = anyone.get(target)
    assert ids(anyone, {"per_page": 2, "include": [five[0], five[1], five[2]]}) == [five[2], five[1]]
    assert [post["id"] for post in followed.json] == [five[0]]


def test_a_page_beyond_the_last_is_refused_and_that_of_nothing_is_empty(anyone, five):
    answer = anyone.get(POSTS, query={"page": 2})
    assert (answer.status, answer.code) == (400, "rest_post_invalid_page_number")
    assert ids(anyone, {"page": 7, "search": "nothing like it"}) == []


def test_an_offset_replaces_the_page(anyone, five):
    assert ids(anyone, {"offset": 3, "per_page": 10}) == five[1::-1]
    beyond = anyone.get(POSTS, query={"offset": 5})
    assert (beyond.json, beyond.headers["x-cms-total"]) == ([], "0")


@pytest.mark.parametrize("offset", [0, 1])
def test_an_offset_excuses_no_page_beyond_the_last(anyone, five, offset):
    answer = anyone.get(POSTS, query={"offset": offset, "per_page": 2, "page": 4})
    assert (answer.status, answer.code) == (400, "rest_post_invalid_page_number")
    assert ids(anyone, {"offset": offset, "per_page": 2, "page": 3}) == five[::-1][offset : offset + 2]
    assert ids(anyone, {"offset": 5, "per_page": 2, "page": 4}) == []


@pytest.mark.parametrize(
    ("name", "value"), [("per_page", 0), ("per_page", 101), ("page", 0), ("page", "x"), ("order", "up")]
)
def test_a_wrong_argument_is_named(anyone, name, value):
    answer = anyone.get(POSTS, query={name: value})
    assert (answer.status, answer.code, list(answer.json["data"]["params"])) == (400, "rest_invalid_param", [name])


def test_all_wrong_arguments_of_a_round_are_named(anyone):
    answer = anyone.get(POSTS, query={"order": "x", "after": "y", "author": "z"})
    assert sorted(answer.json["data"]["params"]) == ["after", "author", "order"]
    assert list(anyone.get(POSTS, query={"per_page": 0, "order": "x"}).json["data"]["params"]) == ["per_page"]


# -- who sees what


def test_only_what_is_published_is_listed(editor, anyone):
    shown = make(editor)
    for status in ("draft", "pending", "private"):
        make(editor, status=status)
    make(editor, date="2199-01-01T00:00:00")
    assert ids(anyone) == ids(editor) == [shown]
    assert len(ids(editor, {"status": "any"})) == 5


@pytest.mark.parametrize("status", ["draft", "any", "private", "publish,draft", "unheard-of"])
def test_other_statuses_need_a_right(anyone, subscriber, status):
    for client in (anyone, subscriber):
        answer = client.get(POSTS, query={"status": status})
        assert (answer.status, answer.code) == (400, "rest_invalid_param")
        assert answer.json["data"]["details"]["status"]["code"] == "rest_forbidden_status"


def test_a_status_is_known_in_any_letter_case(editor, anyone):
    draft, shown = make(editor, status="draft"), make(editor)
    assert ids(editor, {"status": "DRAFT"}) == [draft]
    assert ids(editor, {"status": "Publish, Draft"}) == [shown, draft]
    assert ids(anyone, {"status": "PUBLISH"}) == [shown]
    assert anyone.get(POSTS, query={"status": "DRAFT"}).status == 400


def test_an_author_sees_the_drafts_of_others_neither_in_view_nor_in_edit(editor, author):
    make(editor, status="draft")
    own = make(author, status="draft")
    assert ids(author, {"status": "draft"}) == [own]
    assert ids(author, {"status": "draft", "context": "edit"}) == [own]


def test_the_editing_view_of_a_list_is_refused_to_who_writes_nothing(anyone, subscriber, author):
    answers = [client.get(POSTS, query={"context": "edit"}) for client in (anyone, subscriber, author)]
    assert [(answer.status, answer.code) for answer in answers] == [
        (401, "rest_forbidden_context"), (403, "rest_forbidden_context"), (200, None),
    ]  # fmt: skip


# -- orders


def test_titles_are_ordered_without_regard_to_case_and_accents(editor, anyone):
    made = {title: make(editor, title=title) for title in ("zeta", "Élan", "alfa", "Eco", "beta")}
    found = ids(anyone, {"orderby": "title", "order": "asc"})
    assert found == [made[title] for title in ("alfa", "beta", "Eco", "Élan", "zeta")]


def test_orders_by_number_slug_author_and_change(editor, author, anyone):
    first, second = make(editor, slug="b"), make(author, slug="a")
    editor.post(f"{POSTS}/{first}", {"excerpt": "x"})
    assert ids(anyone, {"orderby": "id", "order": "asc"}) == [first, second]
    assert ids(anyone, {"orderby": "slug", "order": "asc"}) == [second, first]
    assert ids(anyone, {"orderby": "author", "order": "asc"}) == [first, second]
    assert ids(anyone, {"orderby": "include", "include": [second, first]}) == [second, first]
    assert ids(anyone, {"orderby": "include_slugs", "slug": ["b", "a"]}) == [first, second]


@pytest.mark.parametrize("order", ["asc", "desc"])
def test_the_order_of_slugs_without_slugs_is_the_oldest_first(anyone, five, order):
    assert ids(anyone, {"orderby": "include_slugs", "order": order}) == five


@pytest.mark.parametrize(
    ("orderby", "code"),
    [("include", "rest_orderby_include_missing_include"), ("relevance", "rest_no_search_term_defined")],
)
def test_an_order_that_needs_more_says_so(anyone, orderby, code):
    assert anyone.get(POSTS, query={"orderby": orderby}).code == code


# -- filters


@pytest.mark.parametrize("text", ["include={0},{1}", "include={0}+{1}", "include[]={0}&include[]={1}",
                                  "include[7]={0}&include[3]={1}", "include%5B%5D={0}&include%5B%5D={1}",
                                  "include={0},{1},{0},99999", "include=-{0},{1}"])  # fmt: skip
def test_a_list_of_numbers_may_be_written_in_any_way(anyone, five, text):
    assert ids(anyone, text.format(five[0], five[3])) == [five[3], five[0]]


def test_include_and_exclude(anyone, five):
    assert ids(anyone, {"exclude": five[1:4]}) == [five[4], five[0]]
    assert ids(anyone, {"include": five[0], "exclude": five[0]}) == [five[0]]
    assert ids(anyone, {"include": 0}) == []
    assert ids(anyone, "include=") == five[::-1]


def test_dates_bound_a_list_without_their_ends(anyone, five):
    assert ids(anyone, {"after": "2024-05-02T12:00:00", "before": "2024-05-04T12:00:00"}) == [five[2]]
    assert ids(anyone, {"after": "2024-05-05T09:59:59Z"}) == [five[4]]
    assert ids(anyone, {"after": "2024-05-05T10:00:00Z"}) == []


@pytest.mark.parametrize("name", ["after", "before", "modified_after", "modified_before"])
@pytest.mark.parametrize("date", ["0000-01-01T00:00:00", "9999-12-31T23:59:59-14:00"])
def test_a_date_outside_all_calendars_is_named(anyone, name, date):
    answer = anyone.get(POSTS, query={name: date})
    assert (answer.status, list(answer.json["data"]["params"])) == (400, [name])


def test_authors_and_slugs_choose(editor, author, anyone):
    first, second = make(editor, slug="uno"), make(author, slug="due")
    number = author.get("/cms/v2/users/me").json["id"]
    assert ids(anyone, {"author": number}) == [second]
    assert ids(anyone, {"author_exclude": number}) == [first]
    assert ids(anyone, {"slug": "UNO,nessuno"}) == [first]
    assert ids(anyone, {"author": 99_999}) == ids(anyone, {"author": 0}) == []


def test_terms_choose_any_all_or_none(editor, anyone):
    red, blue = (editor.post("/cms/v2/tags", {"name": name}).json["id"] for name in ("Rosso", "Blu"))
    both, one, none = make(editor, tags=[red, blue]), make(editor, tags=[red]), make(editor)
    assert ids(anyone, {"tags": [red, blue]}) == [one, both]
    assert ids(anyone, {"tags": {"terms": [red, blue], "operator": "AND"}}) == [both]
    assert ids(anyone, {"tags_exclude": blue}) == [none, one]
    assert ids(anyone, {"tags": red, "tags_exclude": blue}) == [one]
    assert ids(anyone, {"tags": red, "categories": 1, "categories_exclude": 99_999}) == [one, both]
    assert ids(anyone, {"tags": 99_999}) == []
    empty = anyone.get(POSTS, query="tags=")
    assert empty.json["data"]["details"]["tags"]["code"] == "rest_one_of_multiple_matches"


def test_several_taxonomies_join_by_and_or_by_or(editor, anyone):
    tag = editor.post("/cms/v2/tags", {"name": "Rosso"}).json["id"]
    category = editor.post("/cms/v2/categories", {"name": "Vini"}).json["id"]
    both, first, second = (
        make(editor, tags=[tag], categories=[category]), make(editor, tags=[tag]), make(editor, categories=[category]),
    )  # fmt: skip
    assert ids(anyone, {"tags": tag, "categories": category}) == [both]
    assert ids(anyone, {"tags": tag, "categories": category, "tax_relation": "OR"}) == [second, first, both]


def test_children_of_a_category_are_found_only_where_asked(editor, anyone):
    top = editor.post("/cms/v2/categories", {"name": "Vini"}).json["id"]
    below = editor.post("/cms/v2/categories", {"name": "Rossi", "parent": top}).json["id"]
    post = make(editor, categories=[below])
    assert ids(anyone, {"categories": top}) == []
    assert ids(anyone, {"categories": {"terms": [top], "include_children": True}}) == [post]


def test_formats_choose(editor, anyone):
    plain, quote = make(editor), make(editor, format="quote")
    assert ids(anyone, {"format": "quote"}) == [quote]
    assert ids(anyone, {"format": "standard"}) == [plain]
    twice = anyone.get(POSTS, query={"format": ["quote", "quote"]})
    assert twice.json["data"]["details"]["format"]["code"] == "rest_duplicate_items"


def test_unknown_parameters_are_passed_over(anyone, five):
    assert ids(anyone, {"unheard": "of", "orderby ": "x"}) == five[::-1]


# -- search


@pytest.mark.parametrize(
    ("search", "found"),
    [
        ("perche", True), ("PERCHÉ", True), ("mele", True), ("mele perche", True), ("mele assenti", False),
        ('"mele rosse"', True), ('"rosse mele"', False), ("rosse mele", True), ("-assenti", True),
        ("mele -rosse", False), ("100%", True), ("1_0", False), ("el", True), ("", True), ("   ", True),
        ("<b>mele</b>", True), ("mele - rosse", True), ("%", True), ("'", False),
    ],
)  # fmt: skip
def test_a_search_finds_every_word_anywhere(editor, anyone, search, found):
    post = make(editor, title="Perché no", content="mele rosse al 100%", excerpt="sunto")
    assert ids(anyone, {"search": search}) == ([post] if found else [])


def test_a_search_looks_only_into_the_columns_that_are_named(editor, anyone):
    title, content = make(editor, title="mela"), make(editor, content="mela")
    assert ids(anyone, {"search": "mela", "search_columns": "post_title"}) == [title]
    assert ids(anyone, {"search": "mela", "search_columns": ["post_content"]}) == [content]


def test_the_most_relevant_comes_first(editor, anyone):
    below = make(editor, title="altro", content="la mela è qui")
    above = make(editor, title="La mela", date="2001-01-01T00:00:00")
    assert ids(anyone, {"search": "mela", "orderby": "relevance"}) == [above, below]


def test_what_was_just_written_is_found_at_once(editor, anyone):
    post = make(editor, content="parolarara")
    assert ids(anyone, {"search": "parolarara"}) == [post]
    editor.post(f"{POSTS}/{post}", {"content": "diversa"})
    assert ids(anyone, {"search": "parolarara"}) == []
    editor.delete(f"{POSTS}/{post}", query={"force": True})
    assert ids(anyone, {"search": "diversa"}) == []


def test_beside_numbers_to_include_what_is_left_out_counts_for_nothing(admin):
    made = [admin.post(POSTS, {"title": f"n{n}", "status": "publish", "sticky": n == 1}).json["id"] for n in range(4)]
    for left_out in ({"sticky": "false"}, {"exclude": made[0]}):
        answer = admin.get(POSTS, query={"include": made[:2], **left_out})
        assert ([one["id"] for one in answer.json], answer.headers["x-cms-total"]) == (made[1::-1], "2"), left_out
