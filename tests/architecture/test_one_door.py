"""The dispatcher is the only way to a handler, and checks the permission of the route first.

Checked in the source, so that no module can call a handler itself, by another name either.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import vetrina

SOURCE = Path(vetrina.__file__).parent
DOOR = "rest/dispatcher.py"
# Modules that read the texts and errors of a route from its functions, or pass routes on; they call none of them.
READS = {
    "rest/openapi_errors.py",
    "rest/derived_routes.py",
    "rest/declared_errors.py",
    "rest/route.py",
    "rest/summaries.py",
}
HELD = {"handler", "allow", "prepare"}
# Calls that only inspect a function; and modules that list the functions of a route.
LOOKS, LISTS = {"extract_docstring", "list_declared_errors"}, {"rest/declared_errors.py", "rest/route.py"}


def takes(source: str) -> Iterator[tuple[int, str]]:
    """Yield the lines that use a member of a route, and how: `called`, `read`, or `named` in a text."""
    tree = ast.parse(source)
    called = {id(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and node.attr in HELD and isinstance(node.ctx, ast.Load):
            yield node.lineno, "called" if id(node) in called else "read"
        elif isinstance(node, ast.Call):
            name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
            texts = {one.value for one in ast.walk(node) if isinstance(one, ast.Constant)} & HELD
            if name in {"getattr", "attrgetter", "methodcaller", "__getattribute__", "getattr_static"} and texts:
                yield node.lineno, "named"
        elif isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant) and node.slice.value in HELD:
            held = node.value
            of = getattr(held, "attr", "") or (getattr(held.func, "id", "") if isinstance(held, ast.Call) else "")
            if of in {"__dict__", "vars"}:
                yield node.lineno, "named"
        elif isinstance(node, ast.MatchClass) and HELD & set(node.kwd_attrs):
            yield node.lineno, "read"


def kept(source: str) -> Iterator[int]:
    """Yield the lines that assign a read member to another name, or pass it to what may call it."""
    tree = ast.parse(source)
    allowed: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in LOOKS:
            allowed |= {id(one) for one in node.args}
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and node.attr in HELD and id(node) not in allowed:
            yield node.lineno


# Databases have no routes, and prepare statements.
MODULES = {
    name: path.read_text()
    for path in sorted(SOURCE.rglob("*.py"))
    if not (name := path.relative_to(SOURCE).as_posix()).startswith("backends/")
}


def test_no_module_takes_a_route_into_its_own_hands() -> None:
    found = {name: list(takes(source)) for name, source in MODULES.items() if name not in {*READS, DOOR}}
    assert {name: lines for name, lines in found.items() if lines} == {}


@pytest.mark.parametrize("module", sorted(READS))
def test_what_describes_routes_only_looks_at_their_functions(module: str) -> None:
    assert {how for _, how in takes(MODULES[module])} == {"read"}
    if module not in LISTS:
        assert list(kept(MODULES[module])) == []


def test_the_door_asks_before_it_lets_in() -> None:
    """In `rest/dispatcher.py` each call of a handler or of slow work follows the permission check of the same route."""
    (kind,) = (node for node in ast.parse(MODULES[DOOR]).body if getattr(node, "name", "") == "Dispatcher")
    assert isinstance(kind, ast.ClassDef)
    found = allowing = 0
    for function in kind.body:
        calls = sorted(
            (node.lineno, node.func.attr, ast.unparse(node.func.value), ast.unparse(node.args[0]))
            for node in ast.walk(function)
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in HELD
        )
        asked = [
            (node.lineno, *map(ast.unparse, node.args))
            for node in ast.walk(function)
            if isinstance(node, ast.Call) and ast.unparse(node.func) == "self.check_permission"
        ]
        if [name for _, name, _, _ in calls] == ["allow"]:
            # The one place where a permission is asked, after the scope of the caller's token.
            assert getattr(function, "name", "") == "check_permission"
            assert "self._require_scope(route, call)\n    route.allow(call)" in ast.unparse(function)
            allowing += 1
        for line, name, route, call in calls:
            if name != "allow":
                found += 1
                assert any(one[0] < line and one[1:] == (route, call) for one in asked), (line, name)
    assert (found, allowing) == (2, 1)


@pytest.mark.parametrize(
    "source",
    [
        "route.handler(call)", "route.allow(call)", "asked = route.allow", "run(call, one.handler)", "f = [r.prepare]",
        "getattr(route, 'handler')(call)", "attrgetter('allow')(route)(call)", "vars(route)['handler'](call)",
        "route.__dict__['allow'](call)", "match route:\n  case Route(handler=h): h(call)",
    ],
)  # fmt: skip
def test_no_other_way_goes_unseen(source: str) -> None:
    assert list(takes(source))
