"""`deploy/` and the operators' guides match this version; the containers are not started here."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import msgspec
import pytest
from click.testing import CliRunner

from conftest import Stand, made
from vetrina.cli import main
from vetrina.settings import Settings

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
# Variables that are not settings (docs/settings.md, "Beside the settings").
BESIDE = {"VETRINA_SITE"}


def variables(text: str) -> set[str]:
    return set(re.findall(r"\bVETRINA_\w+", text)) - BESIDE


@pytest.fixture(scope="module")
def compose() -> dict[str, Any]:
    yaml = pytest.importorskip("yaml", reason="the compose file is YAML")
    found: dict[str, Any] = yaml.safe_load((DEPLOY / "compose.yaml").read_text(encoding="utf-8"))
    return found


@pytest.mark.parametrize("name", ["Containerfile", "compose.yaml", "vetrina.service"])
def test_every_variable_is_a_setting(name: str) -> None:
    known = {f"VETRINA_{field.name.upper()}" for field in msgspec.structs.fields(Settings)}
    assert variables((DEPLOY / name).read_text(encoding="utf-8")) <= known


def test_what_the_compose_file_sets_has_the_types_of_the_settings(
    compose: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    from vetrina.settings import load_settings

    for name, value in compose["services"]["site"]["environment"].items():
        monkeypatch.setenv(name, value)
    settings = load_settings(None)
    assert (settings.workers, settings.trust_proxy, settings.drain_wait) == (2, True, 5)
    assert settings.media.startswith("s3://")
    assert settings.database.startswith("postgresql://")


def test_no_secret_stands_in_the_compose_file_and_no_service_is_open_to_the_world(compose: dict[str, Any]) -> None:
    text = (DEPLOY / "compose.yaml").read_text(encoding="utf-8")
    for line in re.findall(r"(?m)^.*(?:PASSWORD|SECRET).*: .*$", text):
        assert "${" in line, line
    for service in compose["services"].values():
        assert all(str(port).startswith("127.0.0.1:") for port in service.get("ports", []))
        assert ":latest" not in service.get("image", "x:1")
        assert ":" in service.get("image", "x:1")
    assert compose["services"]["site"]["read_only"] is True


def test_services_and_volumes_that_are_named_are_there(compose: dict[str, Any]) -> None:
    for service in compose["services"].values():
        assert set(service.get("depends_on", [])) <= set(compose["services"])
        for volume in service.get("volumes", []):
            assert volume.partition(":")[0] in compose["volumes"]


def test_the_image_is_built_of_files_that_are_there_and_runs_as_nobody() -> None:
    text = (DEPLOY / "Containerfile").read_text(encoding="utf-8")
    for words in re.findall(r"(?m)^COPY (?!--from)(.+)$", text):
        for name in words.split()[:-1]:
            assert (ROOT / name).exists(), name
    last = text.rpartition("\nFROM ")[2]
    assert re.search(r"(?m)^USER [1-9]\d*$", last)
    assert "/health/live" in last
    assert not re.search(r"(?i)(secret|password|token)\s*=", text)


def test_the_image_gets_the_extras_by_version_and_hash(tmp_path: Path) -> None:
    text = (DEPLOY / "Containerfile").read_text(encoding="utf-8")
    found = re.search(r"(?s)^RUN (sed .+?> extras\.lock)", text, re.MULTILINE)
    assert found
    shutil.copy(ROOT / "requirements-dev.lock", tmp_path)
    subprocess.run(["sh", "-c", found[1].replace("\\\n", " ")], cwd=tmp_path, check=True)
    lock = (tmp_path / "extras.lock").read_text(encoding="utf-8")
    pinned = dict(re.findall(r"(?m)^([a-z0-9-]+)(?:\[\w+\])?==(\S+)", lock))
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    for extra in ("postgres", "s3", "heic", "stripe"):
        for one in extras[extra]:
            name, _, version = re.sub(r"\[\w+\]", "", one).partition("==")
            assert pinned[name] == version
    assert set(pinned) == {
        "certifi", "charset-normalizer", "idna", "obstore", "pillow-heif", "psycopg", "psycopg-binary", "psycopg-pool",
        "requests", "stripe", "urllib3",
    }  # fmt: skip
    assert lock.count("--hash=sha256:") >= len(pinned)


def test_the_unit_calls_a_command_that_there_is(tmp_path: Path) -> None:
    text = (DEPLOY / "vetrina.service").read_text(encoding="utf-8")
    called = re.search(r"(?m)^ExecStart=\S+ (\w+)(.*)$", text)
    assert called
    told = CliRunner().invoke(main, [called[1], "--help"]).output
    assert all(option in told for option in re.findall(r"--\w+", called[2]))
    stop = re.search(r"(?m)^TimeoutStopSec=(\d+)$", text)
    assert stop
    # Requests in progress may take half a minute.
    assert int(stop[1]) > 30 + Settings().drain_wait
    program = shutil.which("systemd-analyze")
    if program is None:
        pytest.skip("systemd-analyze is not here")
    unit = tmp_path / "vetrina.service"
    unit.write_text(text.replace("/opt/vetrina/bin/vetrina", str(Path(sys.executable).with_name("vetrina"))))
    checked = subprocess.run([program, "verify", "--man=no", unit], capture_output=True, text=True, check=False)
    assert "vetrina.service" not in checked.stderr, checked.stderr


def test_the_guide_names_every_metric_and_no_other(tmp_path: Path) -> None:
    site = made(tmp_path, metrics="local")
    stand = Stand(site)
    stand.client().get("/cms/v2/posts")
    page = stand.client(root="").get("/metrics").content.decode()
    site.close()
    names = set(re.findall(r"(?m)^# TYPE (vetrina_\w+)", page)) - {"vetrina_request_seconds_created"}
    guide = (ROOT / "docs" / "running.md").read_text(encoding="utf-8")
    told = set(re.findall(r"`(vetrina_\w+)`", guide))
    # There are connections to report where the database is a server.
    assert told - {"vetrina_database_connections"} == names
    rules = {re.sub(r"_(?:bucket|sum|count)$", "", name) for name in re.findall(r"\b(vetrina_\w+)[{\[ ]", guide)}
    assert rules <= told


def test_the_guide_names_settings_that_there_are() -> None:
    known = {field.name for field in msgspec.structs.fields(Settings)}
    for name in ("running.md", "security.md"):
        guide = (ROOT / "docs" / name).read_text(encoding="utf-8")
        assert set(re.findall(r"(?m)^(\w+) = ", guide)) <= known
