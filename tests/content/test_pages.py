"""Pages over HTTP: a tree with an order, templates and URLs that follow it."""

import pytest

PAGES = "/cms/v2/pages"


def make(client, **members):
    answer = client.post(PAGES, {"title": "Pagina", "status": "publish", **members})
    assert answer.status == 201, answer.json
    return answer.json


def change(client, page, **members):
    answer = client.post(f"{PAGES}/{page['id']}", members)
    assert answer.status == 200, answer.json
    return answer.json


def test_a_page_may_be_empty(editor):
    page = editor.post(PAGES, {}).json
    assert (page["status"], page["title"]["raw"], page["slug"], page["parent"], page["menu_order"]) == (
        "draft",
        "",
        "",
        0,
        0,
    )
    assert (page["comment_status"], page["ping_status"]) == ("closed", "closed")


def test_a_page_has_nothing_that_only_posts_have(editor):
    page = make(editor, sticky=True, format="quote", categories=[1], tags=[1])
    assert not {"sticky", "format", "categories", "tags"} & set(page)


@pytest.mark.parametrize("login", ["", "subscriber", "contributor", "author"])
def test_only_editors_write_pages(site, login):
    answer = site.client(login).post(PAGES, {"title": "x"})
    assert (answer.status, answer.code) == (403 if login else 401, "rest_cannot_create")


# -- the tree


def test_the_address_of_a_page_is_the_path_of_its_tree(editor):
    top = make(editor, slug="azienda")
    middle = make(editor, slug="storia", parent=top["id"])
    leaf = make(editor, slug="anni-50", parent=middle["id"])
    assert leaf["link"] == "http://vetrina.test/en/azienda/storia/anni-50/"
    change(editor, top, slug="noi")
    assert editor.get(f"{PAGES}/{leaf['id']}").json["link"] == "http://vetrina.test/en/noi/storia/anni-50/"


def test_a_child_links_to_its_parent(editor, anyone):
    top = make(editor)
    child = make(editor, parent=top["id"])
    up = anyone.get(f"{PAGES}/{child['id']}").json["_links"]["up"]
    assert [(link["href"].partition("/cms/v2")[2], link["embeddable"]) for link in up] == [
        (f"/pages/{top['id']}", True)
    ]
    assert "up" not in anyone.get(f"{PAGES}/{top['id']}").json["_links"]


@pytest.mark.parametrize("parent", [99_999, -1])
def test_an_unknown_parent_is_refused_and_nothing_stored(editor, parent):
    answer = editor.post(PAGES, {"title": "Orfana", "parent": parent})
    assert (answer.status, answer.code) == (400, "rest_post_invalid_id")
    assert editor.get(PAGES, query={"status": "any"}).json == []


def test_a_page_cannot_hang_from_itself_or_from_its_descendants(editor):
    top = make(editor)
    child = make(editor, parent=top["id"])
    grandchild = make(editor, parent=child["id"])
    for below in (top, child, grandchild):
        assert change(editor, top, parent=below["id"])["parent"] == 0


def test_the_same_slug_may_live_below_each_parent(editor):
    one, two = make(editor, slug="uno"), make(editor, slug="due")
    slugs = [make(editor, slug="contatti", parent=parent)["slug"] for parent in (0, one["id"], two["id"], one["id"])]
    assert slugs == ["contatti", "contatti", "contatti", "contatti-2"]


def test_moving_a_page_to_where_its_slug_is_taken_adds_a_number(editor):
    top = make(editor, slug="sopra")
    make(editor, slug="orari", parent=top["id"])
    moved = change(editor, make(editor, slug="orari"), parent=top["id"])
    assert moved["slug"] == "orari-2"


def test_children_of_a_removed_page_move_up(editor):
    top = make(editor, slug="sopra")
    middle = make(editor, slug="mezzo", parent=top["id"])
    leaf = make(editor, slug="sotto", parent=middle["id"])
    assert editor.delete(f"{PAGES}/{middle['id']}", query={"force": True}).status == 200
    moved = editor.get(f"{PAGES}/{leaf['id']}").json
    assert (moved["parent"], moved["link"]) == (top["id"], "http://vetrina.test/en/sopra/sotto/")


def test_a_child_that_moves_up_to_where_its_slug_is_taken_gets_a_number(editor):
    make(editor, slug="orari")
    middle = make(editor, slug="mezzo")
    leaf = make(editor, slug="orari", parent=middle["id"])
    editor.delete(f"{PAGES}/{middle['id']}", query={"force": True})
    assert editor.get(f"{PAGES}/{leaf['id']}").json["link"] == "http://vetrina.test/en/orari-2/"


def test_a_child_that_is_called_like_its_removed_parent_keeps_its_slug(editor):
    top = make(editor, slug="orari")
    leaf = make(editor, slug="orari", parent=top["id"])
    editor.delete(f"{PAGES}/{top['id']}", query={"force": True})
    assert editor.get(f"{PAGES}/{leaf['id']}").json["link"] == "http://vetrina.test/en/orari/"


def test_a_page_below_a_post_that_is_removed_stands_at_the_top(editor):
    post = editor.post("/cms/v2/posts", {"title": "Sopra", "status": "publish"}).json
    page = make(editor, slug="sotto", parent=post["id"])
    assert page["_links"]["up"][0]["href"].endswith(f"/cms/v2/posts/{post['id']}")
    editor.delete(f"/cms/v2/posts/{post['id']}", query={"force": True})
    shown = editor.get(f"{PAGES}/{page['id']}").json
    assert (shown["parent"], shown["link"]) == (0, "http://vetrina.test/en/sotto/")


def test_children_of_a_trashed_page_stay_below_it(editor):
    top = make(editor, slug="sopra")
    leaf = make(editor, slug="sotto", parent=top["id"])
    editor.delete(f"{PAGES}/{top['id']}")
    assert editor.get(f"{PAGES}/{leaf['id']}").json["parent"] == top["id"]


@pytest.mark.parametrize(
    ("slug", "stored"), [("feed", "feed-2"), ("embed", "embed-2"), ("2031", "2031-2"), ("page7", "page7-2")]
)
def test_names_that_addresses_need_are_reserved(editor, slug, stored):
    assert make(editor, slug=slug)["slug"] == stored


# -- order and template


def test_pages_can_be_listed_in_their_own_order(editor, anyone):
    ids = [make(editor, menu_order=place)["id"] for place in (5, -3, 0)]
    found = anyone.get(PAGES, query={"orderby": "menu_order", "order": "asc"}).json
    assert [page["id"] for page in found] == [ids[1], ids[2], ids[0]]
    assert [page["id"] for page in anyone.get(PAGES, query={"menu_order": 5}).json] == [ids[0]]


def test_lists_choose_by_parent(editor, anyone):
    top = make(editor)["id"]
    child = make(editor, parent=top)["id"]

    def ids(**query):
        return [page["id"] for page in anyone.get(PAGES, query=query).json]

    assert (ids(parent=0), ids(parent=top), ids(parent_exclude=0), ids(parent=99_999)) == ([top], [child], [child], [])


def test_an_unknown_template_is_named(editor):
    answer = editor.post(PAGES, {"title": "x", "template": "nowhere.html"})
    assert (answer.status, answer.code, list(answer.json["data"]["params"])) == (
        400,
        "rest_invalid_param",
        ["template"],
    )
    assert make(editor, template="")["template"] == ""


def test_orders_of_posts_are_not_orders_of_pages_and_the_other_way_round(anyone):
    assert anyone.get("/cms/v2/posts", query={"orderby": "menu_order"}).status == 400
    assert anyone.get(PAGES, query={"sticky": "whatever"}).status == 200
