"""The code of docs/js-client.md compiles in a strict program, and runs against a served site."""

from __future__ import annotations

import re
from pathlib import Path

from vetrina.testing import LocalTestServer

from .conftest import Package

GUIDE = Path(__file__).parents[2] / "docs" / "js-client.md"
BLOCK = re.compile(r"^```ts\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def test_the_code_of_the_guide_compiles_and_runs(
    package: Package, stand_ins: dict[str, LocalTestServer], tmp_path: Path
) -> None:
    site = stand_ins["second"]
    client = site.client()
    client.posts.create(title="In the harbour", status="publish")
    client.tags.create(name="Ropes")
    client.shop.products.create(name="Cup", regular_price="4.00", status="publish")
    blocks = BLOCK.findall(GUIDE.read_text(encoding="utf-8"))
    assert len(blocks) > 12
    program = "\n".join(blocks).replace("https://example.org", site.url)
    password = site.accounts["administrator"].application_password
    (tmp_path / "guide.ts").write_text(program.replace("an application password", password))
    package.compile_in_program(tmp_path)
    package.run("esbuild", tmp_path / "guide.ts", "--format=esm", f"--outfile={tmp_path / 'guide.js'}")
    done = package.run("node", tmp_path / "guide.js")
    assert done.returncode == 0, done.stderr
    for told in (
        "1 In the harbour", "admin", "The harbour trash", "1 1 1", "1 of 1", "in-the-harbour Administrator",
        "text/plain", "draft boats", "Not yet draft", "800 USD", "\n2\n", "created post [", "400 rest_invalid_param",
        "rest_not_in_enum",
    ):  # fmt: skip
        assert told in done.stdout, told
