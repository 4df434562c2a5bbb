"""The client for JavaScript: its own tests against stand-ins, what it asks of a program's types, its size."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

from .conftest import SOURCE, Package

LARGEST_BYTES = 8_500  # of everything, minified and compressed
CONSUMER = """\
import { authorOf, createClient, type Post } from "@vetrina/client";

interface RecipeMeta { prep_minutes: number }

const client = createClient<{ recipes: Post<RecipeMeta> }>({ url: "https://example.org", language: "it" });

export async function quickRecipes(): Promise<string[]> {
  const found: string[] = [];
  for await (const recipe of client.records("recipes").list({ fields: ["slug", "meta"], embed: ["author"] })) {
    if (recipe.meta.prep_minutes < 15) found.push(recipe.slug);
  }
  return found;
}

export async function write(): Promise<[string, number]> {
  const [post, tag] = await client.batch((batch) => [
    batch.of(client.posts).create({ title: "One" }),
    batch.of(client.tags).create({ name: "Two" }),
  ]);
  return [authorOf(post)?.name ?? post.slug, tag.count];
}

// @ts-expect-error The profile has no such type.
client.records("recipe");
// @ts-expect-error The title was not asked for.
void client.posts.get(1, { fields: ["id"] }).then((post) => post.title);
// @ts-expect-error A tag has no title.
void client.tags.get(1).then((tag) => tag.title);
"""


def test_its_own_tests_pass_against_both_profiles(package: Package, environment: dict[str, str]) -> None:
    sources = [
        path.relative_to(package.folder) for part in ("src", "test") for path in package.folder.glob(f"{part}/*.ts")
    ]
    # Types are checked with the style, below; this takes a fraction of a second.
    compiled = package.run("esbuild", *sources, "--outdir=build", "--outbase=.", "--log-level=warning")
    assert compiled.returncode == 0, compiled.stderr
    tests = package.list_files("build/test/*.test.js")
    done = package.run(
        "node", "--test", "--test-concurrency=1", "--test-reporter=junit", *tests, environment=environment
    )
    cases = list(ElementTree.fromstring(done.stdout).iter("testcase"))
    failures = {case.get("name"): case.findtext("failure") for case in cases if case.find("failure") is not None}
    assert not failures, "\n\n".join(f"{name}\n{what}" for name, what in failures.items())
    assert done.returncode == 0, done.stderr
    assert len(cases) > 70


@pytest.mark.parametrize(
    ("module", "resolution"), [("nodenext", "nodenext"), ("esnext", "bundler")], ids=["node", "bundler"]
)
def test_a_strict_program_compiles_with_it(package: Package, tmp_path: Path, module: str, resolution: str) -> None:
    (tmp_path / "program.ts").write_text(CONSUMER)
    package.compile_in_program(tmp_path, module, resolution)


def test_it_is_as_small_as_its_guide_says(package: Package, tmp_path: Path) -> None:
    size = len(gzip.compress(package.bundle(tmp_path / "client.js"), 9))
    assert size < LARGEST_BYTES, f"{size} bytes compressed"


def test_it_is_written_as_its_checks_want_it(package: Package) -> None:
    done = package.run("npm", "run", "check")
    assert done.returncode == 0, done.stdout + done.stderr


def test_it_needs_nothing_at_run_time_and_packs_what_is_built_alone(package: Package) -> None:
    described = json.loads((SOURCE / "package.json").read_text(encoding="utf-8"))
    assert "dependencies" not in described
    assert all(version[0].isdigit() for version in described["devDependencies"].values())
    assert '"resolved"' not in (SOURCE / "package-lock.json").read_text(encoding="utf-8")
    packed = package.run("npm", "pack", "--dry-run", "--json", "--ignore-scripts")
    names = {file["path"] for file in json.loads(packed.stdout)[0]["files"]}
    assert {"LICENSE", "README.md", "package.json", "dist/index.js", "dist/index.d.ts"} <= names
    assert all(name.startswith("dist/") for name in names - {"LICENSE", "README.md", "package.json"})
