"""Each scenario answers as it is written. VETRINA_TEST_DATABASE=postgresql sends them to PostgreSQL."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from conformance.replay import Scenario, list_scenarios, open_prepared_site, prepare_site, replay
from postgres_server import Postgres
from vetrina.modules import MODULES, load_modules


class PreparedSite:
    """The site that those of the scenarios of a profile are copied from: its folder, and the name of its database."""

    def __init__(self, profile: str, folder: Path, postgres: Postgres | None) -> None:
        prepare_site(profile, folder, postgres.new() if postgres else "")
        self.folder, self.template = folder, postgres.newest if postgres else ""


@pytest.fixture(scope="session")
def prepared_sites() -> dict[str, PreparedSite]:
    """Those that were asked for, by profile."""
    return {}


@pytest.fixture
def postgres_or_none(kind: str, request: pytest.FixtureRequest) -> Postgres | None:
    """The server of the test run, where it is what the tests are for."""
    found: Postgres | None = request.getfixturevalue("postgres") if kind == "postgresql" else None
    return found


@pytest.fixture
def own_databases(postgres_or_none: Postgres | None) -> Iterator[list[str]]:
    """The addresses of databases of the test's own, which are removed after it."""
    made: list[str] = []
    yield made
    for address in made:
        assert postgres_or_none is not None
        postgres_or_none.drop(address)


@pytest.mark.in_process("a clock that stands still")
@pytest.mark.parametrize("path", list_scenarios(), ids=lambda path: path.stem)
def test_a_scenario_answers_as_it_is_written(
    path: Path,
    prepared_sites: dict[str, PreparedSite],
    postgres_or_none: Postgres | None,
    own_databases: list[str],
    tmp_path_factory: pytest.TempPathFactory,
    tmp_path: Path,
) -> None:
    scenario = Scenario(path)
    if scenario.profile not in prepared_sites:
        folder = tmp_path_factory.mktemp(f"conformance-{scenario.profile}")
        prepared_sites[scenario.profile] = PreparedSite(scenario.profile, folder, postgres_or_none)
    prepared = prepared_sites[scenario.profile]
    if postgres_or_none is not None:
        own_databases.append(postgres_or_none.new(prepared.template))
    wrong = []
    with open_prepared_site(scenario.profile, prepared.folder, tmp_path, *own_databases) as (site, clock):
        for number, step in enumerate(replay(scenario, site, clock), 1):
            title = f"step {number}, {step.written.get('method', 'GET')} {step.written['path']}"
            wrong += [f"{title}: {difference}" for difference in step.list_differences()]
    assert not wrong, "\n".join([scenario.content["shows"], *wrong])


def test_every_namespace_has_two_scenarios() -> None:
    names = {name for module in load_modules(MODULES) for name in module.load_routes()}
    asked = dict.fromkeys(sorted(names), 0)
    for path in list_scenarios():
        paths = [step["path"] for step in Scenario(path).steps]
        matching = ({name for name in names if f"{one}/".startswith(f"/{name}/")} for one in paths)
        for name in {max(found, key=len) for found in matching if found}:
            asked[name] += 1
    assert [name for name, count in asked.items() if count < 2] == []
