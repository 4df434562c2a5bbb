"""The content types, taxonomies and statuses that a site lists."""

from typing import Any

import pytest

TYPES, TAXONOMIES, STATUSES = "/cms/v2/types", "/cms/v2/taxonomies", "/cms/v2/statuses"


def test_every_type_describes_itself(anyone: Any) -> None:
    types = anyone.get(TYPES).json
    assert {"post", "page", "intervento", "percorso"} <= set(types)
    for name, type in types.items():
        alone = anyone.get(f"{TYPES}/{name}").json
        assert alone == type
        assert alone["slug"] == name
        assert alone["_links"]["cms:items"][0]["href"].endswith(f"/cms/v2/{alone['rest_base']}")


def test_a_type_has_these_members(anyone: Any) -> None:
    type = anyone.get(f"{TYPES}/intervento").json
    links = type.pop("_links")
    assert type == {
        "description": "",
        "hierarchical": False,
        "has_archive": False,
        "name": "Interventi",
        "slug": "intervento",
        "icon": None,
        "taxonomies": ["categoria-intervento"],
        "rest_base": "intervento",
        "rest_namespace": "cms/v2",
        "template": [],
        "template_lock": False,
    }
    assert list(links) == ["collection", "cms:items", "curies"]


def test_the_editing_view_of_a_type_tells_rights_features_and_labels(editor: Any) -> None:
    page = editor.get(f"{TYPES}/page", query={"context": "edit"}).json
    assert page["capabilities"]["edit_post"] == "edit_page"
    assert page["capabilities"]["create_posts"] == "edit_pages"
    assert page["supports"]["page-attributes"] is True
    assert page["supports"]["editor"] == [{"notes": True}]
    assert page["labels"]["add_new_item"] == "Add Page"
    assert (page["viewable"], page["visibility"]) == (True, {"show_in_nav_menus": True, "show_ui": True})
    supports = editor.get(f"{TYPES}/percorso", query={"context": "edit"}).json["supports"]
    assert supports == {"title": True, "thumbnail": True, "custom-fields": True}


def test_the_editing_view_of_types_shows_what_one_may_edit(contributor: Any, subscriber: Any, anyone: Any) -> None:
    seen = contributor.get(TYPES, query={"context": "edit"}).json
    assert "post" in seen
    assert "page" not in seen
    refused = contributor.get(f"{TYPES}/page", query={"context": "edit"})
    assert (refused.status, refused.code, refused.headers["allow"]) == (403, "rest_forbidden_context", "GET")
    for client, status in ((subscriber, 403), (anyone, 401)):
        refused = client.get(TYPES, query={"context": "edit"})
        assert (refused.status, refused.code, "allow" in refused.headers) == (status, "rest_cannot_view", False)


@pytest.mark.parametrize(
    ("path", "status", "code"),
    [
        (f"{TYPES}/posts", 404, "rest_type_invalid"),
        (f"{TYPES}/revision", 401, "rest_cannot_read_type"),
        (f"{TAXONOMIES}/categories", 404, "rest_taxonomy_invalid"),
        (f"{TAXONOMIES}/post_format", 401, "rest_forbidden"),
        (f"{STATUSES}/shown", 404, "rest_status_invalid"),
        (f"{STATUSES}/draft", 401, "rest_cannot_read_status"),
        (f"{STATUSES}/inherit", 401, "rest_cannot_read_status"),
        (f"{TYPES}/a.b", 404, "rest_no_route"),
    ],
)
def test_what_is_not_shown_says_why(anyone: Any, path: str, status: int, code: str) -> None:
    answer = anyone.get(path)
    assert (answer.status, answer.code) == (status, code)


def test_a_taxonomy_has_these_members(anyone: Any) -> None:
    taxonomy = anyone.get(f"{TAXONOMIES}/category").json
    links = taxonomy.pop("_links")
    assert taxonomy == {
        "name": "Categories",
        "slug": "category",
        "description": "",
        "types": ["post"],
        "hierarchical": True,
        "rest_base": "categories",
        "rest_namespace": "cms/v2",
    }
    assert links["cms:items"][0]["href"].endswith("/cms/v2/categories")


def test_the_editing_view_of_a_taxonomy_is_for_who_assigns_terms(contributor: Any, subscriber: Any) -> None:
    tag = contributor.get(f"{TAXONOMIES}/post_tag", query={"context": "edit"}).json
    assert tag["capabilities"]["assign_terms"] == "assign_post_tags"
    assert tag["labels"]["parent_item"] is None
    assert tag["labels"]["popular_items"] == "Popular Tags"
    assert tag["visibility"]["show_admin_column"] is True
    for path, code in ((f"{TAXONOMIES}/post_tag", "rest_forbidden_context"), (TAXONOMIES, "rest_cannot_view")):
        refused = subscriber.get(path, query={"context": "edit"})
        assert (refused.status, refused.code) == (403, code)


def test_taxonomies_are_narrowed_to_those_of_a_type(anyone: Any) -> None:
    assert set(anyone.get(TAXONOMIES, query={"type": "intervento"}).json) == {"categoria-intervento"}
    assert anyone.get(TAXONOMIES, query={"type": "page"}).json == {}
    assert anyone.get(TAXONOMIES, query={"type": "nothing"}).json == {}


def test_states_are_shown_to_who_writes(anyone: Any, subscriber: Any, contributor: Any) -> None:
    for client in (anyone, subscriber):
        assert list(client.get(STATUSES).json) == ["publish"]
    seen = contributor.get(STATUSES).json
    assert list(seen) == ["publish", "future", "draft", "pending", "private", "trash"]
    assert {name for name, status in seen.items() if status["date_floating"]} == {"draft", "pending"}
    assert seen["future"]["_links"]["archives"][0]["href"].endswith("/cms/v2/posts?status=future")
    assert contributor.get(f"{STATUSES}/trash", query={"context": "edit"}).json["show_in_list"] is False
    assert contributor.get(f"{STATUSES}/auto-draft").code == "rest_cannot_read_status"


def test_the_rights_to_patterns_have_names_of_their_own(editor: Any) -> None:
    said = editor.get(f"{TYPES}/cms_block?context=edit").json
    rights = said["capabilities"]
    assert {name: word for name, word in rights.items() if "block" in word} == {
        "edit_post": "edit_block", "read_post": "read_block", "delete_post": "delete_block",
        "publish_posts": "publish_blocks", "read_private_posts": "read_private_blocks",
        "delete_private_posts": "delete_private_blocks", "edit_private_posts": "edit_private_blocks",
    }  # fmt: skip
    assert (rights["create_posts"], rights["read"]) == ("publish_posts", "edit_posts")
    assert "sync-status" not in said["supports"]
