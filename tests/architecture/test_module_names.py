"""Which modules a profile names is read where they are joined or listed; nothing else asks for one by its name."""

from __future__ import annotations

import ast
from pathlib import Path

import vetrina

SOURCE = Path(vetrina.__file__).parent
# Files that read the names: those that join the modules of a site, and those that show which it has.
READING = {
    "cli/work.py": "the consumer of jobs is built without a site",
    "connector/sync/named_objects.py": "the service is told the names",
    "profile_checks.py": "an unknown name is a fault",
    "profile_outlines.py": "the modules of another profile are looked at",
    "pages/admin_page.py": "tells the administration's front end which there are",
    "shop/admin/modules.py": "the administration lists them",
    "site.py": "modules become a site",
    "system/plugins/routes.py": "a route lists them",
}


def reads_names(node: ast.AST) -> bool:
    """Return whether a node takes the module names of a profile: `….profile.modules`."""
    if not (isinstance(node, ast.Attribute) and node.attr == "modules"):
        return False
    owner = node.value.attr if isinstance(node.value, ast.Attribute) else getattr(node.value, "id", "")
    return owner == "profile"


def test_nothing_asks_for_a_module_by_its_name() -> None:
    found = {
        path.relative_to(SOURCE).as_posix()
        for path in SOURCE.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if reads_names(node)
    }
    assert found == set(READING)
