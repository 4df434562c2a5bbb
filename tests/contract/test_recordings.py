"""Recorded exchanges of the interface, each sent to a new test site and compared by the recordings' own checker.

The folder is `../shared/contract` beside the repository, or what VETRINA_CONTRACT names. Without it nothing here runs.
Not here: what is not recorded (tests/content). Intended differences: docs/deviations.md.
"""

from __future__ import annotations

import fnmatch
import json
from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest

from .replaying import FOLDER, ROOT, Waiting, judge, loaded, needs_folder, with_own_names

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

_NOTHING_STORED = Waiting("The refused note of a comment is not stored", law="OVERRIDES 3")
_USED_BY = Waiting("A coupon that an order gives up is used by nobody")
_COUNTED = Waiting("The total of a list", law="OVERRIDES 12")
_KEPT = Waiting("`content.raw` of a protected pattern", law="OVERRIDES 12")
_RATED = Waiting("Ratings move with the review", law="OVERRIDES 13")
_NO_ZEROS = Waiting("Segments of `variations/stats` by product and category", law="OVERRIDES 9")
_SENT = Waiting("An autosave of an item of a menu keeps the title that it is sent", law="OVERRIDES 13")
_PUT_OFF = Waiting("A task that is put off says so", law="OVERRIDES 13")
_NO_CARDS = Waiting("Card payments are a module where a gateway takes cards", law="issue 21")
_EXPOSED = Waiting("Pages of other origins may read further headers", law="issue 23")
_LANGUAGE = Waiting("Its routes take `mlang_language`", law="the catalogue of routes")

# Single steps of the scope that differ, and why; docs/deviations.md gives the reasons.
# Profile and scenario → step → reason. A step that begins to agree fails the run until it is taken out of here.
WAITING: dict[str, dict[str, Waiting]] = {
    "first/blocks-basic": {"protected for a contributor": _KEPT},
    "first/comments-post-author": {"a contributor lists what waits": _COUNTED},
    "first/global-headers": {
        "with an Origin": _EXPOSED,
        "with the Origin null": _EXPOSED,
        "an Origin that is no address gets a protocol": _EXPOSED,
        "an Origin with a forbidden protocol is emptied": _EXPOSED,
        "on an error": _EXPOSED,
        "on a write": _EXPOSED,
    },
    "first/list-status": {
        "any as author: what may not be read is left out, but counted": _COUNTED,
        "any as contributor: what may not be read is left out, but counted": _COUNTED,
        "private as an author": _COUNTED,
    },
    "first/media-attach": {"it is not in the public list": _COUNTED},
    "first/media-permissions-views": {"editing list as author": _COUNTED},
    "first/menu-items-permissions-autosaves": {
        "write an autosave": _SENT,
        "the list of autosaves": _SENT,
        "one autosave": _SENT,
        "an unknown autosave": _SENT,
    },
    "first/comments-notes": {"the list of notes, the refused one is there too": _NOTHING_STORED},
    "second/connector-index": {
        "namespace index of the connector": _LANGUAGE,
        "options of connection, anonymous": _LANGUAGE,
    },
    "second/products-reviews": {
        "the rating counts approved reviews": _RATED,
        "the rating after the change": _RATED,
    },
    "second/analytics-variations-attributes": {"statistics by product": _NO_ZEROS},
    "second/admin-onboarding-tasks": {"snooze a task that is not in any list": _PUT_OFF},
    "second/admin-plugins": {
        "install a plugin that is there": _NO_CARDS,
        "activate a plugin that is active": _NO_CARDS,
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

    wrong, count = judge(scenario["steps"], results, WAITING.get(f"{profile}/{name}", {}))
    record_property("contract", count)
    assert not wrong, "\n" + "\n".join(wrong)


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
