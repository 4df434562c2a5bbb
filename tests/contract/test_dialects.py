"""The recorded exchanges in the other dialect: what agrees in neutral names agrees in its names too.

Needs the recordings' folder, like test_recordings.py. The folder's own checker translates both ways.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import msgspec
import pytest

from conftest import exchange
from vetrina.rest.call import Request
from vetrina.rest.dialects.dialect import Dialect
from vetrina.rest.dialects.name_translation import NameTranslator
from vetrina.rest.dialects.names import DialectNames, load_name_pairs
from vetrina.rest.route_descriptions import RouteIndex
from vetrina.rest.route_table import RouteTable
from vetrina.settings import Settings, load_profile
from vetrina.site import Site
from vetrina.site_factory import create_stand_in_site
from vetrina.system.bootstrap import InitialAccount

from .replaying import FOLDER, loaded, needs_folder

pytestmark = needs_folder
PROFILES = ("first", "second")
ROOTS = {False: "http://vetrina.test/en/cms-json", True: "http://vetrina.test/en/wp-json"}
TOKEN = re.compile(r"[A-Za-z_][\w:./-]*")
# The pairs map two neutral names to one counterpart, which maps back to the other of them.
SHARED_COUNTERPARTS = {"is_shoppay_subscriptions_enabled"}
# Scenarios of every kind of request and response.
FEW = ("batch", "global", "index", "blocks", "types", "media-edit", "terms-list", "posts-meta", "invalid", "templates")


def files(profile: str) -> list[Path]:
    return sorted((FOLDER / "recordings" / profile).glob("*.json"))


@pytest.fixture(scope="module")
def checker() -> ModuleType:
    return loaded("contract")


@pytest.fixture
def stands(tmp_path: Path) -> Iterator[Any]:
    """Makes a new test site with both dialects, and the checker's users."""
    opened: list[Site] = []

    def stand() -> tuple[Site, dict[str, str]]:
        accounts = msgspec.json.decode((FOLDER / "accounts-first.json").read_bytes(), type=list[InitialAccount])
        profile = msgspec.structs.replace(load_profile("first"), dialects=("neutral", "wordpress"))
        folder = tmp_path / str(len(opened))
        folder.mkdir()
        opened.append(create_stand_in_site(profile, accounts, folder, Settings(host="vetrina.test", port=80)))
        return opened[-1], {one.login: f"{one.login}:{one.application_password}" for one in accounts}

    yield stand
    for site in opened:
        site.close()


@pytest.mark.parametrize("name", [file.stem for file in files("first") if file.stem.startswith(FEW)])
def test_what_agrees_in_neutral_names_agrees_in_the_other(name: str, stands: Any, checker: ModuleType) -> None:
    text = (FOLDER / "recordings" / "first" / f"{name}.json").read_text(encoding="utf-8")
    found = {}
    for brand, root in ROOTS.items():
        site, users = stands()
        checker.transport = lambda host, port, method, target, body, headers, site=site: exchange(
            site, method, target, body or b"", headers
        )
        found[brand] = checker.run(json.loads(text), root, users, brand, False)
    wrong = [
        (title, line, problems)
        for (title, neutral, _), (_, problems, line) in zip(found[False], found[True], strict=True)
        if problems and not neutral
    ]
    assert wrong == []


@pytest.mark.parametrize("profile", PROFILES)
def test_every_answer_of_the_recordings_is_read_both_ways(profile: str, checker: ModuleType) -> None:
    names = DialectNames(load_name_pairs("wordpress"))
    turning, root = NameTranslator(names, RouteTable(()), names.folders), "http://site.example/cms-json"
    seen = 0
    for file in files(profile):
        for step in json.loads(file.read_text(encoding="utf-8"))["steps"]:
            body = step["expect"]["body"]
            items = body if isinstance(body, list) else [body]
            for item in items:
                if isinstance(item, dict) and "routes" not in item:
                    turned = turning.translate_members(item, root)
                    assert neutral_prose(turning.translate_members(turned, root)) == neutral_prose(item), (
                        file.stem,
                        step["do"],
                    )
                    # What the checker knows of the brand, it finds where we put it.
                    assert keys(checker.neutral(turned)) == keys(checker.neutral(item)), (file.stem, step["do"])
                    seen += 1
    assert seen > 1000


@pytest.mark.parametrize("profile", PROFILES)
def test_every_token_of_the_recordings_finds_back(profile: str) -> None:
    names = DialectNames(load_name_pairs("wordpress"))
    tokens: set[str] = set()
    for file in files(profile):
        tokens.update(TOKEN.findall(file.read_text(encoding="utf-8")))
    assert len(tokens) > 1000
    assert {token for token in tokens if names.word(names.word(token)) != token} <= SHARED_COUNTERPARTS
    assert sum(names.word(token) != token for token in tokens) > 50


@pytest.mark.parametrize("profile", PROFILES)
def test_every_request_of_the_recordings_is_read_as_it_was_meant(profile: str, checker: ModuleType) -> None:
    catalogue = json.loads((FOLDER / f"routes-{profile}.json").read_text(encoding="utf-8"))
    dialect = Dialect("wordpress", RouteIndex(RouteTable(()), tuple(catalogue["namespaces"])))
    for file in files(profile):
        for step in json.loads(file.read_text(encoding="utf-8"))["steps"]:
            request, words = step["request"], step.get("brand") or {}
            fixed = request["path"].partition("?")[0]
            if (
                "/types/" not in fixed
                and "/sidebars/" not in fixed
                and fixed == fixed.lower()
                and dialect.names.path(fixed) != fixed
            ):
                assert dialect.to_neutral_path(checker.brand_path(fixed)) == fixed, (file.stem, step["do"])
            for part in ("json", "form"):
                if isinstance(request.get(part), dict) and request[part].get("requests") != ["/cms/v2/posts"]:
                    taken = Request("POST", fixed, json=checker.brand_names(checker.reword(request[part], words)))
                    dialect.translate_request_body(taken)
                    assert taken.json == request[part], (file.stem, step["do"])
            taken = Request("GET", fixed, query=checker.brand_names(checker.reword(request.get("query", {}), words)))
            dialect.translate_request(taken)
            assert taken.query == request.get("query", {}), (file.stem, step["do"])


@pytest.mark.parametrize("profile", PROFILES)
def test_the_catalogue_is_turned_as_the_pairs_say(profile: str) -> None:
    catalogue = json.loads((FOLDER / f"routes-{profile}.json").read_text(encoding="utf-8"))
    pairs = json.loads((FOLDER / "names.json").read_text(encoding="utf-8"))
    renamer = loaded("index_check").Renamer(pairs)
    names = DialectNames(load_name_pairs("wordpress"))
    turning = NameTranslator(names, RouteTable(()), names.folders)
    for pattern, route in catalogue["routes"].items():
        assert renamer.route(names.pattern(pattern)) == pattern
        for endpoint in route["endpoints"]:
            assert renamer.schema(turning.translate_schema(endpoint["args"], None, "")) == endpoint["args"], pattern


def test_the_index_of_the_other_dialect_is_as_good_as_the_neutral_one(stands: Any) -> None:
    module = loaded("index_check")
    catalogue = json.loads((FOLDER / "routes-first.json").read_text(encoding="utf-8"))
    pairs = json.loads((FOLDER / "names.json").read_text(encoding="utf-8"))
    site, _ = stands()
    reports = []
    for brand in (False, True):
        _, _, content = exchange(site, "GET", ROOTS[brand].removeprefix("http://vetrina.test") + "/")
        index = json.loads(content)
        reports.append(module.check(catalogue, module.Renamer(pairs).index(index) if brand else index))
    assert (reports[0].passed, reports[0].failed) == (reports[1].passed, reports[1].failed)
    assert reports[0].lines == reports[1].lines


def keys(value: Any) -> Any:
    """Return a value without its texts: members, their order, and where lists are."""
    if isinstance(value, dict):
        return {name: keys(item) for name, item in value.items()}
    return [keys(item) for item in value] if isinstance(value, list) else None


def neutral_prose(value: Any) -> Any:
    """Return a value without its messages."""
    if isinstance(value, dict):
        return {name: neutral_prose(item) for name, item in value.items() if name != "message"}
    return [neutral_prose(item) for item in value] if isinstance(value, list) else value
