"""The Python of the client's guide passes pyright in its strict mode, as programs that follow it would."""

from __future__ import annotations

import json
import re
import subprocess
import textwrap
from pathlib import Path

import pytest

import vetrina

_ROOT = Path(__file__).parents[2]
_BLOCK = re.compile(r"```python\n(.*?)```", re.DOTALL)


def test_the_guide_passes_strict_checks(python_tools: Path, tmp_path: Path) -> None:
    guides = [(_ROOT / name).read_text() for name in ("README.md", "docs/python-client.md")]
    blocks = [block for guide in guides for block in _BLOCK.findall(guide) if "client" in block]
    assert len(blocks) >= 4
    for number, block in enumerate(blocks):
        (tmp_path / f"block_{number}.py").write_text(_complete(block))
    source = str(Path(vetrina.__file__).parents[1])
    (tmp_path / "pyrightconfig.json").write_text(json.dumps({"typeCheckingMode": "strict", "extraPaths": [source]}))
    done = subprocess.run([python_tools / "pyright"], cwd=tmp_path, capture_output=True, text=True, timeout=300)
    if done.returncode > 1:
        pytest.skip(f"pyright does not run here: {done.stderr[-300:]}")
    assert done.returncode == 0, done.stdout[-3000:]


def _complete(block: str) -> str:
    """Return a block of a guide as a program; one that begins in the middle gets what it stands on."""
    if block.startswith("from "):
        return block
    given = "" if "Client(" in block else "client: Client, titles: list[str]"
    names = sorted({*re.findall(r"\b(?:Async)?Client\b", block + given)})
    head = f"from vetrina.client import {', '.join(names)}"
    return f"{head}\n\n\nasync def run({given}) -> None:\n{textwrap.indent(block, '    ')}"
