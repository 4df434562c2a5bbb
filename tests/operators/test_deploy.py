"""`deploy/` and the operators' guides match this version; the containers are not started here."""

from __future__ import annotations

import configparser
import re
import shutil
import subprocess
import sys
import tomllib
from importlib.metadata import version
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


COMPOSE = ("compose.yaml", "postgresql-ha/compose.yaml", "postgresql-pool/compose.yaml")


@pytest.fixture(scope="module", params=COMPOSE)
def compose_file(request: pytest.FixtureRequest) -> Path:
    return DEPLOY / str(request.param)


@pytest.fixture(scope="module")
def compose(compose_file: Path) -> dict[str, Any]:
    yaml = pytest.importorskip("yaml", reason="the compose file is YAML")
    found: dict[str, Any] = yaml.safe_load(compose_file.read_text(encoding="utf-8"))
    return found


KUBERNETES = ("kubernetes/site.yaml", "kubernetes/setup.yaml", "kubernetes/migrate.yaml", "kubernetes/pool.yaml")
POOLS = ("pgbouncer.ini", "postgresql-pool/pgbouncer.ini")


@pytest.fixture(scope="module")
def manifests() -> dict[str, list[dict[str, Any]]]:
    """The objects of each manifest for Kubernetes."""
    yaml = pytest.importorskip("yaml", reason="the manifests are YAML")
    return {name: list(yaml.safe_load_all((DEPLOY / name).read_text(encoding="utf-8"))) for name in KUBERNETES}


def list_pods(manifests: dict[str, list[dict[str, Any]]]) -> list[dict[str, Any]]:
    objects = [one for found in manifests.values() for one in found]
    return [one["spec"]["template"]["spec"] for one in objects if one["kind"] in ("Deployment", "Job")]


@pytest.mark.parametrize("name", ["Containerfile", *COMPOSE, "vetrina.service", *POOLS, *KUBERNETES])
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
    assert settings.media.startswith("s3://") or "site:/data" in compose["services"]["site"]["volumes"]
    assert settings.database.startswith("postgresql://")


def test_the_site_names_every_node_and_each_has_what_patroni_needs() -> None:
    yaml = pytest.importorskip("yaml", reason="the compose file is YAML")
    services = yaml.safe_load((DEPLOY / COMPOSE[1]).read_text(encoding="utf-8"))["services"]
    shared = yaml.safe_load((DEPLOY / "postgresql-ha" / "patroni.yaml").read_text(encoding="utf-8"))
    nodes = sorted(name for name in services if name.startswith("node"))
    url = services["site"]["environment"]["VETRINA_DATABASE"]
    assert [one.partition(":")[0] for one in url.rpartition("@")[2].partition("/")[0].split(",")] == nodes
    assert "target_session_attrs=read-write" in url
    peers = services["etcd1"]["environment"]["ETCD_INITIAL_CLUSTER"]
    for number, name in enumerate(nodes, 1):
        environment = services[name]["environment"]
        assert environment["PATRONI_NAME"] == name
        assert environment["PATRONI_POSTGRESQL_CONNECT_ADDRESS"] == f"{name}:5432"
        assert environment["PATRONI_RESTAPI_CONNECT_ADDRESS"] == f"{name}:8008"
        assert f"etcd{number}:2379" in environment["PATRONI_ETCD3_HOSTS"]
        etcd = services[f"etcd{number}"]["environment"]
        assert f"{etcd['ETCD_NAME']}={etcd['ETCD_INITIAL_ADVERTISE_PEER_URLS']}" in peers.split(",")
    times = shared["bootstrap"]["dcs"]
    # Or a primary that is cut off would still be one when another is made.
    assert times["loop_wait"] + 2 * times["retry_timeout"] <= times["ttl"]
    assert times["synchronous_mode"] is True


def test_no_secret_stands_in_the_compose_file_and_no_service_is_open_to_the_world(
    compose: dict[str, Any], compose_file: Path
) -> None:
    text = compose_file.read_text(encoding="utf-8")
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
        if "build" in service:
            assert (ROOT / service["build"]["dockerfile"]).is_file()


def test_the_manifests_have_settings_of_the_right_types(
    manifests: dict[str, list[dict[str, Any]]], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    from vetrina.settings import load_settings

    found = {one["kind"]: one for one in manifests["kubernetes/site.yaml"]}
    (tmp_path / "vetrina.toml").write_text(found["ConfigMap"]["data"]["vetrina.toml"], encoding="utf-8")
    pod = found["Deployment"]["spec"]["template"]["spec"]
    for one in pod["containers"][0]["env"]:
        monkeypatch.setenv(one["name"], one["value"])
    settings = load_settings(tmp_path)
    assert (settings.workers, settings.trust_proxy) == (2, True)
    # Requests in progress may take half a minute.
    assert pod["terminationGracePeriodSeconds"] > 30 + settings.drain_wait
    job = manifests["kubernetes/setup.yaml"][0]["spec"]["template"]["spec"]["containers"][0]
    assert job["env"] == [{"name": "VETRINA_MEDIA", "value": settings.media}]
    assert job["args"] == ["init", "/data/new", "--profile", settings.profile]


def test_a_site_with_a_pool_names_services_that_there_are(monkeypatch: pytest.MonkeyPatch) -> None:
    from vetrina.settings import load_settings

    yaml = pytest.importorskip("yaml", reason="the compose file is YAML")
    found = yaml.safe_load((DEPLOY / COMPOSE[2]).read_text(encoding="utf-8"))
    for name, value in found["services"]["site"]["environment"].items():
        monkeypatch.setenv(name, value)
    settings = load_settings(None)
    urls = settings.database, settings.database_direct, *settings.database_replicas
    assert [url.rpartition("@")[2].partition(":")[0] for url in urls] == ["pool", "database", "replica"]
    assert set(found["configs"]) == {one["source"] for one in found["services"]["database"]["configs"]}


def test_the_pool_is_the_same_in_every_way_to_run_it(
    manifests: dict[str, list[dict[str, Any]]], tmp_path: Path
) -> None:
    text = (DEPLOY / POOLS[1]).read_text(encoding="utf-8")
    found = {one["kind"]: one for one in manifests["kubernetes/pool.yaml"]}
    assert found["ConfigMap"]["data"]["pgbouncer.ini"].strip() == text.partition("\n\n")[2].strip()
    pod = found["Deployment"]["spec"]["template"]["spec"]
    image = (DEPLOY / "postgresql-pool" / "Containerfile").read_text(encoding="utf-8")
    file = re.search(r'ENTRYPOINT \["pgbouncer", "(.+)"\]', image)
    assert file
    places = {one["mountPath"]: one["name"] for one in pod["containers"][0]["volumeMounts"]}
    assert places == {file[1]: "settings", str(Path(_read_pool(text)["auth_file"]).parent): "accounts"}
    assert f"USER {pod['securityContext']['runAsUser']}" in image
    assert found["Service"]["spec"]["ports"][0]["port"] == int(_read_pool(text)["listen_port"])
    first = _read_pool((DEPLOY / POOLS[0]).read_text(encoding="utf-8").replace("; max_prepared", "max_prepared"))
    own = {"listen_addr", "unix_socket_dir", "auth_file"}
    assert {**first, **{name: _read_pool(text)[name] for name in own}} == _read_pool(text)


def _read_pool(text: str) -> dict[str, str]:
    parser = configparser.ConfigParser(inline_comment_prefixes=(";",))
    parser.read_string(text)
    return dict(parser["pgbouncer"])


def test_no_pod_has_rights_and_each_runs_one_image(manifests: dict[str, list[dict[str, Any]]]) -> None:
    pods = list_pods(manifests)
    assert len(pods) == 4
    for pod in pods:
        assert pod["automountServiceAccountToken"] is False
        assert pod["securityContext"]["runAsNonRoot"] is True
        assert pod["securityContext"]["runAsUser"] == 10001
        (container,) = pod["containers"]
        assert container["securityContext"]["readOnlyRootFilesystem"] is True
        assert container["securityContext"]["capabilities"] == {"drop": ["ALL"]}
        assert {one["name"] for one in container["volumeMounts"]} == {one["name"] for one in pod["volumes"]}
        if container["name"] == "pool":
            continue
        assert container["image"] == f"registry.example/vetrina:{version('vetrina')}"
        assert CliRunner().invoke(main, [container["args"][0], "--help"]).exit_code == 0
    for name in KUBERNETES:
        assert not re.search(r"(?i)(secret|password)\w*: *[\w\"']", (DEPLOY / name).read_text(encoding="utf-8"))


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
    # There are connections to report where the database is a server, and replicas where the settings name any.
    replicas = {"vetrina_replica_used", "vetrina_replica_behind_seconds", "vetrina_replica_reads"}
    assert told - {"vetrina_database_connections"} - replicas == names
    rules = {re.sub(r"_(?:bucket|sum|count)$", "", name) for name in re.findall(r"\b(vetrina_\w+)[{\[ ]", guide)}
    assert rules <= told


def test_the_guide_names_settings_that_there_are() -> None:
    known = {field.name for field in msgspec.structs.fields(Settings)}
    for name in ("running.md", "security.md"):
        guide = (ROOT / "docs" / name).read_text(encoding="utf-8")
        assert set(re.findall(r"(?m)^(\w+) = ", guide)) <= known
