"""Roots with and without a language, `?rest_route=`, and `mlang_language`."""

import pytest

from conftest import Answer, exchange

POSTS = "/cms/v2/posts"


def get(site, target):
    status, pairs, content = exchange(site.site, "GET", target)
    return Answer(status, {name.lower(): value for name, value in pairs}, content)


@pytest.fixture
def records(site):
    """One published post in each language: (English, Italian)."""
    made = []
    for root, title in (("/en/cms-json", "Bread"), ("/it/cms-json", "Pane")):
        answer = site.client("editor", root=root).post(POSTS, {"title": title, "status": "publish"})
        made.append(answer.json)
    return made


def titles(answer):
    assert answer.status == 200, answer.json
    return [post["title"]["rendered"] for post in answer.json]


@pytest.mark.parametrize("root", ["/cms-json", "/en/cms-json", "/it/cms-json"])
def test_the_site_answers_below_each_root(site, root):
    for target in (root, f"{root}/"):
        index = get(site, target)
        assert (index.status, index.json["name"]) == (200, "Vetrina")
    links = index.json["routes"][POSTS]["_links"]["self"]
    assert links == [{"href": f"http://vetrina.test{root}{POSTS}"}]
    assert index.headers["link"] == f'<http://vetrina.test{root}/>; rel="https://api.cms.example/"'


def test_the_home_of_a_root_is_that_of_its_language(site):
    homes = {root: get(site, root).json["home"] for root in ("/cms-json", "/en/cms-json", "/it/cms-json")}
    assert homes["/it/cms-json"] == "http://vetrina.test/it"
    assert homes["/en/cms-json"].rstrip("/").endswith(("/en", "vetrina.test"))


def test_an_unknown_language_is_no_root(site):
    for target in ("/fr/cms-json/", "/EN/cms-json/", "/en/it/cms-json/", "/cms-jsonx/", "/wp-json/"):
        assert get(site, target).status == 404, target


@pytest.mark.parametrize(
    ("root", "query", "found"),
    [
        ("/cms-json", "", ["Bread"]),
        ("/en/cms-json", "", ["Bread"]),
        ("/it/cms-json", "", ["Pane"]),
        ("/en/cms-json", "?mlang_language=it", ["Pane"]),
        ("/it/cms-json", "?mlang_language=en", ["Bread"]),
        ("/cms-json", "?mlang_language=it", ["Pane"]),
    ],
)  # fmt: skip
def test_lists_show_the_language_that_is_asked_for(site, records, root, query, found):
    answer = get(site, f"{root}{POSTS}{query}")
    assert titles(answer) == found
    assert answer.headers["x-cms-total"] == "1"


def test_an_item_is_found_from_every_root_and_keeps_its_language(site, records):
    for root in ("/cms-json", "/en/cms-json", "/it/cms-json"):
        found = get(site, f"{root}{POSTS}/{records[1]['id']}").json
        assert (found["title"]["rendered"], found["link"]) == ("Pane", records[1]["link"])
    assert records[1]["link"].startswith("http://vetrina.test/it/")


def test_a_new_record_takes_the_language_that_is_asked_for(site):
    made = (
        site.client("editor").post(POSTS, {"title": "Olio", "status": "publish"}, query={"mlang_language": "it"}).json
    )
    assert made["link"].startswith("http://vetrina.test/it/")
    assert titles(get(site, f"/it/cms-json{POSTS}")) == ["Olio"]
    assert titles(get(site, f"/en/cms-json{POSTS}")) == []


def test_a_change_keeps_the_language_whatever_the_root(site, records):
    changed = (
        site.client("editor", root="/en/cms-json").post(f"{POSTS}/{records[1]['id']}", {"title": "Pane nero"}).json
    )
    assert changed["link"].startswith("http://vetrina.test/it/")
    assert titles(get(site, f"/it/cms-json{POSTS}")) == ["Pane nero"]


def test_a_search_stays_in_its_language(site, records):
    assert titles(get(site, f"/it/cms-json{POSTS}?search=Bread")) == []
    assert titles(get(site, f"/en/cms-json{POSTS}?search=Bread")) == ["Bread"]


def test_an_unknown_language_is_named(anyone):
    answer = anyone.get(POSTS, query={"mlang_language": "fr"})
    assert (answer.status, answer.code) == (400, "rest_invalid_param")
    assert answer.json["data"]["details"]["mlang_language"]["code"] == "rest_not_in_enum"


def test_the_root_index_does_not_mind_the_parameter(anyone):
    assert anyone.get("/", query={"mlang_language": "fr"}).status == 200


def test_terms_are_made_and_listed_in_a_language(site):
    italian = site.client("editor", root="/it/cms-json")
    term = italian.post("/cms/v2/tags", {"name": "Festa"}).json
    assert [tag["id"] for tag in italian.get("/cms/v2/tags").json] == [term["id"]]
    assert site.client("editor").get("/cms/v2/tags").json == []
    assert site.client("editor").post("/cms/v2/tags", {"name": "Festa"}).status == 201


# -- ?rest_route=


@pytest.mark.parametrize("front", ["/", "/en/", "/it/", "/index.php"])
def test_a_route_can_be_named_by_a_parameter(site, records, front):
    answer = get(site, f"{front}?rest_route={POSTS}&per_page=1")
    assert titles(answer) == (["Pane"] if front == "/it/" else ["Bread"])
    assert answer.headers["x-cms-totalpages"] == "1"


def test_the_parameter_may_be_escaped_and_bare(site):
    for value in ("%2Fcms%2Fv2%2Fposts%2F", "cms/v2/posts"):
        assert get(site, f"/?rest_route={value}").status == 200
    assert get(site, "/?rest_route=/").json["name"] == "Vetrina"
    assert get(site, "/?rest_route=/cms/v2/nothing").code == "rest_no_route"


def test_a_write_goes_through_the_parameter(site, editor):
    headers = {**editor.headers, "content-type": "application/json"}
    status, _, _ = exchange(site.site, "POST", f"/?rest_route={POSTS}", b'{"title":"Via parametro"}', headers)
    assert status == 201


def test_what_is_no_interface_is_no_json(site):
    for target in ("/", "/en/", "/nowhere.ico"):
        assert get(site, target).headers["content-type"].startswith("text/")
