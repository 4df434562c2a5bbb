"""A stand-in that speaks both dialects, with a record of several kinds, and what is asked of its papers."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from conftest import Client, Stand, made
from vetrina.settings import load_profile


def filled(folder: Path, profile: str = "first") -> Stand:
    """Return a stand-in that speaks both dialects, with a record of several kinds."""
    stand = Stand(made(folder, msgspec.structs.replace(load_profile(profile), dialects=("neutral", "wordpress"))))
    admin = stand.client("admin")
    post = admin.post("/cms/v2/posts", {"title": "x", "status": "publish"}).json["id"]
    for base, body in (
        ("pages", {"title": "x", "status": "publish"}), ("blocks", {"title": "x", "content": "y", "status": "publish"}),
        ("categories", {"name": "x"}), ("tags", {"name": "x"}), ("comments", {"post": post, "content": "x"}),
        ("menus", {"name": "x"}),
    ):  # fmt: skip
        answer = admin.post(f"/cms/v2/{base}", body)
        assert answer.status == 201, answer.json
    return stand


@pytest.fixture(scope="module")
def stand(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stand]:
    stand = filled(tmp_path_factory.mktemp("papers"))
    yield stand
    stand.site.close()


@pytest.fixture
def fresh(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Stand]:
    """One that a test may wear out; its profile is the parameter."""
    stand = filled(tmp_path, getattr(request, "param", "first"))
    yield stand
    stand.site.close()


@pytest.fixture
def outside(stand: Stand) -> Client:
    """Nobody, at addresses outside the interface's roots."""
    return Client(stand.site, root="")
