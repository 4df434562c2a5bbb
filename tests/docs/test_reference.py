"""The reference covers everything: routes, arguments, codes, settings and commands."""

from __future__ import annotations

import re

import click
import pytest
from click.testing import CliRunner

from derive import commands, errors, routes
from derive.sources import GUIDES, ROOT
from vetrina.cli import COMMANDS, main
from vetrina.rest import summaries

EMPTY = re.compile(r"^\W*$|^(todo|tbd|fixme)\b", re.IGNORECASE)


def test_every_route_argument_and_code_has_its_place_and_its_words(subtests: pytest.Subtests) -> None:
    # One test, because finding out what routes raise is slow.
    entries = routes.entries()
    writer = routes.Writer(entries)
    pages = "\n".join(writer.page(page) for page in routes.pages(entries))
    codes = errors.page(entries)
    with subtests.test("routes say what they do"):
        assert [name(one) for one in entries if not is_sentence(summaries.describe_route(one.route))] == []
    with subtests.test("routes say who may call them"):
        assert [name(one) for one in entries if not is_sentence(summaries.describe_permission(one.route))] == []
    with subtests.test("arguments say what they are"):
        assert [f"{name(one)}: {word}" for one in entries for word in silent_arguments(one)] == []
    with subtests.test("every method of every route has one anchor"):
        anchors = re.findall(r"^\(((?:get|post|put|patch|delete)-[\w-]+)\)=$", pages, re.MULTILINE)
        assert len(anchors) == len(set(anchors)) == sum(len(one.route.methods) for one in entries)
        assert {"get-cms-v2-posts", "post-cms-v2-posts-id", "get-index"} <= set(anchors)
    with subtests.test("every argument stands on a page"):
        told = set(re.findall(r"^- `(\S+)` \(", pages, re.MULTILINE))
        assert {word for one in entries for word in written(one)} - told == {"mlang_language"}
    with subtests.test("every code has its place"):
        assert {one.code for one in errors.classes()} <= set(re.findall(r"^## `(\S+)`$", codes, re.MULTILINE))
        assert [one.__qualname__ for one in errors.classes() if EMPTY.match(one.message)] == []
        assert set(errors.fault_codes()) <= set(re.findall(r"^- `(\S+)`: ", codes, re.MULTILINE))
    with subtests.test("every code of a route leads to its place"):
        named = {routes.error_anchor(code) for code in re.findall(r"{err}`(\S+)`", pages)}
        assert named
        assert named <= set(re.findall(r"^\((error-[\w-]+)\)=$", codes, re.MULTILINE))
    with subtests.test("nothing names a product"):
        assert [one for one in ("wordpress", "woocommerce", "jetpack", "wpml") if one in pages.lower()] == []


def name(entry: routes.Entry) -> str:
    return f"{'/'.join(entry.route.methods)} {entry.path}"


def is_sentence(text: str) -> bool:
    return not EMPTY.match(text) and text.endswith(".") and text[0].isupper()


def written(entry: routes.Entry) -> list[str]:
    return [word for word, field in entry.route.args.items() if field.written]


def silent_arguments(entry: routes.Entry) -> list[str]:
    return [word for word in written(entry) if EMPTY.match(entry.route.args[word].help)]


def test_every_command_and_option_is_told() -> None:
    page = commands.page()
    assert {name for name, _ in commands.commands() if " " not in name} == set(COMMANDS)
    silent = []
    for name, command in commands.commands():
        assert f"## `vetrina {name}`" in page
        shown = CliRunner().invoke(main, [*name.split(), "--help"]).output
        for option in re.findall(r"^  (?:-\w, )?(--[\w-]+)", shown, re.MULTILINE):
            assert f"`{option}`" in page or option in ("--help", "--version")
        silent += [name] if EMPTY.match(command.help or "") else []
        options = [one for one in command.params if isinstance(one, click.Option)]
        silent += [f"{name} {one.name}" for one in options if EMPTY.match(one.help or "")]
    assert silent == []


def test_the_map_of_the_guides_has_every_page() -> None:
    known = {name for names in GUIDES.values() for name in names}
    written = {path.stem for path in (ROOT / "docs").glob("*.md")}
    assert written - known == set()
    assert not (ROOT / "docs" / "reference").exists()
