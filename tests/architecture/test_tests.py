"""Tests that can fail: each asserts something, of one status, and replaces none of our own code.

What the outside does may be played at its border: the system, a library, a server. Each exception below says why the
real thing cannot be driven; one that is no longer needed fails, too.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]
# Where a success is one answer of several, and why the test cannot say which it will be.
_RANDOM = "the request is drawn at random; that what is shown afterwards is true is what the test proves"
_EITHER = {
    "connector/test_items.py test_no_value_of_a_setting_breaks_a_checkout": "an empty queue is refused",
    "permissions/test_guessing.py test_any_text_may_be_guessed": "the text decides whether it is a request at all",
    "properties/test_kept_answers.py link_records": _RANDOM,
    "properties/test_kept_answers.py link_terms": _RANDOM,
    "properties/test_kept_answers.py new_comment": _RANDOM,
    "shop/test_edges.py test_no_moment_is_a_fault_of_the_server": "any moment that is no date is refused",
}
_PATCHED = {
    "backends/test_answer_leases.py answer_leases": "a lease that runs out by the clock of the test",
    "backends/test_answer_leases.py commit_marks": "two machines in one: each has shared memory of its own",
    "backends/test_postgres.py PreparedConnection": "cuts a connection between the commit and its answer",
    "backends/test_fragment_positions.py postgres_watchers": "what is looked at twenty times a second, each time",
    "backends/test_server_search.py backend": "what waits for a server, and what does not, in less than half a minute",
    "backends/test_server_search.py libpq": "a server that says nothing is asked for after seconds otherwise",
    "backends/test_server_search.py server_search": "a machine that is busy may take longer to accept a connection",
    "cli/test_init.py sample_content": "no disk of a test is full; the fault is that of the system",
    "content/test_change_stream.py event_streams": "a reader that stalls and a heartbeat would take half a minute",
    "durability/test_postgres_restart.py PreparedConnection": "a server that crashes while a commit is on its way",
    "conftest.py hashing": "hashes as costly as those of people take a tenth of the processor's time of all tests",
    "connector/conftest.py buffers": "a queue that stays locked is waited for, five seconds a test",
    "openapi/test_answers_fit.py fresh.site.app._runner": "the caller outlives requests that delete its account",
    "properties/test_query_text.py query_strings": "a long text in each of a hundred examples would take seconds",
    "recorded_statements.py offload": "a loaded machine would move a request to a thread, unseen, and count half of it",
    "shop/test_long_catalogues.py listing": "five hundred products cost seconds on each database",
    "shop/test_product_lists.py product_listing": "five hundred products cost seconds on each database",
    "recorded_trips.py PooledConnection": "counts what passes through, which goes on as it was",
    "recorded_trips.py postgres_watchers": "what is asked twenty times a second would be counted by the clock",
    "recorded_trips.py PreparedConnection": "counts what passes through, which goes on as it was",
    "speed/test_batch_members.py ArgumentParser": "counts what passes through, which goes on as it was",
    "speed/test_round_trips.py Serializer": "notes when it is called, and goes on as it was",
    "speed/test_round_trips.py PreparedConnection": "counts what passes through, which goes on as it was",
    "transfer/test_hostile_files.py scanning": "files of 64 MiB would fill the memory of a test machine",
    "transfer/test_import_command.py ExportFileSource": "interrupts a read at a known record; a signal comes at any",
    "transfer/test_import_command.py import_progress": "shows each line, without the pauses that people need",
    "units/test_image_memory.py image_reduction": "a large image in each of a hundred examples would take minutes",
}
# How calls begin that fail where something is not so: our own, and what is expected of a page.
_EXPECTS = ("assert_", "to_be_", "to_have_", "to_contain_", "not_to_")
_PATCHES = {"setattr", "setitem", "delattr", "__setattr__"}


@pytest.fixture(scope="module")
def files() -> list[tuple[str, ast.Module]]:
    """The tests' files, which go with this module: a million nodes slow each later garbage collection."""
    return [
        (path.relative_to(TESTS).as_posix(), ast.parse(path.read_text(encoding="utf-8")))
        for path in sorted(TESTS.rglob("*.py"))
    ]


def _iterate_functions(tree: ast.Module) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    return (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))


def _iterate_calls(node: ast.AST) -> Iterator[tuple[str, ast.Call]]:
    """Yield each call in some code with the last part of the name that is called."""
    for one in ast.walk(node):
        if isinstance(one, ast.Call):
            yield ast.unparse(one.func).rpartition(".")[2], one


def _can_fail(function: ast.AST, helpers: set[str]) -> bool:
    """Say whether a function asserts something, by itself or by a helper."""
    return any(isinstance(node, ast.Assert | ast.Raise) for node in ast.walk(function)) or any(
        name in {"raises", "fail", "warns", "validate_document"} or name.startswith(_EXPECTS) or name in helpers
        for name, _ in _iterate_calls(function)
    )


def test_each_test_asserts_something(files: list[tuple[str, ast.Module]]) -> None:
    functions = [(file, function) for file, tree in files for function in _iterate_functions(tree)]
    helpers: set[str] = set()
    before = -1
    while len(helpers) > before:
        before = len(helpers)
        helpers |= {one.name for _, one in functions if not one.name.startswith("test_") and _can_fail(one, helpers)}
    tests = [(file, function) for file, function in functions if function.name.startswith("test_")]
    assert len(tests) > 1000
    assert [f"{file} {test.name}" for file, test in tests if not _can_fail(test, helpers)] == []


def test_an_expected_error_is_named_or_its_message_is(files: list[tuple[str, ast.Module]]) -> None:
    found = [
        f"{file}:{call.lineno}"
        for file, tree in files
        for name, call in _iterate_calls(tree)
        if name == "raises" and ast.unparse(call.args[0]) in {"Exception", "BaseException"} and not call.keywords
    ]
    assert found == []


def _accepts_success_and_refusal(node: ast.AST) -> bool:
    if not (isinstance(node, ast.Compare) and isinstance(node.ops[0], ast.In)):
        return False
    choices = node.comparators[0]
    numbers = [ast.literal_eval(one) for one in getattr(choices, "elts", ()) if isinstance(one, ast.Constant)]
    statuses = [number for number in numbers if isinstance(number, int) and 100 < number < 600]
    return min(statuses, default=0) < 300 and max(statuses, default=0) >= 400


def test_no_test_takes_a_refusal_for_a_success(files: list[tuple[str, ast.Module]]) -> None:
    found = {
        f"{file} {function.name}"
        for file, tree in files
        for function in _iterate_functions(tree)
        for statement in function.body
        if not isinstance(statement, ast.FunctionDef)
        for node in ast.walk(statement)
        if isinstance(node, ast.Assert) and any(map(_accepts_success_and_refusal, ast.walk(node.test)))
    }
    assert found == set(_EITHER)


def _list_outside_names(tree: ast.Module) -> set[str]:
    """Return the names that a file imports from elsewhere than the server and its tests."""
    inside = {"vetrina", "conftest", *(path.stem for path in TESTS.iterdir())}
    return {
        (one.asname or one.name).partition(".")[0]
        for node in ast.walk(tree)
        if isinstance(node, ast.Import | ast.ImportFrom)
        for one in node.names
        if not (isinstance(node, ast.ImportFrom) and (node.level or (node.module or "").partition(".")[0] in inside))
        and one.name.partition(".")[0] not in inside
    }


def _list_server_names(tree: ast.Module) -> set[str]:
    """Return the names that a file imports from the server."""
    return {
        one.asname or one.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and (node.module or "").partition(".")[0] == "vetrina"
        for one in node.names
    }


def _iterate_replaced(tree: ast.Module) -> Iterator[str]:
    """Yield what a file replaces members of, unless it comes from outside."""
    outside, server = _list_outside_names(tree), _list_server_names(tree)
    for name, call in _iterate_calls(tree):
        if name in _PATCHES and isinstance(call.func, ast.Attribute) and call.args:
            target = ast.unparse(call.args[0])
            if target.strip("'").partition(".")[0] not in outside:
                yield target
        elif name in {"patch", "object"} and ast.unparse(call.func).startswith(("mock", "patch")):
            yield ast.unparse(call)
    for node in ast.walk(tree):
        for place in node.targets if isinstance(node, ast.Assign | ast.Delete) else ():
            if isinstance(place, ast.Attribute) and ast.unparse(place).partition(".")[0] in server:
                yield ast.unparse(place.value)


def test_nothing_of_our_own_is_replaced(files: list[tuple[str, ast.Module]]) -> None:
    found = {f"{file} {target}" for file, tree in files for target in _iterate_replaced(tree)}
    assert found == set(_PATCHED)


def test_what_is_replaced_is_seen() -> None:
    text = "import os\nfrom vetrina.a import b\nmonkeypatch.setattr({}, 'x', 1)\n"
    for target, is_seen in (("b", True), ("b.c", True), ("site.frame", True), ("'vetrina.a.b'", True), ("os", False)):
        assert bool([*_iterate_replaced(ast.parse(text.format(target)))]) == is_seen, target
    assert [*_iterate_replaced(ast.parse("from vetrina.a import b\nb.limit = 3\n"))] == ["b"]
    for name in ("patch", "patch.object"):
        assert [*_iterate_replaced(ast.parse(f"import unittest.mock as mock\nmock.{name}('vetrina.a')\n"))]
