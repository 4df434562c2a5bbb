"""The context of a site cannot be changed while the site runs, however deep one reaches into it."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping, MutableMapping, MutableSequence, MutableSet
from enum import Enum
from pathlib import Path
from types import ModuleType
from typing import Any

import msgspec
import pytest
from sqlalchemy import create_engine
from sqlalchemy.sql import ClauseElement

from vetrina.backends.sqlite import SqliteDatabase
from vetrina.backends.tables.all_tables import METADATA
from vetrina.core.options import load_options
from vetrina.core.site_context import SiteContext
from vetrina.modules import load_modules
from vetrina.settings import Settings, load_profile
from vetrina.system.context_factory import build_site_context

# What has a state by nature: it tells the time, keeps files, asks others, remembers what it found.
STATEFUL = {
    "change_log", "clock", "decoding", "files", "filter_cache", "fragments", "hits", "option_memory", "outbound",
    "zone",
}  # fmt: skip
LEAVES = (str, bytes, int, float, bool, type(None), Enum, Path, ModuleType, ClauseElement)


@pytest.fixture(params=["first", "second"])
def context(request: pytest.FixtureRequest) -> SiteContext:
    """Return the context of a site of a built-in profile, with options and modules."""
    options = {"menu_locations": {"top": 1}, "menu_auto_add": [1, 2]}
    profile = msgspec.structs.replace(load_profile(request.param), options=options)
    return build_site_context(profile, Settings(secret="s" * 32), load_modules(profile.modules))


def iterate_members(value: Any, place: str) -> Iterator[tuple[str, Any, str | None]]:
    """Yield each value that can be reached, with its place; the name of a member that one could try to set, or None."""
    if isinstance(value, (*LEAVES, type)) or (callable(value) and not dataclasses.is_dataclass(value)):
        return
    if isinstance(value, msgspec.Struct) or dataclasses.is_dataclass(value):
        fields = msgspec.structs.fields(value) if isinstance(value, msgspec.Struct) else dataclasses.fields(value)
        names = [field.name for field in fields]
        for name in names:
            yield place, value, name
            if not (isinstance(value, SiteContext) and name in STATEFUL):
                yield from iterate_members(getattr(value, name), f"{place}.{name}")
        return
    yield place, value, None
    if isinstance(value, Mapping):
        for name, one in value.items():
            yield from iterate_members(one, f"{place}[{name!r}]")
    elif isinstance(value, (tuple, frozenset)):
        for at, one in enumerate(value):
            yield from iterate_members(one, f"{place}[{at}]")
    else:
        pytest.fail(f"{place} is {value!r}, which could be changed")


def test_nothing_in_a_context_can_be_changed(context: SiteContext) -> None:
    reached = 0
    for place, value, name in iterate_members(context, "context"):
        reached += 1
        if name is not None:
            with pytest.raises(AttributeError):
                setattr(value, name, getattr(value, name))
        assert not isinstance(value, (MutableMapping, MutableSequence, MutableSet)), place
        if isinstance(value, Mapping):
            with pytest.raises(TypeError):
                value["new"] = None  # type: ignore[index]
    assert reached > 500


def test_what_a_profile_says_of_options_is_read_as_lists_and_objects(context: SiteContext, tmp_path: Path) -> None:
    engine = create_engine(f"sqlite:///{tmp_path / 'site.sqlite'}")
    METADATA.create_all(engine)
    engine.dispose()
    with SqliteDatabase(tmp_path / "site.sqlite", durable=False).begin_read() as tx:
        found = load_options(tx, context.profile)
    assert (found["menu_locations"], found["menu_auto_add"]) == ({"top": 1}, [1, 2])
