"""Test sites for recorded exchanges, and the checker that compares them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import msgspec
import pytest

from conftest import exchange
from vetrina.kernel.times import Clock
from vetrina.settings import Settings, load_profile
from vetrina.site_factory import create_stand_in_site
from vetrina.system.bootstrap import InitialAccount

from .replaying import FOLDER, loaded


@pytest.fixture(scope="module")
def checker() -> ModuleType:
    return loaded("contract")


@pytest.fixture
def send(kind: str, request: pytest.FixtureRequest, tmp_path: Path) -> Any:
    """Serve a profile with the accounts of the recordings; returns the checker's transport and its users."""
    opened = []

    def serve(profile: str, clock: Clock | None = None) -> tuple[Callable[..., Any], dict[str, str]]:
        accounts = msgspec.json.decode((FOLDER / f"accounts-{profile}.json").read_bytes(), type=list[InitialAccount])
        database = request.getfixturevalue("postgres").new() if kind == "postgresql" else ""
        settings = Settings(host="vetrina.test", port=80, database=database)
        site = create_stand_in_site(load_profile(profile), accounts, tmp_path, settings, clock)
        opened.append(site)

        def transport(host: str, port: int, method: str, target: str, body: bytes | None, headers: Any) -> Any:
            return exchange(site, method, target, body or b"", headers)

        return transport, {one.login: f"{one.login}:{one.application_password}" for one in accounts}

    yield serve
    for site in opened:
        site.close()
        if kind == "postgresql":
            request.getfixturevalue("postgres").drop(site.context.settings.database)
