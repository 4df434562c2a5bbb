"""Providers of sign-in as a profile declares them, and where their secrets come from."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from vetrina.access.single_sign_on.declaration_checks import find_provider_faults
from vetrina.account_settings import AccountSettings, SignInProvider
from vetrina.settings import Profile, SettingsError, convert_profile, load_settings

SOUND: dict[str, Any] = {"name": "house", "issuer": "https://id.example.org/realms/a", "client_id": "vetrina"}


def faults(*providers: dict[str, Any]) -> list[tuple[str | int, ...]]:
    accounts = AccountSettings(providers=tuple(SignInProvider(**one) for one in providers))
    found = find_provider_faults(msgspec.structs.replace(Profile(), accounts=accounts))
    return [one.path[3:] for one in found]


def test_a_sound_provider_has_no_fault() -> None:
    assert faults(SOUND, {**SOUND, "name": "house-2", "issuer": "http://localhost:8080"}) == []
    roles = {"role_claim": "groups", "roles": {"web": "editor"}, "default_role": "author"}
    assert faults({**SOUND, **roles, "servers": ("https://keys.example:8443",)}) == []


@pytest.mark.parametrize(
    ("words", "path"),
    [
        ({"name": "The House"}, ("name",)),
        ({"name": "../house"}, ("name",)),
        ({"issuer": "http://id.example.org"}, ("issuer",)),
        ({"issuer": "https://id.example.org/?tenant=1"}, ("issuer",)),
        ({"issuer": "https://me:secret@id.example.org"}, ("issuer",)),
        ({"issuer": "id.example.org"}, ("issuer",)),
        ({"issuer": "https://[id"}, ("issuer",)),
        ({"client_id": ""}, ("client_id",)),
        ({"role_claim": "groups", "roles": {"web": "emperor"}}, ("roles", "web")),
        ({"default_role": "emperor"}, ("default_role",)),
        ({"roles": {"web": "editor"}}, ("role_claim",)),
        ({"servers": ("keys.example",)}, ("servers", 0)),
    ],
)
def test_each_fault_is_found_at_its_key(words: dict[str, Any], path: tuple[str | int, ...]) -> None:
    assert faults({**SOUND, **words}) == [path]


def test_two_providers_cannot_have_one_name() -> None:
    assert faults(SOUND, SOUND) == [("name",)]


def test_a_secret_has_no_place_in_a_profile() -> None:
    with pytest.raises(SettingsError, match="client_secret"):
        convert_profile({"accounts": {"providers": [{**SOUND, "client_secret": "x"}]}}, "own.toml", text="")


def test_secrets_come_from_the_environment_or_the_settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "vetrina.toml").write_text('[provider_secrets]\nhouse = "from the file"\n')
    assert load_settings(tmp_path).provider_secrets == {"house": "from the file"}
    monkeypatch.setenv("VETRINA_PROVIDER_SECRETS", '{ house = "from the environment" }')
    settings = load_settings(tmp_path)
    assert settings.provider_secrets == {"house": "from the environment"}
    with pytest.raises(TypeError):
        settings.provider_secrets["house"] = "x"  # type: ignore[index]
