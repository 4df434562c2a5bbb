"""Every setting and option has a reader in the code, or a documented reason why it has none.

A reader is a module that passes the name to a call that reads a value, or to a constant; modules that only display or
store the value do not count. The reasons are in the table "Kept without a reader" of docs/deviations.md.
"""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

import msgspec
import pytest

import vetrina
from vetrina import settings
from vetrina.core import options
from vetrina.shop.admin.option_names import ALLOWED_OPTIONS, GATEWAY_OPTIONS, SITE_OPTIONS
from vetrina.shop.settings import rules as shop_settings

SOURCE = Path(vetrina.__file__).parent
DOCUMENT = Path(__file__).parents[2] / "docs" / "deviations.md"
HEADING = "## Kept without a reader"
NAME = re.compile(r"`([\w.-]+)`")

# Modules that only store or return values, or create demo data: reading there does not count.
NO_READERS = (
    "cli", "demo", "core/options.py", "shop/admin/option_names.py",
    "shop/settings/features.py", "shop/system/status.py", "connector", "content/site_settings/routes.py",
)  # fmt: skip
STORES = frozenset({"set_option", "reset_option"})
# Calls that read an option; words like `title` and `email` occur in many others.
ASKS = frozenset({"option", "raw_option", "stored_option", "get_translated_option", "get_shop_option", "is_setting_on"})

SHOP = sorted({one for group in shop_settings.load_setting_groups().values() for one in group.settings})
STATE = sorted(ALLOWED_OPTIONS - set(SHOP) - set(SITE_OPTIONS) - set(GATEWAY_OPTIONS))
STRUCTS = tuple(
    one
    for one in vars(settings).values()
    if isinstance(one, type) and issubclass(one, msgspec.Struct) and one.__module__ == settings.__name__
)
KEYS = sorted((struct.__name__, field.name) for struct in STRUCTS for field in msgspec.structs.fields(struct))


def modules() -> Iterator[tuple[str, ast.Module]]:
    for path in sorted(SOURCE.rglob("*.py")):
        name = path.relative_to(SOURCE).as_posix()
        if not any(name == one or name.startswith(f"{one}/") for one in NO_READERS):
            yield name, ast.parse(path.read_text(encoding="utf-8"))


def called(node: ast.Call) -> str:
    func = node.func
    return func.attr if isinstance(func, ast.Attribute) else func.id if isinstance(func, ast.Name) else ""


@cache
def texts() -> tuple[Mapping[str, set[str]], Mapping[str, set[str]], tuple[tuple[re.Pattern[str], str], ...]]:
    """Return the modules that contain each text, those that read it, and patterns of formatted texts."""
    known: dict[str, set[str]] = defaultdict(set)
    asked: dict[str, set[str]] = defaultdict(set)
    patterns: list[tuple[re.Pattern[str], str]] = []
    for name, tree in modules():
        stored = {
            id(argument)
            for call in ast.walk(tree)
            if isinstance(call, ast.Call) and called(call) in STORES
            for argument in call.args
        }
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in stored:
                known[node.value].add(name)
            if isinstance(node, ast.JoinedStr):
                parts = [part.value if isinstance(part, ast.Constant) else None for part in node.values]
                if sum(len(str(part)) for part in parts if part) >= len("shop_store_"):
                    text = "".join(re.escape(str(part)) if part is not None else r"\w+" for part in parts)
                    patterns.append((re.compile(text), name))
            if isinstance(node, ast.Call) and called(node) in ASKS:
                for argument in node.args:
                    if isinstance(argument, ast.Constant) and isinstance(argument.value, str):
                        asked[argument.value].add(name)
            if isinstance(node, ast.Assign | ast.AnnAssign) and isinstance(node.value, ast.Constant):
                asked[str(node.value.value)].add(name)
    return known, asked, tuple(patterns)


@cache
def members() -> frozenset[str]:
    """Return the names of all members read outside the settings themselves."""
    found: set[str] = set()
    ends: set[str] = set()  # of names that are concatenated
    for path in sorted(SOURCE.rglob("*.py")):
        if path != SOURCE / "settings.py":
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load):
                    found.add(node.attr)
                if isinstance(node, ast.Call) and called(node) == "getattr" and isinstance(node.args[1], ast.JoinedStr):
                    ends.add(str(getattr(node.args[1].values[-1], "value", "")))
    return frozenset({*found, *(name for _, name in KEYS if any(end and name.endswith(end) for end in ends))})


@cache
def excused() -> frozenset[str]:
    """Return the names that have no reader according to the document."""
    text = DOCUMENT.read_text(encoding="utf-8")
    assert HEADING in text
    own = re.split(r"^## ", text.partition(HEADING)[2], flags=re.MULTILINE)[0]
    rows = [line.split("|") for line in own.splitlines() if line.startswith("| `")]
    assert all(len(row) == 4 and len(row[2].split()) > 3 for row in rows), "a row has names and a reason"
    return frozenset(name for row in rows for name in NAME.findall(row[1]))


def readers(name: str) -> set[str]:
    known, _, patterns = texts()
    return known.get(name, set()) | {module for pattern, module in patterns if pattern.fullmatch(name)}


@pytest.mark.parametrize("name", [*SHOP, *STATE])
def test_a_setting_of_the_shop_is_read_or_excused(name: str) -> None:
    found = readers(name)
    if name in excused():
        assert not found, f"{name} is read by {sorted(found)}: docs/deviations.md need not excuse it any more"
    else:
        assert found, f"nobody reads {name}: give it its effect, or say in docs/deviations.md why it has none"


@pytest.mark.parametrize("name", sorted(options.DEFAULTS))
def test_an_option_of_the_site_is_read_or_excused(name: str) -> None:
    found = texts()[1].get(name, set())
    assert found or readers(name) or name in excused(), f"nobody asks for the option {name}"


@pytest.mark.parametrize(("struct", "name"), KEYS)
def test_a_key_of_the_profile_and_the_server_is_read(struct: str, name: str) -> None:
    assert name in members(), f"nobody asks for {struct}.{name}"


@pytest.mark.parametrize("name", ["shop_nobody_reads_this", "shop_calc_taxe", "hop_calc_taxes"])
def test_a_name_that_nobody_reads_has_no_reader(name: str) -> None:
    assert readers(name) | texts()[1].get(name, set()) == set()


def test_nothing_is_excused_that_is_not_there() -> None:
    every = {*SHOP, *STATE, *options.DEFAULTS}
    assert excused() <= every
