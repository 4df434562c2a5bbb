"""Media in an S3-compatible store: the same responses as with a folder."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import object_store
from conftest import ACCOUNTS, Client, SetClock, Stand, exchange
from pictures import picture
from sounds import mp3
from vetrina.media.uploads import orphan_files
from vetrina.settings import Settings, load_profile
from vetrina.site import Site
from vetrina.site_factory import create_stand_in_site
from vetrina.system.integrity_rules import RULES

MEDIA = "/cms/v2/media"
NUMBERS = itertools.count()


@pytest.fixture(scope="module")
def s3_address() -> Iterator[str]:
    with object_store.bucket() as address:
        yield address


@pytest.fixture
def site(s3_address: str, tmp_path: Path, clock: SetClock) -> Iterator[Stand]:
    url = object_store.store(s3_address, f"media-{next(NUMBERS)}")
    profile, settings = load_profile("first"), Settings(secret="secret of the tests", media=url)
    create_stand_in_site(profile, ACCOUNTS, tmp_path, settings).close()
    site = Site(profile, settings, tmp_path, clock=clock)
    yield Stand(site)
    site.close()


def uploaded(admin: Client, content: bytes, name: str) -> dict[str, Any]:
    answer = admin.post(MEDIA, body=content, headers={"content-disposition": f'attachment; filename="{name}"'})
    assert answer.status == 201, answer.json
    return answer.json  # type: ignore[no-any-return]


def names(site: Stand) -> list[str]:
    return sorted(one.name.rpartition("/")[2] for one in site.site.files.list_files("uploads/"))


def of_file(site: Stand, address: str, **headers: str) -> tuple[int, bytes]:
    status, _, content = exchange(site.site, "GET", address.partition("vetrina.test")[2], headers=headers)
    return status, content


def test_an_image_is_kept_with_its_sizes_and_sent(site: Stand, admin: Client) -> None:
    content = picture(1200, 800)
    found = uploaded(admin, content, "bay.jpg")
    assert names(site) == sorted(one["file"] for one in found["media_details"]["sizes"].values())
    assert of_file(site, found["source_url"]) == (200, content)
    assert of_file(site, found["source_url"], range="bytes=0-2") == (206, content[:3])
    assert of_file(site, found["media_details"]["sizes"]["medium"]["source_url"])[1][:3] == b"\xff\xd8\xff"
    assert of_file(site, found["source_url"] + "x")[0] == 404


def test_a_name_in_use_gets_a_number(site: Stand, admin: Client) -> None:
    files = [uploaded(admin, picture(9, 9), "a.jpg")["media_details"]["file"] for _ in range(2)]
    assert [file.rpartition("/")[2] for file in files] == ["a.jpg", "a-1.jpg"]


def test_a_large_file_and_a_sound(site: Stand, admin: Client) -> None:
    large = b"PK\3\4" + bytes(17 << 20)
    found = uploaded(admin, large, "large.zip")
    assert found["media_details"]["filesize"] == len(large)
    assert of_file(site, found["source_url"], range="bytes=16777216-16777219") == (206, bytes(4))
    sound = uploaded(admin, mp3(3, cover=picture(200, 200)), "a.mp3")
    assert (sound["media_details"]["length_formatted"], sound["featured_media"] > 0) == ("0:03", True)


def test_edits_and_sizes_that_are_missing(site: Stand, admin: Client) -> None:
    found = uploaded(admin, picture(640, 400), "a.jpg")
    turned = {"modifiers": [{"type": "rotate", "args": {"angle": 90}}], "src": found["source_url"]}
    edited = admin.post(f"{MEDIA}/{found['id']}/edit", turned)
    assert (edited.status, edited.json["media_details"]["width"]) == (201, 400)
    assert "a-edited.jpg" in names(site)


def test_what_is_refused_or_removed_leaves_nothing(site: Stand, admin: Client) -> None:
    broken = admin.post(MEDIA, body=b"words", headers={"content-disposition": "attachment; filename=a.jpg"})
    assert (broken.status, names(site)) == (400, [])
    found = uploaded(admin, picture(640, 400), "a.jpg")
    assert admin.delete(f"{MEDIA}/{found['id']}", query={"force": "true"}).status == 200
    assert names(site) == []


def test_what_belongs_to_no_record_is_found(site: Stand, admin: Client, clock: SetClock) -> None:
    uploaded(admin, picture(640, 400), "a.jpg")
    site.site.files.put("uploads/2026/11/lost.jpg", b"x")
    clock.forward(7200)
    with site.site.work(read=True) as work:
        found = list(orphan_files.iterate_orphaned_files(work))
        assert found == ["uploads/2026/11/lost.jpg"]
        assert not [line for rule in RULES for line in rule.broken(work) if "missing" in line]
    site.site.files.delete("uploads/2026/11/lost.jpg")
    name = next(one.name for one in site.site.files.list_files("uploads/") if one.name.endswith("/a.jpg"))
    site.site.files.delete(name)
    with site.site.work(read=True) as work:
        assert [line for rule in RULES for line in rule.broken(work) if "a.jpg of attachment" in line]


def test_renditions_are_kept_there_too(site: Stand, admin: Client) -> None:
    found = uploaded(admin, picture(640, 400), "bay.jpg")
    url = found["source_url"] + "?w=320&format=webp"
    first, again = of_file(site, url), of_file(site, url)
    assert (first[0], first[1][8:12], again) == (200, b"WEBP", first)
    assert len(list(site.site.files.list_files("renditions/"))) == 1
    assert admin.delete(f"{MEDIA}/{found['id']}?force=true").status == 200
    assert not list(site.site.files.list_files("renditions/"))
