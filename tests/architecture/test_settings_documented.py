"""Every key is in docs/settings.md with its default."""

from __future__ import annotations

import re
from pathlib import Path

import msgspec
import orjson
import pytest

from vetrina import account_settings, image_settings, service_settings, settings

DOCUMENT = Path(__file__).parents[2] / "docs" / "settings.md"
MODULES = (settings, account_settings, image_settings, service_settings)
SECTIONS = {
    "Settings": settings.Settings,
    "Profile": settings.Profile,
    "Limits": settings.SiteLimits,
    "Images": image_settings.ImageSettings,
    "Image sizes": image_settings.ImageSize,
    "Renditions": image_settings.RenditionSettings,
    "Types": settings.ProfileType,
    "Taxonomies": settings.ProfileTaxonomy,
    "Fields": settings.ProfileField,
    "Roles": settings.ProfileRole,
    "Options pages": settings.ProfileOptionsPage,
    "Translation": service_settings.TranslationService,
    "Connector": service_settings.ConnectorService,
    "Accounts": account_settings.AccountSettings,
    "Sign-in providers": account_settings.SignInProvider,
    "Shop services": service_settings.ShopServices,
    "Sidebars": settings.ProfileSidebar,
}
ROW = re.compile(r"^\| `(\w+)` \| (?:`(.*?)`|(required|built in)) \| (\S.*?) \|$", re.MULTILINE)


def documented(section: str) -> dict[str, str]:
    """Return the keys of a section with their defaults."""
    text = DOCUMENT.read_text(encoding="utf-8")
    own = re.split(rf"^##+ {section}$", text, flags=re.MULTILINE)[1]
    own = re.split(r"^#+ ", own, flags=re.MULTILINE)[0]
    return {key: default or word for key, default, word, _ in ROW.findall(own)}


def default_of(field: msgspec.structs.FieldInfo) -> str:
    """Return how a default is written down."""
    if field.required:
        return "required"
    default = field.default if field.default_factory is msgspec.NODEFAULT else field.default_factory()
    if isinstance(default, msgspec.Struct) or default == {}:
        return "{}"
    return "built in" if isinstance(default, dict) else orjson.dumps(default).decode().replace('","', '", "')


@pytest.mark.parametrize("section", SECTIONS)
def test_every_key_has_its_line_and_its_default(section: str) -> None:
    kept = {field.name: default_of(field) for field in msgspec.structs.fields(SECTIONS[section])}
    assert documented(section) == kept


def test_every_struct_of_the_settings_has_a_section() -> None:
    structs = {
        one
        for module in MODULES
        for one in vars(module).values()
        if isinstance(one, type) and issubclass(one, msgspec.Struct) and one.__module__ == module.__name__
    }
    assert structs == set(SECTIONS.values())
