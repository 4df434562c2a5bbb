"""Own fields of records: what may be written, what is shown, and to whom."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from conftest import Answer, Client, Stand, standing
from custom_field_profile import build_profile
from pictures import picture
from vetrina.settings import ProfileField
from vetrina.site import Site

RECIPES = "/cms/v2/recipes"
MEDIA = "/cms/v2/media"
GENRES = "/cms/v2/genres"


@pytest.fixture
def site(request: pytest.FixtureRequest, kind: str) -> Iterator[Stand]:
    with standing(request, build_profile()) as stand:
        yield stand


def make(client: Client, **meta: Any) -> dict[str, Any]:
    answer = client.post(RECIPES, {"title": "Soup", "meta": meta})
    assert answer.status == 201, answer.json
    return answer.json


def faults(answer: Answer) -> dict[str, str]:
    """Return the code of each named fault."""
    assert (answer.status, answer.code) == (400, "rest_invalid_param"), answer.json
    return {name: detail["code"] for name, detail in answer.json["data"]["details"].items()}


def get_own_id(client: Client) -> int:
    number: int = client.get("/cms/v2/users/me").json["id"]
    return number


def upload(client: Client, name: str = "a.png") -> int:
    answer = client.post(
        MEDIA,
        body=picture(8, 8, "PNG"),
        headers={"content-type": "image/png", "content-disposition": f'attachment; filename="{name}"'},
    )
    assert answer.status == 201, answer.json
    number: int = answer.json["id"]
    return number


def test_values_come_back_as_they_were_written(editor: Client) -> None:
    written = {
        "subtitle": "Warm", "prep_minutes": 30, "rating": 4.5, "vegan": True, "cooked_on": "2026-02-28",
        "served_at": "2026-02-28T19:30:00", "difficulty": "easy", "tags": ["hot", "cold"], "hue": "#aa0000",
        "source": "https://example.org/soup", "contact": "cook@example.org", "yields": {"portions": 4, "unit": "bowls"},
        "steps": [{"text": "Chop", "minutes": 5}, {"text": "Boil"}],
    }  # fmt: skip
    recipe = make(editor, **written)
    shown = editor.get(f"{RECIPES}/{recipe['id']}").json["meta"]
    assert {name: shown[name] for name in written if name != "steps"} == {
        name: value for name, value in written.items() if name != "steps"
    }
    assert shown["steps"] == [{"text": "Chop", "minutes": 5}, {"text": "Boil", "minutes": None}]


def test_what_nobody_wrote_is_null_empty_or_the_default(editor: Client) -> None:
    shown = make(editor)["meta"]
    assert shown["prep_minutes"] is None
    assert (shown["vegan"], shown["tags"], shown["steps"], shown["album"]) == (False, [], [], [])
    assert shown["yields"] == {"portions": None, "unit": "plates"}
    assert shown["story"] == {"raw": "", "rendered": ""}


def test_own_types_show_no_ext_changed(editor: Client) -> None:
    assert "_ext_changed" not in make(editor)["meta"]


def test_null_restores_the_default(editor: Client) -> None:
    recipe = make(editor, vegan=True, prep_minutes=3)
    changed = editor.post(f"{RECIPES}/{recipe['id']}", {"meta": {"vegan": None, "prep_minutes": None}}).json
    assert (changed["meta"]["vegan"], changed["meta"]["prep_minutes"]) == (False, None)


def test_numbers_and_dates_are_read_as_the_interface_reads_them(editor: Client) -> None:
    shown = make(editor, prep_minutes="30", vegan="1", rating="", served_at="2026-01-10T12:00:00Z")["meta"]
    assert (shown["prep_minutes"], shown["vegan"], shown["rating"]) == (30, True, None)
    assert shown["served_at"] == "2026-01-10T13:00:00"


def test_every_fault_is_named_with_its_code(editor: Client) -> None:
    answer = editor.post(
        RECIPES,
        {
            "title": "Soup",
            "meta": {
                "subtitle": "lower", "prep_minutes": -1, "rating": "many", "vegan": "maybe", "cooked_on": "2026-02-30",
                "served_at": "tomorrow", "difficulty": "medium", "tags": ["hot", "warm"], "hue": "red",
                "source": "javascript:alert(1)", "contact": "nobody", "yields": {"portions": 0, "size": 1},
                "steps": [{"text": "Chop"}, {"text": "Boil", "minutes": "long"}, "wait"], "album": 7, "story": 5,
            },
        },
    )  # fmt: skip
    assert faults(answer) == {
        "meta.subtitle": "rest_invalid_pattern",
        "meta.prep_minutes": "rest_out_of_bounds",
        "meta.rating": "rest_invalid_type",
        "meta.vegan": "rest_invalid_type",
        "meta.cooked_on": "rest_invalid_date",
        "meta.served_at": "rest_invalid_date",
        "meta.difficulty": "rest_not_in_enum",
        "meta.tags[1]": "rest_not_in_enum",
        "meta.hue": "rest_invalid_hex_color",
        "meta.source": "rest_invalid_param",
        "meta.contact": "rest_invalid_email",
        "meta.yields.portions": "rest_out_of_bounds",
        "meta.yields.size": "rest_additional_properties_forbidden",
        "meta.steps[1].minutes": "rest_invalid_type",
        "meta.steps[2]": "rest_invalid_type",
        "meta.album": "rest_invalid_type",
        "meta.story": "rest_invalid_type",
    }


@pytest.mark.parametrize(
    ("meta", "fault"),
    [
        ({"subtitle": "A" * 21}, ("meta.subtitle", "rest_too_long")),
        ({"cooked_on": "1999-12-31"}, ("meta.cooked_on", "rest_out_of_bounds")),
        ({"steps": [{"text": "a"}] * 4}, ("meta.steps", "rest_too_many_items")),
        ({"tags": ["hot", "cold", "hot"]}, ("meta.tags", "rest_too_many_items")),
    ],
)
def test_lengths_dates_and_items_are_bounded(editor: Client, meta: dict[str, Any], fault: tuple[str, str]) -> None:
    assert faults(editor.post(RECIPES, {"title": "a", "meta": meta})) == dict([fault])


def test_an_unknown_field_is_refused_with_its_name_and_the_nearest(editor: Client) -> None:
    answer = editor.post(RECIPES, {"title": "a", "meta": {"prep_minute": 5}})
    assert faults(answer) == {"meta.prep_minute": "rest_additional_properties_forbidden"}
    assert "did you mean 'prep_minutes'?" in answer.json["data"]["params"]["meta.prep_minute"]


def test_types_without_own_fields_go_on_ignoring_unknown_ones(editor: Client) -> None:
    answer = editor.post("/cms/v2/pages", {"title": "a", "meta": {"unheard": 5}})
    assert (answer.status, answer.json["meta"]) == (201, {"footnotes": ""})


def test_a_draft_may_lack_what_a_public_recipe_needs(editor: Client) -> None:
    recipe = make(editor, steps=[{}])
    answer = editor.post(f"{RECIPES}/{recipe['id']}", {"status": "publish"})
    required = "rest_property_required"
    assert faults(answer) == {"meta.difficulty": required, "meta.steps[0].text": required}
    meta = {"difficulty": "easy", "steps": [{"text": "Chop"}], "yields": {"portions": 2}}
    assert editor.post(f"{RECIPES}/{recipe['id']}", {"status": "publish", "meta": meta}).status == 200
    emptied = editor.post(f"{RECIPES}/{recipe['id']}", {"meta": {"difficulty": None}})
    assert faults(emptied) == {"meta.difficulty": required}
    assert editor.post(f"{RECIPES}/{recipe['id']}", {"title": "Other"}).status == 200


def test_a_field_that_one_may_not_read_is_not_shown(admin: Client, site: Stand) -> None:
    recipe = make(admin, contact="cook@example.org", difficulty="easy")
    admin.post(f"{RECIPES}/{recipe['id']}", {"status": "publish", "author": 3})
    path = f"{RECIPES}/{recipe['id']}"
    assert admin.get(path).json["meta"]["contact"] == "cook@example.org"
    assert "contact" not in site.client().get(path).json["meta"]
    assert "contact" not in site.client("author").get(path, query={"context": "edit"}).json["meta"]
    revisions = site.client("author").get(f"{path}/revisions")
    assert revisions.status == 200
    assert all("contact" not in one["meta"] for one in revisions.json)
    assert "cook@example.org" not in site.client().get(RECIPES, query={"_embed": 1}).content.decode()


def test_a_field_that_one_may_not_write_is_refused_with_its_name(editor: Client, admin: Client) -> None:
    answer = editor.post(RECIPES, {"title": "a", "meta": {"price_note": "dear"}})
    assert (answer.status, answer.code) == (403, "rest_cannot_update")
    assert answer.json["data"]["params"] == ["meta.price_note"]
    recipe = make(admin, price_note="dear")
    path = f"{RECIPES}/{recipe['id']}"
    assert editor.post(path, {"meta": {"price_note": "dear", "prep_minutes": 2}}).status == 200
    assert editor.post(path, {"meta": {"price_note": "cheap"}}).status == 403
    assert admin.get(path, query={"context": "edit"}).json["meta"]["price_note"] == "dear"


def test_markup_is_cleaned_by_the_writers_rights_and_rendered(author: Client, admin: Client) -> None:
    blocks = "<!-- wp:paragraph --><p>Hot<script>alert(1)</script></p><!-- /wp:paragraph -->"
    recipe = make(author, story=blocks, layout={"raw": blocks}, subtitle="Warm <b>soup</b>")
    shown = author.get(f"{RECIPES}/{recipe['id']}", query={"context": "edit"}).json["meta"]
    for name in ("story", "layout"):
        assert "<script" not in shown[name]["raw"] + shown[name]["rendered"]
        assert shown[name]["rendered"].strip() == "<p>Hotalert(1)</p>"
        assert "wp:paragraph" in shown[name]["raw"]
    assert shown["subtitle"] == "Warm soup"
    assert "<script" in make(admin, story=blocks)["meta"]["story"]["raw"]


def test_readers_see_rendered_markup_only(editor: Client, anyone: Client) -> None:
    recipe = make(editor, story="Hot", difficulty="easy")
    editor.post(f"{RECIPES}/{recipe['id']}", {"status": "publish"})
    assert anyone.get(f"{RECIPES}/{recipe['id']}").json["meta"]["story"] == {"rendered": "<p>Hot</p>\n"}


def test_a_password_hides_what_was_written_in_fields(editor: Client, anyone: Client) -> None:
    recipe = make(editor, subtitle="Warm", difficulty="easy", chef=get_own_id(editor))
    editor.post(f"{RECIPES}/{recipe['id']}", {"status": "publish", "password": "sesame"})
    path = f"{RECIPES}/{recipe['id']}"
    closed = anyone.get(path).json
    assert (closed["meta"]["subtitle"], "cms:meta-chef" in closed["_links"]) == (None, False)
    assert anyone.get(path, query={"password": "sesame"}).json["meta"]["subtitle"] == "Warm"


def test_what_a_relation_names_must_be_there_and_visible(editor: Client, author: Client, admin: Client) -> None:
    secret = make(admin)["id"]
    page = admin.post("/cms/v2/pages", {"title": "a", "status": "publish"}).json["id"]
    answer = author.post(
        RECIPES,
        {"title": "a", "meta": {"similar": [secret, page, 99999], "chef": 777, "mood": 5, "photo": page, "album": [1]}},
    )
    named = ("similar[0]", "similar[1]", "similar[2]", "chef", "mood", "photo", "album[0]")
    assert faults(answer) == {f"meta.{name}": "rest_invalid_param" for name in named}
    assert make(editor, similar=[secret])["meta"]["similar"] == [secret]


def test_a_relation_that_was_lost_does_not_stop_other_writes(editor: Client, admin: Client) -> None:
    other = make(admin)["id"]
    recipe = make(editor, similar=[other])
    admin.delete(f"{RECIPES}/{other}", query={"force": True})
    answer = editor.post(f"{RECIPES}/{recipe['id']}", {"meta": {"similar": [other], "prep_minutes": 1}})
    assert (answer.status, answer.json["meta"]["similar"]) == (200, [other])


def test_pictures_are_files_that_are_images(editor: Client) -> None:
    image = upload(editor)
    document = editor.post(
        MEDIA,
        body=b"some words",
        headers={"content-type": "text/plain", "content-disposition": 'attachment; filename="a.txt"'},
    ).json["id"]
    shown = make(editor, photo=image, sheet=document, album=[image])["meta"]
    assert (shown["photo"], shown["sheet"], shown["album"]) == (image, document, [image])
    answer = editor.post(RECIPES, {"title": "a", "meta": {"photo": document, "album": [image, document]}})
    assert faults(answer) == {"meta.photo": "rest_invalid_param", "meta.album[1]": "rest_invalid_param"}


def test_relations_are_links_that_embed(editor: Client, admin: Client, anyone: Client) -> None:
    genre = admin.post(GENRES, {"name": "Warm", "meta": {"motto": "Eat"}}).json["id"]
    image = upload(editor)
    other = make(editor, difficulty="easy")["id"]
    editor.post(f"{RECIPES}/{other}", {"status": "publish"})
    chef = get_own_id(editor)
    recipe = make(editor, similar=[other], chef=chef, mood=genre, photo=image, difficulty="easy")
    editor.post(f"{RECIPES}/{recipe['id']}", {"status": "publish"})
    answer = anyone.get(
        f"{RECIPES}/{recipe['id']}", query={"_embed": "cms:meta-similar,cms:meta-mood,cms:meta-photo"}
    ).json
    assert answer["_links"]["cms:meta-chef"][0]["href"].endswith(f"/cms/v2/users/{chef}")
    found = {rel: [one["id"] for one in several] for rel, several in answer["_embedded"].items()}
    assert found == {"cms:meta-similar": [other], "cms:meta-mood": [genre], "cms:meta-photo": [image]}


def test_revisions_keep_fields(editor: Client) -> None:
    recipe = make(editor, prep_minutes=10)
    path = f"{RECIPES}/{recipe['id']}"
    editor.post(path, {"meta": {"prep_minutes": 20}})
    editor.post(path, {"meta": {"prep_minutes": 30}})
    kept = [one["meta"]["prep_minutes"] for one in editor.get(f"{path}/revisions", query={"context": "edit"}).json]
    assert kept == [30, 20]
    old = editor.get(f"{path}/revisions", query={"context": "edit"}).json[-1]
    restored = editor.post(path, {"title": old["title"]["raw"], "meta": old["meta"]})
    assert (restored.status, restored.json["meta"]["prep_minutes"]) == (200, 20)


def test_an_autosave_keeps_fields_apart_from_the_record(editor: Client, author: Client) -> None:
    recipe = make(author, prep_minutes=10, difficulty="easy")
    path = f"{RECIPES}/{recipe['id']}"
    assert author.post(path, {"status": "publish"}).status == 200
    for minutes in (20, 25):
        saved = editor.post(f"{path}/autosaves", {"meta": {"prep_minutes": minutes, "hue": "#000000"}})
        assert (saved.status, saved.json["meta"]["prep_minutes"]) == (200, minutes)
    assert editor.post(f"{path}/autosaves", {"meta": {"hue": None}}).json["meta"]["hue"] is None
    [stored] = editor.get(f"{path}/autosaves").json
    assert (stored["meta"]["prep_minutes"], stored["meta"]["difficulty"], stored["meta"]["hue"]) == (25, "easy", None)
    assert editor.get(path).json["meta"]["prep_minutes"] == 10
    bad = editor.post(f"{path}/autosaves", {"meta": {"prep_minutes": -5}})
    assert faults(bad) == {"meta.prep_minutes": "rest_out_of_bounds"}


def test_the_schema_says_what_each_field_is(editor: Client) -> None:
    schema = editor.options(RECIPES).json["schema"]["properties"]["meta"]["properties"]
    minutes = schema["prep_minutes"]
    assert (minutes["type"], minutes["minimum"], minutes["maximum"]) == (["integer", "null"], 0, 600)
    assert (minutes["title"], minutes["description"]) == ("Minutes", "How long it takes.")
    assert schema["difficulty"]["enum"] == ["easy", "hard", None]
    assert schema["difficulty"]["description"] == "difficulty Required to publish."
    assert schema["steps"]["items"]["properties"]["minutes"]["minimum"] == 0
    named = {
        name: schema[name].get("items", schema[name]).get("x-refers-to")
        for name in ("photo", "chef", "similar", "mood")
    }
    assert named == {"photo": "image", "chef": "user", "similar": "recipe", "mood": "genre"}
    assert schema["tags"]["items"]["x-labels"] == {"hot": "Hot", "cold": "Cold"}
    assert "x-labels" not in schema["difficulty"]
    assert [name for name, one in schema.items() if one.get("x-shared")] == ["rating"]
    routes = editor.get("/").json["routes"][RECIPES]["endpoints"]
    [create] = [one for one in routes if "POST" in one["methods"]]
    assert create["args"]["meta"]["properties"]["tags"]["items"]["enum"] == ["hot", "cold"]


def test_builtin_types_have_fields_beside_their_own(editor: Client) -> None:
    post = editor.post("/cms/v2/posts", {"title": "a", "meta": {"sponsor": "Ada", "footnotes": "[]"}})
    assert (post.status, post.json["meta"]) == (201, {"footnotes": "[]", "sponsor": "Ada"})
    image = upload(editor)
    changed = editor.post(f"{MEDIA}/{image}", {"meta": {"licence": "free"}})
    assert (changed.status, changed.json["meta"]["licence"]) == (200, "free")
    assert faults(editor.post(f"{MEDIA}/{image}", {"meta": {"licence": "none"}})) == {
        "meta.licence": "rest_not_in_enum"
    }


def test_ext_shows_and_writes_the_same_where_the_profile_asks_for_it(request: pytest.FixtureRequest) -> None:
    with standing(request, build_profile(ext_fields=True)) as stand:
        editor = stand.client("editor")
        made = editor.post(RECIPES, {"title": "a", "ext": {"prep_minutes": 5}})
        assert made.status == 201, made.json
        assert made.json["ext"]["prep_minutes"] == made.json["meta"]["prep_minutes"] == 5
        assert faults(editor.post(RECIPES, {"title": "a", "ext": {"prep_minutes": -5, "other": 1}})) == {
            "ext.prep_minutes": "rest_out_of_bounds", "ext.other": "rest_additional_properties_forbidden",
        }  # fmt: skip
        both = {"title": "a", "meta": {"prep_minutes": 1}, "ext": {"prep_minutes": 2}}
        assert faults(editor.post(RECIPES, both)) == {"ext.prep_minutes": "rest_invalid_param"}


def test_the_other_dialect_calls_it_acf(request: pytest.FixtureRequest) -> None:
    with standing(request, build_profile(ext_fields=True, dialects=("neutral", "wordpress"))) as stand:
        editor = stand.client("editor", root="/en/wp-json")
        made = editor.post("/wp/v2/recipes", {"title": "a", "acf": {"prep_minutes": 5}})
        assert (made.status, made.json["acf"]["prep_minutes"], "ext" in made.json) == (201, 5, False)
        answer = editor.post("/wp/v2/recipes", {"title": "a", "acf": {"prep_minutes": -5}})
        assert faults(answer) == {"acf.prep_minutes": "rest_out_of_bounds"}


def test_types_that_show_no_meta_do_once_they_have_fields(request: pytest.FixtureRequest) -> None:
    own = {name: {"mark": ProfileField("text")} for name in ("cms_navigation", "cms_block", "page", "category")}
    with standing(request, build_profile(fields=own)) as stand:
        admin = stand.client("admin")
        for base in ("navigation", "blocks", "pages"):
            made = admin.post(f"/cms/v2/{base}", {"title": "a", "content": "b", "meta": {"mark": "x"}})
            assert (made.status, made.json["meta"]["mark"]) == (201, "x"), base
            assert admin.get(f"/cms/v2/{base}/{made.json['id']}").json["meta"]["mark"] == "x"
        assert admin.post("/cms/v2/categories", {"name": "a", "meta": {"mark": "x"}}).json["meta"] == {"mark": "x"}


def test_without_that_key_there_is_no_ext(editor: Client) -> None:
    assert "ext" not in make(editor)


@pytest.mark.in_process("opens the site's folder with another profile")
def test_values_of_a_field_that_left_the_profile_stay_and_are_not_shown(site: Stand) -> None:
    path = f"{RECIPES}/{make(site.client('editor'), prep_minutes=5, hue='#000000')['id']}"
    profile = build_profile()
    recipe = profile.types["recipe"]
    fields = {name: one for name, one in recipe.fields.items() if name != "prep_minutes"}
    smaller = msgspec.structs.replace(
        profile, types={**profile.types, "recipe": msgspec.structs.replace(recipe, fields=fields)}
    )
    for declared, shown in ((smaller, {"hue": "#000000"}), (profile, {"hue": "#000000", "prep_minutes": 5})):
        again = Site(declared, site.site.context.settings, site.site.folder, durable=False)
        answer = Stand(again).client("editor").get(path, query={"context": "edit"})
        meta = answer.json["meta"]
        again.close()
        assert {name: meta[name] for name in ("hue", "prep_minutes") if name in meta} == shown


def test_a_preview_shows_unsaved_fields_and_none_that_a_reader_may_not_see(
    editor: Client, admin: Client, anyone: Client
) -> None:
    soup = make(editor, subtitle="Cold", prep_minutes=30, contact="cook@example.org")
    address = f"{RECIPES}/{soup['id']}"
    saved = admin.post(f"{address}/autosaves", {"title": "Soup", "meta": {"subtitle": "Warm", "prep_minutes": None}})
    assert saved.status == 200, saved.json
    shown = anyone.get(address, query={"preview": admin.post(f"{address}/preview-links", {}).json["token"]}).json
    assert shown["preview"]["state"] == "autosave"
    assert (shown["meta"]["subtitle"], shown["meta"]["prep_minutes"]) == ("Warm", None)
    assert "contact" not in shown["meta"]
    stored = editor.get(address, query={"context": "edit"}).json["meta"]
    assert (stored["subtitle"], stored["prep_minutes"]) == ("Cold", 30)
    assert stored["contact"] == "cook@example.org"
