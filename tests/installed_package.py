"""A package with entry points, installed for a test: written into a folder where Python finds it."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from vetrina import modules

__all__ = ["install_package"]


@contextmanager
def install_package(
    folder: Path, name: str, source: str, group: str, entries: list[str], load: Callable[[], Any]
) -> Iterator[None]:
    """Install a package of one module for a while.

    group: of its entry points. entries: the names in the module that they lead to. load: the cached function that
    reads the group; it reads again, as in a server that starts anew.
    """
    (folder / f"{name}.py").write_text(source, encoding="utf-8")
    told = folder / f"{name}-1.0.dist-info"
    told.mkdir()
    (told / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n", encoding="utf-8")
    lines = [f"[{group}]", *(f"{entry} = {name}:{entry}" for entry in entries)]
    (told / "entry_points.txt").write_text("\n".join(lines), encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(folder))
        _forget(name, load)
        yield
    _forget(name, load)


def _forget(name: str, load: Any) -> None:
    sys.modules.pop(name, None)
    load.cache_clear()
    modules.declare_routes.cache_clear()
