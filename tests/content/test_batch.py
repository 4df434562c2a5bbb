"""Batches over HTTP: several writes in one call, each checked like a single request."""

import pytest

BATCH, POSTS = "/batch/v1", "/cms/v2/posts"


def send(client, *requests, mode="normal"):
    answer = client.post(BATCH, {"requests": list(requests), "validation": mode})
    assert answer.status == 207, answer.json
    return answer.json


def create(**members):
    return {"path": POSTS, "body": {"title": "Dal lotto", **members}}


def stored(client):
    return sorted(post["title"]["raw"] for post in client.get(POSTS, query={"status": "any", "context": "edit"}).json)


def test_answers_come_in_the_order_of_the_requests(editor):
    answers = send(editor, create(title="Uno"), create(title="Due"), create(title="Tre"))["responses"]
    assert [(answer["status"], answer["body"]["title"]["raw"]) for answer in answers] == [
        (201, "Uno"), (201, "Due"), (201, "Tre"),
    ]  # fmt: skip
    assert answers[0]["headers"]["Location"].endswith(f"{POSTS}/{answers[0]['body']['id']}")
    assert answers[0]["headers"]["Allow"] == "GET, POST"


def test_a_later_request_sees_what_an_earlier_one_wrote(editor):
    post = editor.post(POSTS, {"title": "Prima"}).json
    path = f"{POSTS}/{post['id']}"
    answers = send(
        editor,
        {"path": path, "body": {"title": "Dopo"}},
        {"path": path, "method": "DELETE", "body": {"force": True}},
        {"path": path, "body": {"title": "Troppo tardi"}},
    )["responses"]
    assert answers[1]["body"]["previous"]["title"]["raw"] == "Dopo"
    assert (answers[2]["status"], answers[2]["body"]["code"]) == (404, "rest_post_invalid_id")


def test_what_is_valid_by_what_is_stored_is_checked_again_when_its_turn_comes(editor):
    post = editor.post(POSTS, {"title": "Nel cestino"}).json
    path = f"{POSTS}/{post['id']}"
    editor.delete(path)
    answers = send(
        editor, {"path": path, "body": {"status": "draft"}}, {"path": path, "body": {"status": "trash"}},
    )["responses"]  # fmt: skip
    assert [answer["status"] for answer in answers] == [200, 400]


def test_a_failure_stops_nothing_and_undoes_only_itself(editor):
    answers = send(editor, create(title="Uno"), create(title="Due", author=9999), create(title="Tre"))["responses"]
    assert [answer["status"] for answer in answers] == [201, 400, 201]
    assert stored(editor) == ["Tre", "Uno"]


def test_each_request_is_checked_for_its_caller(anyone, contributor, editor):
    assert [answer["status"] for answer in send(anyone, create(), create())["responses"]] == [401, 401]
    answers = send(contributor, create(title="Mia"), create(title="x", status="publish"))["responses"]
    assert [(answer["status"], answer["body"].get("code")) for answer in answers] == [
        (201, None), (403, "rest_cannot_publish"),
    ]  # fmt: skip
    assert stored(editor) == ["Mia"]


def test_an_empty_batch_is_answered(anyone):
    assert send(anyone) == {"responses": []}


# -- all or none


def test_one_that_cannot_be_valid_keeps_all_others_from_running(editor):
    answer = send(editor, create(), create(status="unheard-of"), create(), mode="require-all-validate")
    assert answer["failed"] == "validation"
    first, second, third = answer["responses"]
    assert (first, third) == (None, None)
    assert (second["status"], list(second["body"]["data"]["params"])) == (400, ["status"])
    assert stored(editor) == []


@pytest.mark.parametrize(
    "bad",
    [
        {"path": "/cms/v2/nothing"},
        {"path": "//"},
        {"path": "/batch/v1", "body": {"requests": []}},
        {"path": POSTS, "method": "DELETE"},
        {"path": f"{POSTS}/1/autosaves", "body": {}},
        create(date="tomorrow"),
    ],
)  # fmt: skip
def test_all_must_validate_before_any_runs(editor, bad):
    answer = send(editor, create(), bad, mode="require-all-validate")
    assert (answer["failed"], answer["responses"][0]) == ("validation", None)
    assert stored(editor) == []


def test_rights_and_unknown_records_are_found_while_running(editor):
    answer = send(editor, create(), {"path": f"{POSTS}/9999", "body": {"title": "x"}}, mode="require-all-validate")
    assert "failed" not in answer
    assert [one["status"] for one in answer["responses"]] == [201, 404]


@pytest.mark.in_process("it asks SQLite")
@pytest.mark.parametrize("mode", ["normal", "require-all-validate"])
def test_a_fault_in_the_middle_leaves_nothing(site, editor, mode):
    connection = site.site.database.connection()
    when = "BEFORE INSERT ON record WHEN NEW.title = 'Guasto'"
    connection.execute(f"CREATE TRIGGER fault {when} BEGIN SELECT RAISE(ABORT, 'broken'); END")
    requests = [create(title="Prima"), create(title="Guasto"), create(title="Dopo")]
    answer = editor.post(BATCH, {"requests": requests, "validation": mode})
    assert (answer.status, answer.code) == (500, "internal_server_error")
    assert "broken" not in answer.content.decode()
    assert stored(editor) == []
    assert connection.execute("SELECT count(*) FROM change WHERE kind = 'post'").fetchone() == (0,)


# -- what a batch is


@pytest.mark.parametrize(
    ("body", "detail"),
    [
        ({"requests": [create()] * 26}, "rest_too_many_items"),
        ({"requests": [{"path": POSTS, "method": "GET"}]}, "rest_not_in_enum"),
        ({"requests": [{"path": POSTS, "method": "post"}]}, "rest_not_in_enum"),
        ({"requests": [{"body": {}}]}, "rest_property_required"),
        ({"requests": [{"path": 7}]}, "rest_invalid_type"),
        ({"requests": [{"path": POSTS, "body": "title=x"}]}, "rest_invalid_type"),
        ({"requests": ["x"]}, "rest_invalid_type"),
    ],
)  # fmt: skip
def test_a_batch_that_is_none_is_refused_as_a_whole(editor, body, detail):
    answer = editor.post(BATCH, body)
    assert (answer.status, answer.code) == (400, "rest_invalid_param")
    assert answer.json["data"]["details"]["requests"]["code"] == detail
    assert stored(editor) == []


def test_requests_are_required(editor):
    answer = editor.post(BATCH, {})
    assert (answer.status, answer.code, answer.json["data"]["params"]) == (
        400,
        "rest_missing_callback_param",
        ["requests"],
    )


def test_twenty_five_are_taken(editor):
    assert [one["status"] for one in send(editor, *[create()] * 25)["responses"]] == [201] * 25


def test_an_unknown_way_to_validate_is_named(editor):
    answer = editor.post(BATCH, {"requests": [], "validation": "perhaps"})
    assert list(answer.json["data"]["params"]) == ["validation"]


def test_the_query_of_a_path_is_read(editor):
    answer = send(editor, {"path": f"{POSTS}?_fields=id,status", "body": {"title": "x"}})["responses"][0]
    assert set(answer["body"]) == {"id", "status"}


def test_a_path_is_taken_as_it_stands(editor):
    paths = [f"{POSTS}/", POSTS[1:], f"{POSTS}/../pages", f"/en/cms-json{POSTS}"]
    answers = send(editor, *({"path": path, "body": {"title": "x"}} for path in paths))["responses"]
    assert [answer["body"]["code"] for answer in answers] == ["rest_no_route"] * 4


def test_headers_of_a_request_change_no_method_and_no_caller(site, contributor):
    pair = site.client("admin").headers["authorization"]
    request = {**create(status="publish"), "headers": {"Authorization": pair, "X-HTTP-Method-Override": "GET"}}
    answer = send(contributor, request)["responses"][0]
    assert (answer["status"], answer["body"]["code"]) == (403, "rest_cannot_publish")


def test_a_conditional_write_holds_inside_a_batch(editor):
    post = editor.post(POSTS, {"title": "Prima"}).json
    request = {"path": f"{POSTS}/{post['id']}", "body": {"title": "Dopo"}, "headers": {"If-Match": '"0-0"'}}
    assert send(editor, request)["responses"][0]["status"] == 412
    assert stored(editor) == ["Prima"]


def test_terms_go_through_a_batch_too(editor):
    answers = send(editor, {"path": "/cms/v2/tags", "body": {"name": "Uno"}}, {"path": "/cms/v2/tags", "body": {}})
    assert [one["status"] for one in answers["responses"]] == [201, 400]


def test_a_form_is_a_batch_too(editor):
    answer = editor.ask(
        "POST", BATCH, body=f"requests[0][path]={POSTS}&requests[0][body][title]=Modulo".encode(),
        headers={"content-type": "application/x-www-form-urlencoded"},
    )  # fmt: skip
    assert [one["status"] for one in answer.json["responses"]] == [201]


def test_only_post_reaches_a_batch(editor):
    assert [editor.ask(method, BATCH).code for method in ("GET", "PUT", "DELETE")] == ["rest_no_route"] * 3


def test_a_batch_speaks_the_language_of_its_address(site):
    italian = site.client("editor", root="/it/cms-json")
    made = send(italian, create(status="publish"))["responses"][0]["body"]
    assert made["link"].startswith("http://vetrina.test/it/")
    assert [post["id"] for post in italian.get(POSTS).json] == [made["id"]]
    assert site.client("editor").get(POSTS).json == []


def test_wrong_arguments_say_what_the_caller_may_do(editor, contributor):
    post = editor.post(POSTS, {"title": "Uno", "status": "publish"}).json
    wrong = {"path": f"{POSTS}/{post['id']}", "body": {"status": "boh"}}
    for client, allowed in ((editor, "GET, POST, PUT, PATCH, DELETE"), (contributor, "GET")):
        answer = send(client, wrong)["responses"][0]
        assert (answer["status"], answer["body"]["code"]) == (400, "rest_invalid_param")
        assert answer["headers"] == {"Allow": allowed}
    assert send(editor, wrong, mode="require-all-validate")["responses"][0]["headers"] == {}
