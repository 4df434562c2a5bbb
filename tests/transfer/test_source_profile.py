"""A profile is made of what a source has; everything comes into a site of it."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, strategies as st

from conftest import Stand, made
from vetrina.cli.site_connection import LocalConnection
from vetrina.profile_checks import convert_sound_profile
from vetrina.settings import Profile, convert_profile
from vetrina.transfer.importing import import_records
from vetrina.transfer.source_profile import build_source_profile, format_profile
from vetrina.transfer.sources.address.site_source import SiteSource

pytestmark = pytest.mark.in_process("the site is read without HTTP")

OLD: dict[str, Any] = {
    "title": "The \"harbour\"",
    "languages": ["en", "it"],
    "time_zone": "Europe/Lisbon",
    "modules": ["content", "multilingual"],
    "types": {
        "boat": {
            "label": "Boats", "singular": "Boat", "base": "boats", "supports": ["title", "editor", "thumbnail"],
            "taxonomies": ["rig"], "translation": "translated",
            "fields": {
                "length": {"type": "number"}, "crew": {"type": "integer"}, "sails": {"type": "boolean"},
                "name_before": {"type": "text"}, "ports": {"type": "text", "multiple": True},
                "engine": {"type": "group", "fields": {"maker": {"type": "text"}}},
                "trips": {"type": "repeater", "fields": {"to": {"type": "text"}, "days": {"type": "integer"}}},
            },
        },
    },
    "taxonomies": {
        "rig": {"label": "Rigs", "types": ["boat"], "hierarchical": True, "translation": "translated"},
    },
    "fields": {"post": {"subtitle": {"type": "text"}}},
    "options_pages": {"crew": {"label": "Crew", "public": True, "fields": {"seats": {"type": "integer"}}}},
}  # fmt: skip
META = {
    "length": 12.5, "crew": 3, "sails": True, "name_before": "Anna", "ports": ["Lisbon", "Porto"],
    "engine": {"maker": "Volvo"}, "trips": [{"to": "Faro", "days": 2}],
}  # fmt: skip


@pytest.fixture
def old(tmp_path: Path) -> Iterator[Stand]:
    """A site with a type, a taxonomy and fields of its own."""
    (tmp_path / "old").mkdir()
    site = made(tmp_path / "old", convert_profile(OLD, "old.toml"), url="https://old.example")
    admin = Stand(site).client("admin")
    rig = admin.post("/cms/v2/rig", {"name": "Schooner"}).json["id"]
    boat = {"title": "Gull", "status": "publish", "rig": [rig], "meta": META}
    assert admin.post("/cms/v2/boats", boat).status == 201
    admin.post("/cms/v2/options-pages/crew", {"meta": {"seats": 7}})
    admin.post("/cms/v2/posts", {"title": "One", "status": "publish", "meta": {"subtitle": "Two"}})
    yield Stand(site)
    site.close()


def test_the_profile_has_what_the_source_has(old: Stand) -> None:
    found = build_source_profile(SiteSource(LocalConnection(old.site)))
    assert found == {
        **OLD, "name": "the-harbour", "dialects": ["neutral", "wordpress"], "title": found["title"],
        "languages": ["en", "it"], "time_zone": "Europe/Lisbon",
    }  # fmt: skip


def test_everything_comes_into_a_site_of_it(old: Stand, tmp_path: Path) -> None:
    text = format_profile(build_source_profile(SiteSource(LocalConnection(old.site))))
    profile: Profile = convert_sound_profile(tomllib.loads(text), "new.toml", text=text)
    (tmp_path / "new").mkdir()
    site = made(tmp_path / "new", profile, url="https://new.example")
    try:
        report = import_records(site, SiteSource(LocalConnection(old.site)))
        assert not report.refusals
        assert not [note for note in report.notes if "extra field" in note]
        assert Stand(site).client("admin").get("/cms/v2/options-pages/crew").json["meta"] == {"seats": 7}
        [boat] = Stand(site).client("admin").get("/cms/v2/boats?context=edit").json
    finally:
        site.close()
    assert {name: boat["meta"][name] for name in META} == META


NAMES = st.text(min_size=1, max_size=8)
VALUES = st.recursive(
    st.text() | st.booleans() | st.integers(-(2**63), 2**63 - 1) | st.lists(st.text() | st.text(), max_size=3),
    lambda inner: st.dictionaries(NAMES, inner, min_size=1, max_size=3),
    max_leaves=8,
)


@given(st.dictionaries(NAMES, VALUES, max_size=4))
def test_what_is_written_is_read_again(profile: dict[str, Any]) -> None:
    assert tomllib.loads(format_profile(profile)) == profile
