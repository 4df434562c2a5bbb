"""Font families and faces: their definitions, files and permissions; the collections."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from conftest import Answer, Client, Stand, exchange, standing
from vetrina.backends.http_client import OutboundClient
from vetrina.settings import load_profile

FAMILIES = "/cms/v2/font-families"
WOFF2 = b"wOF2" + bytes(60)
HOSTS = {"fonts.example": ["1.2.3.4"], "inner.example": ["1.2.3.4", "10.0.0.1"]}


class Resolver:
    """Knows two hosts, and every number; it records what it is asked for."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def __call__(self, host: str, port: int) -> list[str]:
        self.asked.append(host)
        if host in HOSTS:
            return HOSTS[host]
        if host.replace(".", "").isdigit():
            return [host]
        raise OSError("unknown host")


pytestmark = pytest.mark.in_process("the hosts that it asks are played in it")


@pytest.fixture
def resolver() -> Resolver:
    return Resolver()


@pytest.fixture
def site(request: pytest.FixtureRequest, kind: str, resolver: Resolver) -> Iterator[Stand]:
    """A site that does not use the system's resolver."""
    with standing(request, load_profile("first"), outbound=OutboundClient(resolve=resolver)) as stand:
        yield stand


def family(client: Client, **members: Any) -> Answer:
    said = {"name": "Kept", "slug": "kept", "fontFamily": "Kept", **members}
    return client.post(FAMILIES, {"font_family_settings": json.dumps(said)})


def face(client: Client, parent: int, **members: Any) -> Answer:
    said = {"fontFamily": "Kept", "src": "https://fonts.example/a.woff2", **members}
    return client.post(f"{FAMILIES}/{parent}/font-faces", {"font_face_settings": json.dumps(said)})


def sent(client: Client, parent: int, files: dict[str, tuple[str, bytes]], **members: Any) -> Answer:
    """Send a face with files: field name → file name and bytes."""
    said = {"fontFamily": "Kept", "src": next(iter(files), "file-0"), **members}
    mark = b"boundary-of-the-tests"
    head = b'Content-Disposition: form-data; name="%s"'
    parts = [b"--%s\r\n" % mark + head % b"font_face_settings" + b"\r\n\r\n" + json.dumps(said).encode() + b"\r\n"]
    for field, (name, content) in files.items():
        named = head % field.encode() + b'; filename="%s"' % name.encode()
        parts.append(b"--%s\r\n" % mark + named + b"\r\nContent-Type: font/woff2\r\n\r\n" + content + b"\r\n")
    return client.ask(
        "POST", f"{FAMILIES}/{parent}/font-faces", body=b"".join(parts) + b"--%s--\r\n" % mark,
        headers={"content-type": f"multipart/form-data; boundary={mark.decode()}"},
    )  # fmt: skip


@pytest.fixture
def parent(admin: Client) -> int:
    return int(family(admin).json["id"])


# -- families


@pytest.mark.parametrize(
    ("written", "kept"),
    [
        ("Plain, sans-serif", "Plain, sans-serif"),
        ("Two Words, serif", '"Two Words", serif'),
        ("'Single', \"Double\"", '"Single", "Double"'),
        ("Font2", '"Font2"'),
        ("generic(kai)", "generic(kai)"),
        ('Odd"; }', '"Odd; }"'),
    ],
)
def test_names_of_families_are_quoted_where_css_wants_it(admin: Client, written: str, kept: str) -> None:
    assert family(admin, fontFamily=written).json["font_family_settings"]["fontFamily"] == kept


def test_a_family_is_cleaned_and_shown_alike_in_all_contexts(admin: Client) -> None:
    answer = family(admin, name=" <b>Bold</b>  Name ", slug="A Slug", preview="not an address")
    assert answer.status == 201
    assert answer.json["font_family_settings"] == {
        "name": "Bold Name", "slug": "a-slug", "fontFamily": "Kept", "preview": "http://not%20an%20address",
    }  # fmt: skip
    assert answer.json["theme_json_version"] == 3
    for context in ("view", "edit", "embed"):
        shown = admin.get(f"{FAMILIES}/{answer.json['id']}", query={"context": context}).json
        assert {name: value for name, value in shown.items() if name != "_links"} == {
            name: value for name, value in answer.json.items() if name != "_links"
        }


@pytest.mark.parametrize(
    ("text", "detail"),
    [
        ("no JSON", "rest_invalid_param"),
        ('""', "rest_invalid_param"),
        ("5", "rest_invalid_type"),
        ("[]", "rest_property_required"),
        ('{"name": "x", "slug": "x"}', "rest_property_required"),
        ('{"name": "x", "slug": "x", "fontFamily": "x", "odd": 1}', "rest_additional_properties_forbidden"),
        ('{"name": "x", "slug": "x", "fontFamily": ["x"]}', "rest_invalid_type"),
        ('{"name": "x", "slug": "/", "fontFamily": "x"}', "rest_invalid_param"),
        ('{"name": "<i></i>", "slug": "x", "fontFamily": "x"}', "rest_invalid_param"),
    ],
)
def test_what_does_not_say_a_family_is_refused(admin: Client, text: str, detail: str) -> None:
    answer = admin.post(FAMILIES, {"font_family_settings": text})
    assert (answer.status, answer.code) == (400, "rest_invalid_param")
    assert answer.json["data"]["details"]["font_family_settings"]["code"] == detail
    assert admin.get(FAMILIES).json == []


def test_a_slug_belongs_to_one_family(admin: Client, parent: int) -> None:
    answer = family(admin, name="Other")
    assert (answer.status, answer.code) == (400, "rest_duplicate_font_family")


def test_a_change_keeps_what_is_not_sent_and_never_the_slug(admin: Client, parent: int) -> None:
    def change(**members: Any) -> Answer:
        return admin.post(f"{FAMILIES}/{parent}", {"font_family_settings": json.dumps(members)})

    assert change(name="New").json["font_family_settings"] == {
        "name": "New", "slug": "kept", "fontFamily": "Kept", "preview": "",
    }  # fmt: skip
    assert change(slug="new").code == "rest_invalid_param"
    assert change(fontFamily="").code == "rest_invalid_param"
    assert admin.post(f"{FAMILIES}/{parent}", {}).code == "rest_missing_callback_param"


@pytest.mark.every_database
def test_lists_are_ordered_filtered_and_paged(admin: Client) -> None:
    ids = [family(admin, slug=f"slug-{at}").json["id"] for at in range(3)]

    def listed(**query: Any) -> list[int]:
        return [one["id"] for one in admin.get(FAMILIES, query={**query, "_fields": "id"}).json]

    assert listed() == ids[::-1]
    assert listed(order="asc") == ids
    assert listed(include=[ids[1], ids[0]], orderby="include") == [ids[1], ids[0]]
    assert listed(exclude=[ids[0]]) == [ids[2], ids[1]]
    assert listed(slug=["slug-1"]) == [ids[1]]
    assert listed(per_page=2, page=2) == [ids[0]]
    assert listed(offset=2) == [ids[0]]
    page = admin.get(FAMILIES, query={"per_page": 2})
    assert (page.headers["x-cms-total"], page.headers["x-cms-totalpages"]) == ("3", "2")
    assert admin.get(FAMILIES, query={"page": 9}).code == "rest_post_invalid_page_number"


@pytest.mark.every_database
@pytest.mark.parametrize("of_faces", [False, True])
def test_offsets_and_orders_of_lists_are_those_of_all_records(admin: Client, parent: int, of_faces: bool) -> None:
    path = f"{FAMILIES}/{parent}/font-faces" if of_faces else FAMILIES
    for weight in ("400", "700", "900") if of_faces else ("a", "b"):
        assert (face(admin, parent, fontWeight=weight) if of_faces else family(admin, slug=weight)).status == 201
    assert admin.get(path, query={"orderby": "include"}).code == "rest_orderby_include_missing_include"
    assert admin.get(path, query={"offset": 1, "page": 9}).code == "rest_post_invalid_page_number"
    beyond = admin.get(path, query={"offset": 9})
    assert (beyond.json, beyond.headers["x-cms-total"], beyond.headers["x-cms-totalpages"]) == ([], "0", "0")
    assert admin.get(path, query={"offset": 1}).headers["x-cms-total"] == "3"


def test_a_family_goes_with_its_faces_and_their_files(site: Stand, admin: Client, parent: int) -> None:
    made = sent(admin, parent, {"file-0": ("a.woff2", WOFF2)}).json
    path = f"{FAMILIES}/{parent}"
    assert admin.delete(path).status == 501
    assert admin.delete(path, query={"force": True}).json["previous"]["font_faces"] == [made["id"]]
    assert admin.get(f"{path}/font-faces").code == "rest_post_invalid_parent"
    assert site.stored(made["id"]) is None
    assert site.site.files.open("uploads/fonts/a.woff2") is None


# -- faces


def test_a_face_is_kept_as_it_was_said(admin: Client, parent: int) -> None:
    made = face(admin, parent, fontWeight=500, fontStyle="italic", unicodeRange="U+0025-00FF")
    assert made.status == 201
    assert made.json["font_face_settings"] == {
        "fontFamily": "Kept", "src": "https://fonts.example/a.woff2", "fontWeight": "500", "fontStyle": "italic",
        "unicodeRange": "U+0025-00FF",
    }  # fmt: skip
    path = f"{FAMILIES}/{parent}/font-faces/{made.json['id']}"
    assert admin.get(path).json["font_face_settings"] == made.json["font_face_settings"]
    assert admin.get(f"{FAMILIES}/{parent}").json["font_faces"] == [made.json["id"]]
    assert admin.get(f"{FAMILIES}/{parent}", query={"_embed": "font_faces"}).json["_embedded"]["font_faces"]
    assert admin.post(path, {"font_face_settings": "{}"}).code == "rest_no_route"


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ({}, {"src": "https://fonts.example/b.woff2"}),
        ({}, {"fontDisplay": "swap"}),
        ({}, {"fontStyle": "normal", "fontWeight": "400", "fontStretch": "100%"}),
        ({"fontWeight": "bold"}, {"fontWeight": "700"}),
        ({"fontStretch": "condensed"}, {"fontStretch": "75%"}),
        ({"fontFamily": "Two Words"}, {"fontFamily": "'TWO WORDS'"}),
        ({"unicodeRange": "U+0-FF,u+4??"}, {"unicodeRange": "u+0-ff, U+4??"}),
    ],
)
def test_the_same_face_is_refused(admin: Client, parent: int, first: dict[str, Any], second: dict[str, Any]) -> None:
    assert face(admin, parent, **first).status == 201
    answer = face(admin, parent, **second)
    assert (answer.status, answer.code) == (400, "rest_duplicate_font_face")


@pytest.mark.parametrize("src", [5, 1.5, True, 10**20])
def test_a_source_that_is_no_text_is_refused(admin: Client, parent: int, src: Any) -> None:
    answer = face(admin, parent, src=src)
    assert (answer.status, answer.code) == (400, "rest_invalid_param")
    assert list(answer.json["data"]["params"]) == ["font_face_settings"]


@pytest.mark.parametrize(
    "src",
    [
        "", [], [""], "a.woff2", "file-0", "ftp://1.2.3.4/a.woff2", "http://192.168.1.5/a.woff2",
        "http://127.0.0.1/a.woff2", "https://203.0.113.7/a.woff2", "https://unknown.example/a.woff2",
        "http://[", "https://inner.example/a.woff2", "javascript:alert(1)", "data:font/woff2;base64,AAAA",
        ["https://fonts.example/a.woff2", "http://10.0.0.1/a"],
    ],
)  # fmt: skip
def test_an_address_that_is_not_of_the_public_internet_is_refused(admin: Client, parent: int, src: Any) -> None:
    answer = face(admin, parent, src=src)
    assert (answer.status, answer.code) == (400, "rest_invalid_param")
    assert list(answer.json["data"]["params"]) == ["font_face_settings"]


def test_an_address_is_safe_to_write_into_a_style_sheet(admin: Client, parent: int) -> None:
    shown = face(admin, parent, src='https://fonts.example/a b.woff2") }<i>').json["font_face_settings"]
    assert shown["src"] == "https://fonts.example/a%20b.woff2)%20i"


def test_an_address_of_the_site_itself_is_good(admin: Client, parent: int) -> None:
    assert face(admin, parent, src="http://vetrina.test/cms-content/uploads/fonts/a.woff2").status == 201


def test_nobody_without_the_right_makes_the_server_look_a_host_up(
    admin: Client, editor: Client, anyone: Client, parent: int, resolver: Resolver
) -> None:
    assert (face(anyone, parent).status, face(anyone, parent).code) == (401, "rest_cannot_create")
    assert (face(editor, parent).status, face(editor, parent).code) == (403, "rest_cannot_create")
    assert resolver.asked == []
    assert face(admin, parent).status == 201
    assert resolver.asked == ["fonts.example"]


def test_faces_are_found_under_their_own_family_only(admin: Client, parent: int) -> None:
    other = family(admin, slug="other").json["id"]
    made = face(admin, parent).json["id"]
    assert admin.get(f"{FAMILIES}/{other}/font-faces/{made}").code == "rest_font_face_parent_id_mismatch"
    assert admin.get(f"{FAMILIES}/999999/font-faces/{made}").code == "rest_post_invalid_parent"
    assert admin.get(f"{FAMILIES}/{parent}/font-faces/999999").code == "rest_post_invalid_id"
    assert face(admin, 999999).code == "rest_post_invalid_parent"
    assert admin.get(f"{FAMILIES}/{other}/font-faces").json == []


# -- files


def test_a_file_that_comes_along_is_kept_and_served(site: Stand, admin: Client, parent: int) -> None:
    made = sent(admin, parent, {"file-0": ("My Font.WOFF2", WOFF2)})
    assert made.status == 201
    address = made.json["font_face_settings"]["src"]
    assert address == "http://vetrina.test/cms-content/uploads/fonts/My-Font.woff2"
    status, headers, content = exchange(site.site, "GET", address.removeprefix("http://vetrina.test"))
    assert (status, content) == (200, WOFF2)
    assert ("content-type", "font/woff2") in headers


def test_files_of_one_name_do_not_overwrite_each_other(site: Stand, admin: Client, parent: int) -> None:
    for weight in ("400", "700"):
        sent(admin, parent, {"file-0": ("a.woff2", WOFF2 + weight.encode())}, fontWeight=weight)
    sources = [one["font_face_settings"]["src"] for one in admin.get(f"{FAMILIES}/{parent}/font-faces").json]
    assert [source.rpartition("/")[2] for source in sources] == ["a-1.woff2", "a.woff2"]


def test_several_files_are_named_in_a_list(admin: Client, parent: int) -> None:
    files = {"one": ("a.woff2", WOFF2), "two": ("a.woff", b"wOFF" + bytes(40))}
    src = ["one", "https://fonts.example/x.ttf", "two"]
    kept = sent(admin, parent, files, src=src).json["font_face_settings"]["src"]
    assert [one.rpartition("/")[2] for one in kept] == ["a.woff2", "x.ttf", "a.woff"]


@pytest.mark.in_process("it looks into the folder of files")
@pytest.mark.parametrize(
    ("files", "members", "code"),
    [
        ({"file-0": ("a.txt", b"plain words")}, {}, "rest_font_upload_invalid_file_type"),
        ({"file-0": ("a.woff2", b"<svg onload=x>")}, {}, "rest_font_upload_invalid_file_type"),
        ({"file-0": ("a.woff2", b"")}, {}, "rest_font_upload_invalid_file_type"),
        ({"file-0": ("a.woff2", WOFF2)}, {"src": "https://fonts.example/x"}, "rest_invalid_param"),
        ({"file-1": ("a.woff2", WOFF2)}, {"src": "file-0"}, "rest_invalid_param"),
    ],
)
def test_files_that_do_not_fit_are_refused_and_not_kept(
    site: Stand, admin: Client, parent: int, files: Any, members: dict[str, Any], code: str
) -> None:
    answer = sent(admin, parent, files, **members)
    assert (answer.status, answer.code) == (400, code)
    assert not list((site.site.folder / "media").rglob("fonts/*"))


@pytest.mark.in_process("it looks into the folder of files")
def test_a_refused_face_leaves_no_file_behind(site: Stand, admin: Client, parent: int) -> None:
    face(admin, parent)
    assert sent(admin, parent, {"file-0": ("a.woff2", WOFF2)}).code == "rest_duplicate_font_face"
    assert sent(admin, 999999, {"file-0": ("b.woff2", WOFF2)}).code == "rest_post_invalid_parent"
    assert not list((site.site.folder / "media").rglob("fonts/*"))


def test_a_name_cannot_lead_out_of_the_folder(site: Stand, admin: Client, parent: int) -> None:
    made = sent(admin, parent, {"file-0": ("../../../etc/x.woff2", WOFF2)}).json
    assert made["font_face_settings"]["src"].endswith("/cms-content/uploads/fonts/x.woff2")


# -- rights and collections


@pytest.mark.parametrize("login", ["", "subscriber", "contributor", "author", "editor"])
def test_fonts_are_for_administrators(site: Stand, admin: Client, parent: int, login: str) -> None:
    client, status = site.client(login), 403 if login else 401
    one = f"{FAMILIES}/{parent}"
    below = f"{one}/font-faces/{face(admin, parent).json['id']}"
    answers = [
        (client.get(FAMILIES), "rest_cannot_read"),
        (client.get(one), "rest_cannot_read"),
        (client.get(f"{one}/font-faces"), "rest_cannot_read"),
        (client.get(below), "rest_cannot_read"),
        (client.get("/cms/v2/font-collections"), "rest_cannot_read"),
        (client.get("/cms/v2/font-collections/no-such"), "rest_cannot_read"),
        (family(client), "rest_cannot_create"),
        (client.post(one, {"font_family_settings": "{}"}), "rest_cannot_edit"),
        (client.delete(one, query={"force": True}), "rest_cannot_delete"),
        (client.delete(below, query={"force": True}), "rest_cannot_delete"),
    ]
    assert [(answer.status, answer.code) for answer, _ in answers] == [(status, code) for _, code in answers]


def test_the_collections_can_be_taken_over_as_they_are(admin: Client) -> None:
    listed = admin.get("/cms/v2/font-collections")
    assert listed.headers["x-cms-total"] == "1"
    one = admin.get(f"/cms/v2/font-collections/{listed.json[0]['slug']}").json
    known = {category["slug"] for category in one["categories"]}
    for offer in one["font_families"]:
        assert set(offer["categories"]) <= known
        assert family(admin, **offer["font_family_settings"]).status == 201
    assert admin.get("/cms/v2/font-collections/no-such").code == "rest_font_collection_not_found"
