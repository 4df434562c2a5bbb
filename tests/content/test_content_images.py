"""Images in texts: the srcset of the files that exist when the text is read."""

from __future__ import annotations

from typing import Any

import pytest

from conftest import Client, Stand
from pictures import picture
from recorded_statements import record_statements


@pytest.fixture
def photo(admin: Client) -> dict[str, Any]:
    answer = admin.post(
        "/cms/v2/media", body=picture(1200, 800),
        headers={"content-disposition": 'attachment; filename="bay.jpg"', "content-type": "image/jpeg"},
    )  # fmt: skip
    assert answer.status == 201
    return answer.json  # type: ignore[no-any-return]


def shown(admin: Client, anyone: Client, content: str) -> str:
    made = admin.post("/cms/v2/posts", {"title": "Bay", "content": content, "status": "publish"})
    return anyone.get(f"/cms/v2/posts/{made.json['id']}").json["content"]["rendered"]  # type: ignore[no-any-return]


def block(photo: dict[str, Any], size: str = "large", more: str = "") -> str:
    src, number = photo["media_details"]["sizes"][size]["source_url"], photo["id"]
    return (
        f'<!-- wp:image {{"id":{number},"sizeSlug":"{size}"}} -->\n<figure class="wp-block-image size-{size}">'
        f'<img src="{src}" alt="" class="wp-image-{number}"{more}/></figure>\n<!-- /wp:image -->'
    )


def test_an_image_of_the_site_says_how_large_it_is_and_what_else_there_is(
    admin: Client, anyone: Client, photo: dict[str, Any]
) -> None:
    sizes = {name: one["source_url"] for name, one in photo["media_details"]["sizes"].items()}
    assert shown(admin, anyone, block(photo)) == (
        '\n<figure class="wp-block-image size-large">'
        f'<img loading="lazy" decoding="async" width="1024" height="683" src="{sizes["large"]}" alt="" '
        f'class="wp-image-{photo["id"]}" srcset="{sizes["large"]} 1024w, {sizes["medium"]} 300w, '
        f'{sizes["medium_large"]} 768w, {sizes["full"]} 1200w" sizes="auto, (max-width: 1024px) 100vw, 1024px" />'
        "</figure>\n"
    )


def test_a_cropped_size_has_no_alternatives(admin: Client, anyone: Client, photo: dict[str, Any]) -> None:
    html = shown(admin, anyone, block(photo, "thumbnail"))
    assert "srcset" not in html
    assert 'width="150" height="150"' in html


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        (' width="600" height="400"', 'sizes="auto, (max-width: 600px) 100vw, 600px"'),
        (' width="600" height="400" sizes="50vw"', 'sizes="auto, 50vw"'),
        (' width="600" height="100"', 'width="600" height="100"'),
        (' style="width:300px"', 'width="300" height="200"'),
        (' width="600" height="400" loading="eager"', 'sizes="(max-width: 600px) 100vw, 600px"'),
    ],
)
def test_what_the_author_wrote_counts(
    admin: Client, anyone: Client, photo: dict[str, Any], written: str, expected: str
) -> None:
    html = shown(admin, anyone, block(photo, "large", written))
    assert expected in html
    assert ("srcset" in html) == ("100vw" in expected or "50vw" in expected or "300" in written)


def test_what_is_no_image_of_the_site_stays_as_it_is(admin: Client, anyone: Client, photo: dict[str, Any]) -> None:
    foreign = f'<img src="https://example.org/bay.jpg" class="wp-image-{photo["id"]}" alt="">'
    unknown = '<img src="https://example.org/x.jpg" class="wp-image-99999999999999" alt="">'
    html = shown(admin, anyone, foreign + unknown)
    assert "srcset" not in html
    assert "width" not in html


def test_a_removed_image_has_no_alternatives_any_more(admin: Client, anyone: Client, photo: dict[str, Any]) -> None:
    made = admin.post("/cms/v2/posts", {"title": "Bay", "content": block(photo), "status": "publish"})
    target = f"/cms/v2/posts/{made.json['id']}"
    assert "srcset" in anyone.get(target).json["content"]["rendered"]
    admin.delete(f"/cms/v2/media/{photo['id']}?force=true")
    assert "srcset" not in anyone.get(target).json["content"]["rendered"]


def test_revisions_and_feeds_show_the_same(admin: Client, anyone: Client, photo: dict[str, Any]) -> None:
    made = admin.post("/cms/v2/posts", {"title": "Bay", "content": block(photo), "status": "publish"})
    admin.post(f"/cms/v2/posts/{made.json['id']}", {"title": "The bay"})
    listed = admin.get(f"/cms/v2/posts/{made.json['id']}/revisions").json
    assert listed
    assert all("srcset" in one["content"]["rendered"] for one in listed)


@pytest.mark.in_process("it asks SQLite")
def test_a_list_asks_for_the_files_of_all_its_texts_at_once(
    site: Stand, admin: Client, anyone: Client, photo: dict[str, Any], kind: str
) -> None:
    if kind != "sqlite":
        pytest.skip("only the embedded database tells what it is asked")

    def asked(rows: int) -> int:
        with record_statements(site) as noted:
            answer = anyone.get("/cms/v2/posts", query={"per_page": rows, "_fields": "id,content"})
        assert len(answer.json) == rows
        assert all("srcset" in one["content"]["rendered"] for one in answer.json)
        return len(noted)

    for number in range(12):
        admin.post("/cms/v2/posts", {"title": f"Bay {number}", "content": block(photo), "status": "publish"})
    asked(2)
    assert asked(3) == asked(12)
