"""The built administration, for tests that look at it or open it."""

from __future__ import annotations

import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

import vetrina.pages

SOURCES = Path(__file__).parents[2] / "admin"
BUILT = Path(vetrina.pages.__file__).parent / "admin_files"
TOOLS = SOURCES / "node_modules"


@cache
def build_administration() -> Path:
    """Build what is missing or older than its sources, and return the folder; skips without Node."""
    if shutil.which("node") is None or not TOOLS.exists():
        pytest.skip("the administration is not built: Node or admin/node_modules is missing (make admin)")
    subprocess.run([sys.executable, SOURCES / "build.py"], check=True, capture_output=True, timeout=300)
    return BUILT
