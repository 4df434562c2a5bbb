"""Discovery: root index, namespace indexes, OPTIONS."""

import re

import pytest

from vetrina.settings import load_profile


def test_the_index_says_who_the_site_is(anyone):
    index = anyone.get("/").json
    assert (index["name"], index["description"], index["timezone_string"]) == ("Vetrina", "", "Europe/Rome")
    assert (index["url"], index["home"]) == ("http://vetrina.test", "http://vetrina.test/en")
    assert index["gmt_offset"] in (1, 2)
    assert (index["page_for_posts"], index["page_on_front"], index["show_on_front"]) == (0, 0, "posts")
    assert index["authentication"]["application-passwords"]["endpoints"]["authorization"].startswith(
        "http://vetrina.test/"
    )


def test_the_index_holds_every_route_of_the_table(site, anyone):
    routes = anyone.get("/").json["routes"]
    assert set(routes) == set(site.site.table.endpoints)
    for pattern, place in site.site.table.endpoints.items():
        described = routes[pattern]
        assert sorted(described["methods"]) == sorted(place.by_method)
        named = [set(endpoint["args"]) for endpoint in described["endpoints"]]
        listed = [
            {name for name, field in route.args.items() if field.written and field.in_index} for route in place.routes
        ]
        assert named == listed


def test_routes_without_a_variable_part_link_to_themselves(anyone):
    for pattern, route in anyone.get("/").json["routes"].items():
        if "(?P<" in pattern:
            assert "_links" not in route
        else:
            assert route["_links"]["self"] == [{"href": f"http://vetrina.test/en/cms-json{pattern}"}]


def test_every_pattern_is_a_regular_expression_that_its_paths_match(anyone):
    patterns = [re.compile(pattern) for pattern in anyone.get("/").json["routes"]]
    assert any(pattern.fullmatch("/cms/v2/posts/7") for pattern in patterns)


def test_the_language_is_an_argument_of_every_route_of_a_namespace(anyone):
    for pattern, route in anyone.get("/").json["routes"].items():
        for endpoint in route["endpoints"]:
            assert ("mlang_language" in endpoint["args"]) == (pattern not in ("/", "/batch/v1")), pattern


def test_context_help_adds_the_schemas(anyone):
    shown = anyone.get("/", query={"context": "help"}).json["routes"]["/cms/v2/posts"]["schema"]
    assert shown["properties"]["title"]["properties"]["rendered"]["readonly"] is True
    assert "schema" not in anyone.get("/").json["routes"]["/cms/v2/posts"]


def test_the_index_can_be_asked_for_single_members(anyone):
    assert anyone.get("/", query={"_fields": "name"}).json == {"name": "Vetrina"}
    nested = anyone.get("/", query={"_fields": "authentication.application-passwords"}).json
    assert list(nested) == ["authentication"]


def test_a_namespace_describes_its_routes(anyone):
    found = anyone.get("/cms/v2").json
    assert found["namespace"] == "cms/v2"
    assert all(pattern.startswith("/cms/v2") for pattern in found["routes"])
    assert found["_links"]["up"] == [{"href": "http://vetrina.test/en/cms-json/"}]


def test_an_unknown_namespace_is_told_apart_from_an_unknown_path(anyone):
    wrong, nowhere = anyone.get("/cms/v2", query={"namespace": "cms/v9"}), anyone.get("/cms/v9")
    assert (wrong.status, wrong.code) == (404, "rest_invalid_namespace")
    assert (nowhere.status, nowhere.code) == (404, "rest_no_route")
    assert anyone.get("/cms").code == "rest_no_route"


@pytest.mark.parametrize("name", ["first", "second"])
def test_both_profiles_have_the_content_routes_and_only_the_first_its_own_types(name, tmp_path):
    from conftest import Client, made

    site = made(tmp_path, load_profile(name))
    routes = Client(site).get("/").json["routes"]
    site.close()
    assert {"/cms/v2/posts", "/cms/v2/pages", "/cms/v2/users", "/batch/v1"} <= set(routes)
    assert ("/cms/v2/intervento" in routes, "/cms/v2/percorso" in routes) == (name == "first", name == "first")


# -- OPTIONS


def test_options_describe_a_route_to_everybody(anyone, editor):
    answer = anyone.options("/cms/v2/posts/1")
    assert answer.status == 200
    assert answer.json["methods"] == ["GET", "POST", "PUT", "PATCH", "DELETE"]
    assert answer.json["schema"]["title"] == "post"
    assert anyone.options("/cms/v2/posts").json["_links"]["self"][0]["href"].endswith("/cms/v2/posts")


def test_options_allow_what_the_caller_may_do(editor, anyone):
    post = editor.post("/cms/v2/posts", {"title": "x", "status": "publish"}).json["id"]
    assert anyone.options(f"/cms/v2/posts/{post}").headers["allow"] == "GET"
    assert editor.options(f"/cms/v2/posts/{post}").headers["allow"] == "GET, POST, PUT, PATCH, DELETE"
    assert "allow" not in anyone.options("/cms/v2/posts/99999").headers


def test_options_of_no_route_answer_with_nothing(anyone):
    answer = anyone.options("/cms/v2/nothing")
    assert (answer.status, answer.json) == (200, [])
    assert "allow" not in answer.headers


def test_options_do_not_mind_invalid_parameters(anyone):
    assert anyone.options("/cms/v2/posts", query={"page": "x"}).status == 200


# -- which route answers


@pytest.mark.parametrize("path", ["/CMS/V2/Posts", "/cms/v2/posts/", "/cms/v2/posts///"])
def test_letter_case_and_strokes_at_the_end_do_not_matter(anyone, path):
    assert anyone.get(path).status == 200


@pytest.mark.in_process("some of its addresses no HTTP client sends")
@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", "/cms//v2/posts"),
        ("GET", "/cms/v2/posts/-5"),
        ("GET", "/cms/v2/posts/5.0"),
        ("GET", "/cms/v2/posts/5%20"),
        ("GET", "/cms/v2/posts/abc"),
        ("GET", "/cms/v2/posts/٣"),
        ("PUT", "/cms/v2/posts"),
        ("DELETE", "/cms/v2/posts"),
        ("PATCH", "/cms/v2/types"),
        ("TRACE", "/cms/v2/posts"),
    ],
)  # fmt: skip
def test_what_no_route_answers_is_404_whatever_the_method(admin, method, path):
    answer = admin.ask(method, path)
    assert (answer.status, answer.code) == (404, "rest_no_route")


def test_leading_zeros_of_a_number_do_not_matter(editor, anyone):
    post = editor.post("/cms/v2/posts", {"title": "x", "status": "publish"}).json["id"]
    assert anyone.get(f"/cms/v2/posts/000{post}").json["id"] == post


def test_those_who_write_are_led_to_the_active_theme(contributor, subscriber, anyone):
    links = contributor.get("/").json["_links"]
    assert list(links) == ["help", "cms:active-theme", "curies"]
    address = links["cms:active-theme"][0]["href"]
    assert contributor.get(address.removeprefix("http://vetrina.test/en/cms-json")).json["status"] == "active"
    for other in (subscriber, anyone):
        assert list(other.get("/").json["_links"]) == ["help"]
