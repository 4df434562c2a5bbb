"""Roles that are limited to types and languages: what they say, what lists show and what writes allow is one thing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis.strategies import DrawFn, composite, lists, sampled_from

from conftest import Client, made
from vetrina.access.roles import capabilities as checks
from vetrina.access.roles.built_in_roles import CAPABILITIES, LIMITABLE
from vetrina.access.roles.store import find_stored_role, save_role
from vetrina.access.users import rules as users
from vetrina.content.records import deletion, model as record_model, rules as records
from vetrina.content.records.model import Record
from vetrina.core.roles import Role
from vetrina.core.user import User
from vetrina.settings import Profile, ProfileType, load_profile
from vetrina.site import Site

TYPES = ("post", "recipe", "guide", "memo")
LANGUAGES = ("en", "it")
STATUSES = ("publish", "draft", "pending", "private", "future", "trash")
NAMES = ("first_role", "second_role")
SETS = [frozenset(CAPABILITIES[name]) & LIMITABLE for name in ("contributor", "author", "editor")]


def make_profile() -> Profile:
    """Return a profile with a type of each translation mode."""
    first = load_profile("first")
    kinds = {"recipe": "translated", "guide": "fallback", "memo": "shared"}
    types = {
        name: msgspec.convert(
            {"label": name, "translation": mode, "supports": ["title", "author"], "taxonomies": ["category"]},
            ProfileType,
        )
        for name, mode in kinds.items()
    }
    return msgspec.structs.replace(first, types={**first.types, **types})


class World:
    """A site with a record of each type, language and status, of the account and of somebody else."""

    def __init__(self, site: Site) -> None:
        self.site = site
        admin = Client(site, "admin", "admin pass word")
        with site.work() as work:
            self.id = users.create_user(work, "worker", "worker@example.org", roles=NAMES).id
            other = users.find_user_by_login(work.tx, "editor")
            boss = users.find_user_by_login(work.tx, "admin", site.context.roles)
            assert other is not None
            assert boss is not None
            work.user = boss
            for type in TYPES:
                for language in LANGUAGES:
                    for author in (self.id, other.id):
                        self._make_records(work, type, language, author)
        password = admin.post(f"/cms/v2/users/{self.id}/application-passwords", {"name": "test"}).json["password"]
        # What a test makes it removes again; ids go on growing, however many examples there are.
        self.ids: Sequence[int] = range(1, 2000)
        self.ids = [one.id for one in self.list_records()]
        self.clients = {one: Client(site, "worker", password, root=f"/{one}/cms-json") for one in LANGUAGES}

    def _make_records(self, work: Any, type: str, language: str, author: int) -> None:
        of = work.site.types[type]
        for status in STATUSES:
            given = {"title": f"{type} {language} {status}", "author": author, "status": status}
            if status == "future":
                given["date_gmt"] = "2099-01-01T00:00:00"
            if status == "trash":
                given["status"] = "draft"
            new = records.create_record(work, of, given, language=language)
            if status == "trash":
                records.trash_record(work, of, new)

    def set_roles(self, roles: list[Role]) -> User:
        """Give the account's roles a meaning, and return the account."""
        with self.site.work() as work:
            for role in roles:
                save_role(work, role, find_stored_role(work.tx, role.name))
            found = users.find_user(work.tx, self.id, self.site.context.roles)
        assert found is not None
        return found

    def list_records(self) -> list[Record]:
        with self.site.work(read=True) as work:
            return [one for id in self.ids if (one := record_model.find_record(work.tx, id)) and one.type in TYPES]


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def world(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> Iterator[World]:
    database = request.getfixturevalue("postgres").new() if request.param == "postgresql" else ""
    folder = tmp_path_factory.mktemp("limited")
    site = made(folder, make_profile(), secret="secret of the tests", database=database)
    yield World(site)
    site.close()


@composite
def draw_roles(draw: DrawFn) -> list[Role]:
    out = []
    for name in NAMES:
        capabilities = draw(sampled_from([*SETS, frozenset[str]()])) - draw(
            lists(sampled_from(sorted(LIMITABLE)), max_size=3).map(frozenset)
        )
        types = draw(lists(sampled_from(TYPES), unique=True, max_size=2))
        languages = draw(lists(sampled_from(LANGUAGES), unique=True, max_size=1))
        out.append(Role(name, name, (*sorted(capabilities), "read"), tuple(types), tuple(languages)))
    return out


def flatten(user: User, roles: list[Role], type: str, language: str) -> User:
    """Return an account without limits that may do everywhere what this one may do there."""
    capabilities = {
        capability
        for role in roles
        if (not role.types or type in role.types) and (not role.languages or language in role.languages)
        for capability in role.capabilities
    }
    return User(id=user.id, capabilities=frozenset(capabilities) | {"read"})


@settings(max_examples=25)
@given(roles=draw_roles())
def test_lists_rights_and_writes_agree(world: World, roles: list[Role]) -> None:
    user = world.set_roles(roles)
    found = world.list_records()
    types = world.site.context.types
    may_edit, may_read = set(), set()
    for one in found:
        kind, flat = types[one.type], flatten(user, roles, one.type, one.language)
        for check in (checks.may_edit_record, checks.may_delete_record, checks.may_read_record):
            assert check(user, kind, one) == check(flat, kind, one), (check, one.title)
        if checks.may_edit_record(flat, kind, one):
            may_edit.add(one.id)
        if checks.may_read_record(flat, kind, one):
            may_read.add(one.id)
    for type in TYPES:
        path = types[type].path
        in_any = any(flatten(user, roles, type, language).can("edit_posts") for language in LANGUAGES)
        for language in LANGUAGES:
            client = world.clients[language]
            query = {"status": [*STATUSES], "per_page": 100}
            edited = client.get(path, query={**query, "context": "edit"})
            assert edited.status == (200 if in_any else 400), edited.json
            if edited.status != 200:
                continue
            shown = {one.id for one in found if one.type == type and _is_listed(one, language)}
            assert {one["id"] for one in edited.json} == shown & may_edit
            assert int(edited.headers["x-cms-total"]) == len(shown & may_edit)
            read = client.get(path, query=query)
            assert {one["id"] for one in read.json} == shown & may_read
            assert int(read.headers["x-cms-total"]) == len(shown & may_read)
    for one in found[:: max(1, len(found) // 9)]:
        client = world.clients[one.language]
        written = client.post(f"{types[one.type].path}/{one.id}", {"menu_order": 0})
        assert (written.status == 200) == (one.id in may_edit), (one.title, written.json)
        flat = flatten(user, roles, one.type, one.language)
        new = client.post(types[one.type].path, {"title": "new", "status": "publish"})
        allowed = flat.can("edit_posts") and flat.can("publish_posts")
        # The language of a memo cannot be named.
        if one.type != "memo":
            assert (new.status == 201) == allowed, (one.title, new.json)
        if new.status == 201:
            with world.site.work() as work:
                deletion.delete_record(work, types[one.type], records.get_record(work, types[one.type], new.json["id"]))


def _is_listed(one: Record, language: str) -> bool:
    """Return whether a list in a language holds a record, if its reader may see it."""
    if one.type == "memo":
        return True
    return one.language == language or (one.type == "guide" and one.language == "en")
