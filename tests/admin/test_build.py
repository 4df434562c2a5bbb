"""What is built of the administration: sound sources, a light shell, nothing twice, nothing from elsewhere."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections import Counter

import pytest

from admin.built import SOURCES, TOOLS, build_administration

SHELL_BYTES = 250_000  # compressed, with its styles


@pytest.mark.parametrize("command", ["tsc --noEmit", "eslint .", "prettier --check ."])
def test_the_sources_pass_their_checks(command: str) -> None:
    if shutil.which("node") is None or not TOOLS.exists():
        pytest.skip("Node or admin/node_modules is missing (make admin)")
    program, *words = command.split()
    done = subprocess.run(
        [TOOLS / ".bin" / program, *words], cwd=SOURCES, capture_output=True, text=True, check=False, timeout=300
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_shell_is_light() -> None:
    built = build_administration()
    manifest = json.loads((built / "manifest.json").read_text())
    names = [manifest["script"], *manifest["preload"], *manifest["styles"]]
    packed = [built / f"{name}.gz" for name in names]
    total = sum((one if one.exists() else built / name).stat().st_size for name, one in zip(names, packed, strict=True))
    assert total < SHELL_BYTES


def test_a_list_is_few_files_and_the_editor_waits_for_no_font() -> None:
    built = build_administration()
    manifest = json.loads((built / "manifest.json").read_text())
    screens = {one["pattern"]: one["scripts"] for one in manifest["screens"]}
    # The browser opens six connections to a host.
    assert len([manifest["first"], manifest["script"], *manifest["preload"], *screens["/content/:type"]]) <= 6
    assert screens[""] != []
    assert not {one for one in screens[""] if one in screens["/content/:type"]}
    editor = "".join((built / name).read_text(encoding="utf-8") for name in screens["/content/:type/:id"])
    assert "BrotliDecompress" not in editor
    assert any("BrotliDecompress" in one.read_text(encoding="utf-8") for one in built.glob("*.js"))


def test_every_package_of_the_editor_is_there_once() -> None:
    lock = json.loads((SOURCES / "package-lock.json").read_text())
    names = Counter(re.split(r"node_modules/", path)[-1] for path in lock["packages"] if path)
    editor = {name: count for name, count in names.items() if name.startswith("@wordpress/")}
    assert len(editor) > 50
    assert [name for name, count in editor.items() if count > 1] == []
    assert names["react"] == names["react-dom"] == 1


def test_the_lock_names_no_address() -> None:
    lock = json.loads((SOURCES / "package-lock.json").read_text())
    assert [path for path, entry in lock["packages"].items() if "resolved" in entry] == []
    assert all("integrity" in entry for path, entry in lock["packages"].items() if path and not entry.get("link"))


def test_every_package_that_is_bundled_is_listed_with_its_licence() -> None:
    text = (build_administration() / "licenses.txt").read_text(encoding="utf-8")
    assert re.search(r"^react 18\.3\.1 \(MIT\)$", text, re.MULTILINE)
    assert re.search(r"^@wordpress/components \S+ \(GPL-2\.0-or-later\)$", text, re.MULTILINE)
