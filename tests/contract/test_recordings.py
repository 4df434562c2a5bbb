"""Recorded exchanges of the interface, sent to a fresh stand-in each and compared by the recordings' own checker.

The folder is `../shared/contract` beside the repository, or what VETRINA_CONTRACT names. Without it nothing here runs.
Not here: what the recordings do not show (tests/namespaces). What is on purpose unlike them: docs/deviations.md.
"""

from __future__ import annotations

import fnmatch
import importlib.util
import json
import os
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import msgspec
import pytest

from conftest import exchange
from vetrina.domain.founding import Account
from vetrina.settings import Settings, load_profile
from vetrina.site import stand_in

NAMED = os.environ.get("VETRINA_CONTRACT", "")
FOLDER = Path(NAMED) if NAMED else Path(__file__).resolve().parents[2].parent / "shared" / "contract"
ROOT = "http://vetrina.test/en/cms-json"

# Scenarios that have to agree, by profile; what no pattern names waits for the issue that builds its routes.
SCOPE = {
    "first": (
        "abilities*", "app-passwords*", "arguments*", "authentication*", "autosaves*", "batch*", "block*", "comments*",
        "fonts*", "global*", "html-filtering*", "index*", "intervento*", "invalid*", "list*", "media*", "menu*",
        "navigation*", "oembed*", "pages*", "percorso*", "permissions*", "posts*", "rendering*", "revisions*",
        "search*", "settings*", "site-health*", "template*", "terms*", "themes*", "trash*", "types*", "users*",
        "widgets*",
    ),
    "second": ("*",),
}  # fmt: skip

_NOTHING_STORED = "a create that is refused stores nothing (docs/deviations.md)"
_USED_BY = "a coupon that an order gives up is used by nobody (docs/deviations.md)"
_LANGUAGE = "routes have mlang_language, as the catalogue of routes wants it and this recording does not"

# Single steps of the scope that differ, and why: an issue to come, or what docs/deviations.md gives reasons for.
# Profile and scenario → step → reason. A step that begins to agree fails the run until it is taken out of here.
WAITING: dict[str, dict[str, str]] = {
    "first/comments-notes": {"the list of notes, the refused one is there too": _NOTHING_STORED},
    "second/connector-index": {
        "namespace index of the connector": _LANGUAGE,
        "options of connection, anonymous": _LANGUAGE,
    },
    "second/orders-coupons": {"pending orders hold the coupon too": _USED_BY},
}


def scenarios() -> list[tuple[str, str]]:
    """Return profile and name of every scenario of the folder that has to agree."""
    return [
        (profile, file.stem)
        for profile, patterns in SCOPE.items()
        for file in sorted((FOLDER / "recordings" / profile).glob("*.json"))
        if any(fnmatch.fnmatch(file.stem, pattern) for pattern in patterns)
    ]


def loaded(name: str) -> ModuleType:
    """Return a module of the folder."""
    found = importlib.util.spec_from_file_location(f"contract_{name}", FOLDER / f"{name}.py")
    assert found is not None
    assert found.loader is not None
    module = importlib.util.module_from_spec(found)
    found.loader.exec_module(module)
    return module


needs_folder = pytest.mark.skipif(
    not NAMED and not FOLDER.is_dir(), reason="there are no recordings: VETRINA_CONTRACT names their folder"
)


@pytest.fixture(scope="module")
def checker() -> ModuleType:
    return loaded("contract")


@pytest.fixture
def send(kind: str, request: pytest.FixtureRequest, tmp_path: Path) -> Any:
    """Serve a profile with the accounts of the recordings; answers the checker's transport and its users."""
    opened = []

    def serve(profile: str) -> tuple[Callable[..., Any], dict[str, str]]:
        accounts = msgspec.json.decode((FOLDER / f"accounts-{profile}.json").read_bytes(), type=list[Account])
        database = request.getfixturevalue("postgres").new() if kind == "postgresql" else ""
        settings = Settings(host="vetrina.test", port=80, database=database)
        site = stand_in(load_profile(profile), accounts, tmp_path, settings)
        opened.append(site)

        def transport(host: str, port: int, method: str, target: str, body: bytes | None, headers: Any) -> Any:
            return exchange(site, method, target, body or b"", headers)

        return transport, {one.login: f"{one.login}:{one.application_password}" for one in accounts}

    yield serve
    for site in opened:
        site.close()
        if kind == "postgresql":
            request.getfixturevalue("postgres").drop(site.frame.settings.database)


@needs_folder
def test_the_folder_that_is_named_has_recordings_in_scope() -> None:
    assert scenarios(), f"{FOLDER} has no recordings in scope"


@needs_folder
@pytest.mark.every_database
@pytest.mark.parametrize(("profile", "name"), [pytest.param(*one, id="-".join(one)) for one in scenarios()])
def test_a_recording_agrees(
    profile: str, name: str, send: Any, checker: ModuleType, record_property: Callable[[str, object], None]
) -> None:
    scenario = json.loads((FOLDER / "recordings" / profile / f"{name}.json").read_text(encoding="utf-8"))
    checker.transport, users = send(profile)
    with_own_names(scenario, checker, users)
    results = checker.run(scenario, ROOT, users, False, False)
    assert results, "the scenario has no steps"

    waiting = dict(WAITING.get(f"{profile}/{name}", {}))
    seen: dict[str, int] = {}
    wrong: list[str] = []
    count = dict.fromkeys(("agree", "prescribed", "wait", "differ"), 0)
    for step, (title, problems, line) in zip(scenario["steps"], results, strict=True):
        seen[title] = seen.get(title, 0) + 1
        key = title if seen[title] == 1 else f"{title} #{seen[title]}"
        reason = waiting.pop(key, None)
        if prescribed(step, problems):
            count["prescribed"] += 1
        elif problems:
            count["differ" if reason is None else "wait"] += 1
        else:
            count["agree"] += 1
        if problems and reason is None and not prescribed(step, problems):
            wrong.append(f"{key}: {line}")
            wrong += [f"    {where}: {what}" for where, what in problems]
        elif reason is not None and not problems:
            wrong.append(f"{key}: agrees now; take it out of WAITING ({reason})")
    record_property("contract", count)
    wrong += [f"{key}: WAITING names a step that the scenario does not have" for key in waiting]
    assert not wrong, "\n" + "\n".join(wrong)


def with_own_names(scenario: dict[str, Any], checker: ModuleType, users: dict[str, str]) -> None:
    """Put the site's own names where a recorded Location holds those of the reference.

    Which names are the site's to choose (its theme) the scenario says; the checker swaps them in bodies alone.
    """
    for name, recorded in scenario.get("varied", {}).items():
        step = next(step for step in scenario["steps"] if isinstance(step.get("save", {}).get(name), str))
        assert step["request"]["method"] == "GET"
        _, _, body = checker.send(ROOT, step["request"], users.get(step.get("as", "")))
        own = checker.dig(body, step["save"][name])
        for step in scenario["steps"]:
            headers = step["expect"]["headers"]
            if "location" in headers:
                headers["location"] = headers["location"].replace(f"/{recorded}/", f"/{own}/")


def prescribed(step: dict[str, Any], problems: list[tuple[str, str]]) -> bool:
    """Say whether a step differs only because the checker takes every 5xx for a fault.

    `rest_trash_not_supported`, and the shop's own, are 501 by prescription (the recordings' OVERRIDES.md, 1; facts of
    the shop, 1), and recorded so.
    """
    expect = step["expect"]
    code = (expect["body"] or {}).get("code") if isinstance(expect["body"], dict) else None
    return (
        expect["status"] == 501
        and code in ("rest_trash_not_supported", "shop_rest_trash_not_supported")
        and [where for where, _ in problems] == ["status"]
        and problems[0][1].startswith("501, ")
        and f'"code": "{code}"' in problems[0][1]
    )


@needs_folder
@pytest.mark.parametrize("profile", list(SCOPE))
def test_the_index_describes_the_routes_as_the_catalogue_does(profile: str, send: Any) -> None:
    transport, _ = send(profile)
    _, _, content = transport("", 80, "GET", "/en/cms-json/", None, {})
    catalogue = json.loads((FOLDER / f"routes-{profile}.json").read_text(encoding="utf-8"))
    report = loaded("index_check").check(
        catalogue, json.loads(content), only=("/cms/v2/posts", "/cms/v2/pages", "/batch")
    )
    errors = [" ".join((*key, *methods)) for key, methods in report.lines.items() if key[0] == "error"]
    assert not errors
    assert report.failed == 0
    assert report.passed > 0
