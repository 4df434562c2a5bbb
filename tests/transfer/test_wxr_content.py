"""Content of an export file, as a client of the interface finds it after the import."""

from __future__ import annotations

import pytest

from conftest import Client, SetClock, Stand
from vetrina.transfer.importing import ImportImpossible

from .conftest import ImportCall
from .export_files import OLD, ExportFile, comment

NO_URL = "its texts name this site by http://127.0.0.1:8000: the site has no address (setting `url`)"


@pytest.fixture
def old() -> ExportFile:
    """An export with an author, two categories and a tag."""
    file = ExportFile()
    file.author(47, "anna", first_name="Anna", last_name="Bo", display_name="Anna Bo")
    file.category(1, "news", "News")
    file.category(31, "local", "Local", "news")
    file.term(32, "post_tag", "sea", "Sea")
    return file


def test_a_post_is_as_it_was(bring: ImportCall, old: ExportFile, admin: Client) -> None:
    old.item(
        2000, "Hello & more", "<!-- wp:paragraph -->\n<p>World</p>\n<!-- /wp:paragraph -->", excerpt="Short",
        author="anna", post_name="hello", post_modified="2021-01-02 03:04:05", post_modified_gmt="2021-01-02 02:04:05",
        is_sticky=1, terms=(("category", "local"), ("post_tag", "sea"), ("post_format", "post-format-aside")),
        comment_status="closed",
    )  # fmt: skip
    assert bring(old).get_resource("/cms/v2/posts").created == 1
    post = admin.get("/cms/v2/posts/2000?context=edit").json
    assert post["title"]["raw"] == "Hello & more"
    assert "<p>World</p>" in post["content"]["rendered"]
    assert (post["slug"], post["status"], post["author"], post["sticky"]) == ("hello", "publish", 47, True)
    assert (post["date"], post["date_gmt"]) == ("2020-05-06T10:00:00", "2020-05-06T08:00:00")
    assert (post["modified"], post["modified_gmt"]) == ("2021-01-02T03:04:05", "2021-01-02T02:04:05")
    assert (post["categories"], post["tags"], post["format"]) == ([31], [32], "aside")
    assert (post["comment_status"], post["excerpt"]["raw"]) == ("closed", "Short")
    assert post["guid"]["raw"] == f"{OLD}/?p=2000"


def test_lists_totals_and_the_search_know_what_came(bring: ImportCall, old: ExportFile, anyone: Client) -> None:
    for at in range(150):
        old.item(1000 + at, f"Number {at}", "lighthouse" if at == 77 else "x", author="anna",
                 terms=(("category", "news"),))  # fmt: skip
    bring(old)
    assert anyone.get("/cms/v2/posts?per_page=1").headers["x-cms-total"] == "150"
    assert anyone.get("/cms/v2/posts?author=47&per_page=1").headers["x-cms-total"] == "150"
    assert [one["id"] for one in anyone.get("/cms/v2/posts?search=lighthouse").json] == [1077]
    assert anyone.get("/cms/v2/categories/1").json["count"] == 150


def test_a_kept_answer_is_not_served_after_an_import(bring: ImportCall, old: ExportFile, anyone: Client) -> None:
    assert anyone.get("/cms/v2/posts").json == []
    old.item(500, "New", "Text", author="anna")
    bring(old)
    assert [one["id"] for one in anyone.get("/cms/v2/posts").json] == [500]


@pytest.mark.parametrize("status", ["draft", "pending", "private", "trash"])
def test_what_is_not_public_stays_so(
    bring: ImportCall, old: ExportFile, admin: Client, anyone: Client, status: str
) -> None:
    meta = {"_wp_trash_meta_status": "publish", "_wp_desired_post_slug": "gone"} if status == "trash" else {}
    old.item(500, "Hidden", "Text", author="anna", status=status, meta=meta, post_date_gmt="0000-00-00 00:00:00")
    bring(old)
    assert admin.get("/cms/v2/posts/500?context=edit").json["status"] == status
    assert anyone.get("/cms/v2/posts/500").status == 401


def test_a_record_from_the_trash_is_restored_as_it_was(bring: ImportCall, old: ExportFile, admin: Client) -> None:
    meta = {"_wp_trash_meta_status": "pending", "_wp_desired_post_slug": "gone"}
    old.item(500, "Hidden", "Text", status="trash", post_name="gone__trashed", meta=meta)
    bring(old)
    restored = admin.post("/cms/v2/posts/500", {"status": "draft"}).json
    assert (restored["status"], restored["slug"]) == ("draft", "gone")


def test_a_scheduled_post_is_published_at_its_time(
    bring: ImportCall, old: ExportFile, site: Stand, admin: Client, clock: SetClock
) -> None:
    old.item(
        500, "Later", "Text", status="future", post_date="2099-01-01 10:00:00", post_date_gmt="2099-01-01 09:00:00"
    )
    bring(old)
    assert admin.get("/cms/v2/posts/500?context=edit").json["status"] == "future"
    clock.forward(3_000_000_000)
    site.site.start_jobs()
    site.site.run_due_jobs()
    assert admin.get("/cms/v2/posts/500?context=edit").json["status"] == "publish"


def test_a_password_protects_as_before(bring: ImportCall, old: ExportFile, anyone: Client) -> None:
    old.item(500, "Shut", "Secret text", post_password="open sesame")
    bring(old)
    assert anyone.get("/cms/v2/posts/500").json["content"] == {"rendered": "", "protected": True}
    assert "Secret" in anyone.get("/cms/v2/posts/500?password=open+sesame").json["content"]["rendered"]


def test_pages_may_come_before_those_above_them(bring: ImportCall, old: ExportFile, anyone: Client) -> None:
    old.item(20, "Team", f'<a href="{OLD}/about/">up</a>', post_type="page", post_name="team", post_parent=30,
             link=f"{OLD}/about/team/")  # fmt: skip
    old.item(30, "About", f'<a href="{OLD}/about/team/#x">down</a> <a href="{OLD}/?page_id=20">by id</a>',
             post_type="page", post_name="about", link=f"{OLD}/about/", meta={"_wp_page_template": "wide"})  # fmt: skip
    bring(old)
    team, about = anyone.get("/cms/v2/pages/20").json, anyone.get("/cms/v2/pages/30").json
    assert team["parent"] == 30
    assert team["link"].endswith("/en/about/team/")
    assert about["template"] == "wide"
    assert '/en/about/team/#x"' in about["content"]["rendered"]
    assert about["content"]["rendered"].count("/en/about/team/") == 2
    assert OLD not in about["content"]["rendered"] + team["content"]["rendered"]


def test_comments_keep_their_tree_and_state(bring: ImportCall, old: ExportFile, admin: Client, anyone: Client) -> None:
    old.item(500, "Talked about", "Text", comments=(
        comment(11, "An answer", parent=12), comment(12, "Well said", author="Bob", author_email="bob@example.net"),
        comment(13, "Cheap!", approved="spam"), comment(14, "Wait", approved="0", user_id=47, author="anna"),
    ))  # fmt: skip
    bring(old)
    shown = {one["id"]: one for one in anyone.get("/cms/v2/comments?post=500").json}
    assert {id: one["parent"] for id, one in shown.items()} == {11: 12, 12: 0}
    assert shown[12]["author_name"] == "Bob"
    assert shown[12]["date_gmt"] == "2020-05-06T09:00:00"
    states = {one: admin.get(f"/cms/v2/comments/{one}?context=edit").json["status"] for one in (13, 14)}
    assert states == {13: "spam", 14: "hold"}
    assert admin.get("/cms/v2/comments/14").json["author"] == 47


def test_a_menu_comes_with_its_items(bring: ImportCall, old: ExportFile, admin: Client) -> None:
    old.term(40, "nav_menu", "main", "Main")
    old.item(20, "About", "Text", post_type="page", post_name="about")
    first = {"_menu_item_type": "post_type", "_menu_item_object": "page", "_menu_item_object_id": "20",
             "_menu_item_classes": 'a:1:{i:0;s:3:"red";}'}  # fmt: skip
    second = {"_menu_item_type": "custom", "_menu_item_url": f"{OLD}/shop/", "_menu_item_menu_item_parent": "51"}
    third = {"_menu_item_type": "taxonomy", "_menu_item_object": "category", "_menu_item_object_id": "31"}
    menu = (("nav_menu", "main"),)
    old.item(50, "Shop", post_type="nav_menu_item", menu_order=2, terms=menu, meta=second)
    old.item(51, "", post_type="nav_menu_item", menu_order=1, terms=menu, meta=first)
    old.item(52, "", post_type="nav_menu_item", menu_order=3, terms=menu, meta=third)
    report = bring(old)
    assert not report.refusals
    assert [*report.notes] == [NO_URL]
    items = {one["id"]: one for one in admin.get("/cms/v2/menu-items?menus=40&context=edit").json}
    assert {id: (one["parent"], one["menu_order"]) for id, one in items.items()} == {
        50: (51, 2),
        51: (0, 1),
        52: (0, 3),
    }
    assert (items[51]["title"]["rendered"], items[51]["object_id"], items[51]["classes"]) == ("About", 20, ["red"])
    assert items[52]["title"]["rendered"] == "Local"
    assert not items[50]["url"].startswith(OLD)


def test_what_the_profile_lacks_is_told_and_passed_over(bring: ImportCall, old: ExportFile, anyone: Client) -> None:
    old.item(500, "Shoes", "Text", post_type="product", terms=(("pa_size", "xl"),))
    old.item(501, "Fine", "Text", terms=(("colour", "red"),))
    report = bring(old)
    assert ("/shop/v3/products", 500, "the profile has no type 'product'") in report.refusals
    assert report.left_out["/shop/v3/products/attributes"] == "this site has no shop"
    assert ("/cms/v2/colour", "colour:red", "the profile has no taxonomy 'colour'") in report.refusals
    assert anyone.get("/cms/v2/posts/501").status == 200
    assert "/shop/v3/products 500: the profile has no type 'product'" in report.to_text()


@pytest.mark.every_database
def test_a_bad_record_does_not_end_the_run(bring: ImportCall, old: ExportFile, anyone: Client) -> None:
    old.item(500, "Before", "Text")
    old.item(501, "Bad", "Text", status="inherit")
    old.item(502, "After", "Text", comments=(comment(9, "Odd", type="shout"),))
    report = bring(old)
    assert {(where, id) for where, id, _ in report.refusals} == {("/cms/v2/posts", 501), ("/cms/v2/comments", 9)}
    assert {one["id"] for one in anyone.get("/cms/v2/posts").json} == {500, 502}


def test_version_1_0_with_terms_and_authors_in_items_only(bring: ImportCall, anyone: Client, admin: Client) -> None:
    file = ExportFile("1.0")
    file.item(500, "Early", "Text", author="carla", terms=(("category", "notes"), ("tag", "old")))
    bring(file)
    post = anyone.get("/cms/v2/posts/500?_embed=1").json
    assert [[term["slug"] for term in group] for group in post["_embedded"]["cms:term"][:2]] == [["notes"], ["old"]]
    assert admin.get(f"/cms/v2/users/{post['author']}").json["slug"] == "carla"


def test_extra_fields_that_the_site_knows_are_kept_and_the_others_told(
    bring: ImportCall, old: ExportFile, admin: Client
) -> None:
    old.item(500, "Plain", "Text", meta={"footnotes": "[]", "colour": "red", "_hidden": "1"})
    report = bring(old)
    assert admin.get("/cms/v2/posts/500").json["meta"]["footnotes"] == "[]"
    assert report.notes == {"the extra field 'colour' is not known here": 1}


@pytest.mark.every_database
def test_records_and_comments_that_stand_above_themselves_are_put_at_the_top(
    bring: ImportCall, old: ExportFile, anyone: Client
) -> None:
    old.item(20, "One", "Text", post_type="page", post_parent=21)
    old.item(21, "Two", "Text", post_type="page", post_parent=20)
    old.item(22, "Own", "Text", post_type="page", post_parent=22, comments=(
        comment(8, "A", parent=9), comment(9, "B", parent=8), comment(10, "C", parent=10)))  # fmt: skip
    report = bring(old)
    assert report.notes == {"it is below itself: put at the top": 2}
    parents = {one["id"]: one["parent"] for one in anyone.get("/cms/v2/pages").json}
    assert (parents[22], sorted((parents[20], parents[21]))) in ((0, [0, 20]), (0, [0, 21]))
    answers = {one["id"]: one["parent"] for one in anyone.get("/cms/v2/comments?post=22").json}
    assert (answers[10], sorted((answers[8], answers[9]))) in ((0, [0, 8]), (0, [0, 9]))


def test_two_imports_at_once_are_refused(bring: ImportCall, old: ExportFile, site: Stand) -> None:
    lease = site.site.database.open_lease("transfer")
    assert lease.acquire()
    with pytest.raises(ImportImpossible, match="another import"):
        bring(old)
    lease.close()
