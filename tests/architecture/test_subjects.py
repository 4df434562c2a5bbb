"""Modules that know the interface are recognized by their file names, and no other module imports one of them.

Nor do the others know a request: what they need of one is handed to them as plain values.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import vetrina

SOURCE = Path(vetrina.__file__).parent
MODULES = ("access", "content", "media", "design", "multilingual", "shop", "analytics", "connector", "system")
INTERFACE = re.compile(r"^(?:.*_)?(?:routes|schema|views|arguments|responses|permissions|resources?|module)$")
# Files below the routes that work on a request itself, and why.
WORKING_ON_REQUESTS = {
    "access/sign_in/browser_sign_in.py": "signs the browser in that sent a request",
    "access/sign_in/request_sign_in.py": "signs a request in",
    "connector/connection/signature_checks.py": "signs a request in: the service's signature covers most of it",
    "connector/connection/signed_bodies.py": "compares the body of a request with its signature",
    "core/call.py": "names the type of a call in a unit of work",
    "core/person_language.py": "asks a request what language its person wants",
    "core/site_context.py": "says what may be rendered for a request, and hides from its caller what is not open yet",
    "core/unit_of_work.py": "is opened for a request, and for those inside it",
    "shop/admin/blueprint_import.py": "asks for each step as the caller of the import does",
    "shop/keys/sign_in.py": "signs a request in",
    "shop/keys/signatures.py": "says what of a request a client's signature covers",
    "shop/storefront/cart_session.py": "finds the cart that a request names, and its proof",
    "system/changes/feed.py": "asks for each thing as the caller of the feed does",
}
FILES = sorted(
    path for module in MODULES for path in (SOURCE / module).rglob("*.py") if path.stem != "__init__"
)  # fmt: skip


def iterate_imports(path: Path) -> Iterator[str]:
    """Yield the dotted names of our own modules that a file imports, wherever it does."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("vetrina"):
            for one in node.names:
                whole = f"{node.module}.{one.name}"
                file = SOURCE.parent / (whole.replace(".", "/") + ".py")
                yield whole if file.is_file() else str(node.module)


def is_of_interface(path: Path) -> bool:
    return bool(INTERFACE.match(path.stem))


def test_there_are_files_of_both_kinds() -> None:
    kinds = [is_of_interface(path) for path in FILES]
    assert kinds.count(True) > 100
    assert kinds.count(False) > 300


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(SOURCE).as_posix())
def test_what_a_file_knows_follows_from_its_name(path: Path) -> None:
    imported = set(iterate_imports(path))
    if is_of_interface(path):
        sql = {one for one in imported if one.startswith("vetrina.backends")}
        assert sql == set(), "SQL belongs to store and rules"
    else:
        parts = [one.split(".") for one in imported]
        known = [one for one in parts if one[1:2] and one[1] in MODULES and INTERFACE.match(one[-1])]
        assert known == [], "a rule does not know how it is shown or called"


def imports_requests(path: Path) -> bool:
    """Return whether a file imports a request or a call, wherever it does."""
    names = {
        f"{node.module}.{one.name}"
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ImportFrom)
        for one in node.names
    }
    # A constant of that module is no request.
    names.discard("vetrina.rest.call.TIME_DEPENDENT")
    return any(name.startswith(("vetrina.rest.call", "vetrina.core.call")) for name in names)


def test_no_rule_knows_a_request() -> None:
    files = [path for module in (*MODULES, "core") for path in (SOURCE / module).rglob("*.py")]
    found = {
        path.relative_to(SOURCE).as_posix() for path in files if not is_of_interface(path) and imports_requests(path)
    }
    assert found == set(WORKING_ON_REQUESTS)
    assert not [name for name in WORKING_ON_REQUESTS if name.endswith(("rules.py", "store.py", "model.py"))]
