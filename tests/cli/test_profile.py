"""A profile that cannot be served says everything that is wrong, before anything is made; one of any language works."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import Result

from vetrina.modules import load_modules
from vetrina.profile_checks import RESERVED_BASES
from vetrina.settings import Settings, load_profile
from vetrina.system.context_factory import build_site_context

from .conftest import Made, Server

Vetrina = Callable[..., Result]
GUIDE = Path(__file__).parents[2] / "docs" / "profiles.md"

# A faulty line of a profile, and what is said of it.
FAULTS = [
    ('languages = ["xx"]', "languages[0]: 'xx' is no language that is known"),
    ('languages = ["DE"]', "languages[0]: 'DE' is no language code"),
    ('languages = ["de", "de"]', "languages[1]: 'de' stands there twice"),
    ("languages = []", "languages: names no language"),
    ('default_language = "de"', "default_language: there is no language of this profile 'de'; known: en, it"),
    ('time_zone = "Europe/Rom"', "did you mean 'Europe/Rome'?"),
    ('modules = ["contents"]', "modules[0]: there is no module 'contents'; did you mean 'content'?"),
    ('dialects = ["wordpres"]', "dialects[0]: there is no dialect 'wordpres'; did you mean 'wordpress'?"),
    ('theme = "portici"', "theme: there is no built-in theme 'portici'; did you mean 'portico'?"),
    ('theme = "./nowhere"', "theme: ./nowhere is no folder of a theme"),
    ('roles = ["administrator", "editr"]', "roles[1]: there is no role 'editr'; did you mean 'editor'?"),
    ('default_role = "customer"', "default_role: there is no role of this profile 'customer'"),
    ('accounts = {registration_role = "editr"}', "accounts.registration_role: there is no role of this profile"),
    ('accounts = {registration_role = "administrator"}', "accounts.registration_role: administrator manages accounts"),
    ('accounts = {links_url = "www.example.org"}', "accounts.links_url: 'www.example.org' is no address"),
    ('webhook_servers = ["intranet"]', "webhook_servers[0]: 'intranet' is no address"),
    ("images = {quality = 100}", "images.quality: must be 1 to 95, not 100"),
    ('options = {posts_per_page = "ten"}', "options.posts_per_page: must be a value like 10, not 'ten'"),
    ("options = {posts_per_pge = 10}", "there is no option of this name; did you mean 'posts_per_page'?"),
    ("limits = {body_bytes = -1}", "limits.body_bytes: must be 0 or more, not -1"),
    ("limits = {body_bites = 1}", "limits.body_bites: there is no such key; did you mean 'body_bytes'?"),
    ("languages = true", "languages: must be a list in brackets, not true"),
    ('limits = "none"', "limits: must be a table, not 'none'"),
    ("title = 3", "title: must be a text in quotes, not 3"),
    ("one_sign_in_error = 1", "one_sign_in_error: must be true or false, not 1"),
    ('media_translation = "share"', "media_translation: 'share' is not allowed; did you mean 'shared'?"),
    ("types = {recipe = {}}", "types.recipe: the key 'label' is missing"),
    ('types = {post = {label = "P"}}', "types.post: 'post' is there already"),
    ('types = {"Mein Typ" = {label = "T", base = "t"}}', "types.Mein Typ: 'Mein Typ' is no name"),
    ('types = {t = {label = "T", base = "a/b"}}', "types.t.base: 'a/b' cannot be part of a route"),
    ('types = {t = {label = "T", base = "users"}}', "types.t.base: 'users' is taken by the route /cms/v2/users"),
    ('types = {t = {label = "T", supports = ["titel"]}}', "there is no feature 'titel'; did you mean 'title'?"),
    ('types = {t = {label = "T", taxonomies = ["tag"]}}', "types.t.taxonomies[0]: there is no taxonomy 'tag'"),
    ('types = {t = {label = "T", preview_url = "front"}}', "types.t.preview_url: has no {token}"),
    ('types = {t = {label = "T", preview_url = "/p?{token}"}}', "types.t.preview_url: '/p?1' is no address"),
    ('preview_urls = {post = "https://f.example/{nr}/{token}"}', "preview_urls.post: there is no placeholder 'nr'"),
    ('preview_urls = {pots = "https://f.example/{token}"}', "preview_urls.pots: there is no type with previews 'pots'"),
    ('taxonomies = {g = {label = "G", types = ["pots"]}}', "there is no content type 'pots'; did you mean 'post'?"),
    ('fields.post.x = {type = "texte"}', "fields.post.x.type: 'texte' is not allowed; did you mean 'text'?"),
    ('fields.post.x = {label = "X"}', "fields.post.x: the key 'type' is missing"),
    ('fields.post.x = {type = "text", lenght = 3}', "fields.post.x.lenght: there is no such key"),
    ('fields.post.x = {type = "text", max_length = "a"}', "fields.post.x.max_length: must be a whole number, not 'a'"),
    ('fields.pots.x = {type = "text"}', "fields.pots: nothing called 'pots' can have fields; did you mean 'post'?"),
    ('fields.post.footnotes = {type = "text"}', "fields.post.footnotes: 'footnotes' is a field of the server's own"),
    ('fields.post._ext_changed = {type = "text"}', "fields.post._ext_changed: '_ext_changed' is a field of the server"),
    ('fields.post.Price = {type = "text"}', "fields.post.Price: 'Price' is no name"),
    ('fields.post.x = {type = "relation", to = "pots"}', "fields.post.x.to: nothing is called 'pots'; did you mean"),
    ('fields.post.x = {type = "relation"}', "fields.post.x: a relation needs to know what it points to"),
    ('fields.post.x = {type = "choice"}', "fields.post.x: a choice needs choices"),
    ('fields.post.x = {type = "text", choices = ["a"]}', "fields.post.x.choices: is for a choice"),
    ('fields.post.x = {type = "text", choices = 3}', "fields.post.x.choices: must be a list in brackets or a table"),
    ('fields.post.x = {type = "group"}', "fields.post.x: a group needs fields"),
    ('fields.post.x = {type = "integer", default = "a"}', "fields.post.x.default: does not fit: it is not of type"),
    ('fields.post.x = {type = "integer", minimum = 2, default = 1}', "fields.post.x.default: does not fit"),
    ('fields.post.x = {type = "date", default = 2026-01-01}', "fields.post.x.default: is a date of TOML"),
    ('fields.post.x = {type = "integer", minimum = 3, maximum = 2}', "fields.post.x.minimum: is more than maximum"),
    ('fields.post.x = {type = "date", minimum = "soon"}', "fields.post.x.minimum: 'soon' is no date"),
    ('fields.post.x = {type = "text", pattern = "("}', "fields.post.x.pattern: is no regular expression"),
    ('fields.post.x = {type = "text", read = "edit_pots"}', "fields.post.x.read: there is no capability 'edit_pots'"),
    ('fields.post.x = {type = "boolean", multiple = true}', "fields.post.x.multiple: is for a kind that can be a list"),
    (
        'fields.post.x = {type = "group", fields = {y = {type = "text", write = "read"}}}',
        "fields.post.x.fields.y.write: belongs to the whole field 'x'",
    ),
    ('options_pages = {post = {label = "P"}}', "options_pages.post: 'post' is something else already"),
    ('options_pages = {a = {label = "A", capability = "manage"}}', "options_pages.a.capability: there is no capa"),
    (
        'types = {t = {label = "T"}}\nfields.t.x = {type = "text"}',
        "fields.t: 't' is one of this profile; write its fields in types.t.fields",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("line", "said"), FAULTS, ids=[line for line, _ in FAULTS])
def test_a_fault_is_said_with_its_line(vetrina: Vetrina, tmp_path: Path, line: str, said: str) -> None:
    path = tmp_path / "own.toml"
    path.write_text(f"# A profile.\n\n{line}\n")
    result = vetrina("profile", "check", path)
    assert result.exit_code == 1
    assert result.stderr.startswith(f"{path}:{3 + line.count(chr(10))}: ")
    assert said in result.stderr
    made = vetrina("init", tmp_path / "site", "--profile", path)
    assert made.exit_code == 2
    assert said in made.stderr
    assert not (tmp_path / "site").exists()


def test_what_names_mean_is_checked_beside_values_of_the_wrong_kind(vetrina: Vetrina, tmp_path: Path) -> None:
    path = tmp_path / "own.toml"
    path.write_text(
        'time_zone = "Europe/Berln"\ntheme = "portici"\ntitle = 3\nmenu_locations = {main = 1}\n'
        '[types.recipe]\ncolour = "red"\nsupports = ["titel"]\n'
        '[taxonomies.genre]\nlabel = "G"\ntypes = ["recipe", "recipee"]\n'
        "[options]\nposts_per_page = 5\nposts_per_pge = 5\n"
    )
    said = vetrina("profile", "check", path, "--json")
    assert [(one["line"], one["key"]) for one in json.loads(said.stdout)] == [
        (1, "time_zone"), (2, "theme"), (3, "title"), (4, "menu_locations.main"), (5, "types.recipe"),
        (6, "types.recipe.colour"), (7, "types.recipe.supports[0]"), (10, "taxonomies.genre.types[1]"),
        (13, "options.posts_per_pge"),
    ]  # fmt: skip


def test_what_follows_from_a_faulty_list_is_not_said(vetrina: Vetrina, tmp_path: Path) -> None:
    path = tmp_path / "own.toml"
    path.write_text('languages = ["de", 4]\ndefault_language = "de"\n')
    said = vetrina("profile", "check", path, "--json")
    assert [one["key"] for one in json.loads(said.stdout)] == ["languages[1]"]


def test_options_of_a_module_are_known_where_it_is(vetrina: Vetrina, tmp_path: Path) -> None:
    path = tmp_path / "own.toml"
    path.write_text('options = {shop_currency = "EUR"}\n')
    assert "options.shop_currency: there is no option" in vetrina("profile", "check", path).stderr
    path.write_text('modules = ["content", "shop"]\noptions = {shop_currency = "EUR"}\n')
    assert vetrina("profile", "check", path).exit_code == 0


def test_all_faults_are_said_at_once_also_for_programs(vetrina: Vetrina, tmp_path: Path) -> None:
    path = tmp_path / "own.toml"
    path.write_text('titel = "x"\nlanguages = [\n  "de",\n  4,\n]\n\n[types.recipe]\nlabel = "R"\ncolour = 1\n')
    result = vetrina("profile", "check", path, "--json")
    assert result.exit_code == 1
    assert [(one["line"], one["key"]) for one in json.loads(result.stdout)] == [
        (1, "titel"),
        (2, "languages[1]"),
        (9, "types.recipe.colour"),
    ]


@pytest.mark.parametrize("profile", ["first", "second"])
def test_the_built_in_profiles_can_be_served(vetrina: Vetrina, profile: str) -> None:
    result = vetrina("profile", "check", profile)
    assert (result.exit_code, result.stderr) == (0, "")


def test_a_file_that_is_no_toml_is_said_in_one_line(vetrina: Vetrina, tmp_path: Path) -> None:
    (tmp_path / "own.toml").write_text("title = \n")
    result = vetrina("profile", "check", tmp_path / "own.toml")
    assert (result.exit_code, result.stderr.count("\n")) == (1, 1)
    assert "own.toml cannot be read" in result.stderr


def test_the_faults_of_the_guide_are_those_that_are_said(vetrina: Vetrina, tmp_path: Path) -> None:
    text = GUIDE.read_text(encoding="utf-8")
    [profile] = [one for one in re.findall(r"```toml\n(.*?)```", text, re.DOTALL) if "titel" in one]
    [said] = re.findall(r"```text\n(.*?)```", text, re.DOTALL)
    path = tmp_path / "recipes.toml"
    path.write_text(profile)
    assert vetrina("profile", "check", path).stderr.replace(f"{tmp_path}/", "") == said


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ('url = "example.org"', "url: 'example.org' is no address"),
        ('url = "https://example.org/blog?x"', "url: 'https://example.org/blog?x' has a query or a fragment"),
        ('url = "https://example.org/a b"', "url: 'https://example.org/a b' has a path that no site can live under"),
        ('url = "https://example.org/cms-json"', "url: a site cannot live under '/cms-json'"),
        ('url = "https://example.org/en/x"', "url: a site cannot live under '/en'"),
        ("port = 70000", "port: 70000 is no port"),
        ("workers = 0", "workers: must be 1 or more"),
        ("prot = 8000", "prot: there is no such key; did you mean 'port'?"),
    ],
)
def test_faults_of_a_site_s_settings_are_said_with_their_line(
    vetrina: Vetrina, made: Made, line: str, said: str
) -> None:
    settings = made.folder / "vetrina.toml"
    settings.write_text(f"{line}\n{settings.read_text()}")
    result = vetrina("serve", "--site", made.folder)
    assert result.exit_code == 2
    assert f"{settings}:1: {said}" in result.stderr


def test_the_schema_describes_every_key_for_editors(vetrina: Vetrina) -> None:
    schema = json.loads(vetrina("profile", "schema").stdout)
    assert schema["$ref"] == "#/$defs/Profile"
    of_types = schema["$defs"]["ProfileType"]
    assert of_types["required"] == ["label"]
    assert of_types["additionalProperties"] is False
    assert of_types["properties"]["label"] == {
        "type": "string",
        "description": "its name in the plural, as people read it",
    }
    assert of_types["properties"]["translation"]["description"].startswith("among languages: ")
    settings = json.loads(vetrina("profile", "schema", "--settings").stdout)
    assert settings["$defs"]["Settings"]["properties"]["port"]["default"] == 8000


def test_the_routes_of_a_site_are_listed(vetrina: Vetrina, tmp_path: Path) -> None:
    path = tmp_path / "own.toml"
    path.write_text('[types.recipe]\nlabel = "Recipes"\nbase = "recipes"\n')
    assert vetrina("init", tmp_path / "site", "--profile", path, "--empty").exit_code == 0
    assert "/cms/v2/recipes/{id}" in vetrina("routes", "--site", tmp_path / "site").stdout
    assert "/cms/v2/recipes" not in vetrina("routes").stdout
    assert vetrina("routes", "--site", tmp_path / "site", "--profile", "first").exit_code == 2


@pytest.mark.parametrize("languages", [("de",), ("ar",), ("fr", "de", "ja")])
def test_a_site_without_english_has_its_own_language(
    vetrina: Vetrina, serving: Callable[..., Server], tmp_path: Path, languages: tuple[str, ...]
) -> None:
    path = tmp_path / "own.toml"
    path.write_text(f'title = "Own"\nlanguages = {json.dumps(languages)}\n')
    made = vetrina("init", tmp_path / "site", "--profile", path)
    assert made.exit_code == 0
    assert f"with the profile {path}." in made.stdout
    server = serving("--site", tmp_path / "site")
    assert server.root.endswith(f"/{languages[0]}/cms-json")
    [post, *_] = server.ask("GET", "/cms/v2/posts?_fields=lang,link")[1]
    assert post["lang"] == languages[0]
    assert f"/{languages[0]}/" in post["link"]
    with closing(server.connect()) as connection:
        connection.request("GET", post["link"].removeprefix(f"http://{server.host}:{server.port}"))
        page = connection.getresponse()
        direction = ' dir="rtl"' if languages[0] == "ar" else ""
        assert (page.status, f'<html lang="{languages[0]}"{direction}>' in page.read().decode()) == (200, True)


@pytest.mark.skipif(shutil.which("chattr") is None, reason="needs chattr, by which a folder can be kept from root too")
def test_a_server_that_cannot_write_says_so_and_stops(vetrina: Vetrina, made: Made) -> None:
    folder = made.folder
    if os.geteuid():
        folder.chmod(0o500)
    elif subprocess.run(["chattr", "+i", folder], capture_output=True).returncode:
        pytest.skip("this file system knows no immutable folders")
    try:
        result = vetrina("serve", "--site", folder)
    finally:
        if not os.geteuid():
            subprocess.run(["chattr", "-i", folder], check=True)
    assert (result.exit_code, result.stderr.count("\n")) == (1, 1)
    assert f"{folder} cannot be written to" in result.stderr


@pytest.mark.parametrize("profile", ["first", "second"])
def test_the_reserved_names_are_those_of_the_routes(vetrina: Vetrina, tmp_path: Path, profile: str) -> None:
    routes = json.loads(vetrina("routes", "--profile", profile, "--json").stdout)
    parts = {one["path"].split("/")[3].split("(")[0] for one in routes if one["path"].startswith("/cms/v2/")}
    bare = build_site_context(load_profile(profile), Settings(), load_modules(load_profile(profile).modules))
    brought = {one.base.split("/")[0] for one in (*bare.types.values(), *bare.taxonomies.values())}
    # Only sites with options pages have that route.
    assert parts - brought == set(RESERVED_BASES) - brought - {"options-pages"}


def test_apply_says_what_changes_and_keeps_the_old_file(vetrina: Vetrina, made: Made, tmp_path: Path) -> None:
    new = tmp_path / "new.toml"
    built_in = (Path(__file__).parents[2] / "src" / "vetrina" / "profiles" / "first.toml").read_text(encoding="utf-8")
    new.write_text(built_in.replace('label = "Percorsi"', 'label = "Routes"'), encoding="utf-8")
    refused = vetrina("profile", "apply", new, "--site", made.folder, input="n\n")
    assert refused.exit_code == 1
    assert '~ type percorso\n    label: "Percorsi" -> "Routes"' in refused.stdout
    assert not (made.folder / "profile.toml").exists()
    assert vetrina("profile", "apply", new, "--site", made.folder, "--yes").exit_code == 0
    own = made.folder / "profile.toml"
    assert own.read_text(encoding="utf-8") == new.read_text(encoding="utf-8")
    assert vetrina("check", "--site", made.folder).exit_code == 0
    left, right = built_in.index("[types.percorso]"), built_in.index("[taxonomies.")
    new.write_text(built_in[:left] + built_in[right:], encoding="utf-8")
    said = vetrina("profile", "apply", new, "--site", made.folder, "--yes")
    assert "- type percorso" in said.stdout
    [old] = made.folder.glob("profile.toml.*")
    assert 'label = "Routes"' in old.read_text(encoding="utf-8")
    assert own.read_text(encoding="utf-8") == new.read_text(encoding="utf-8")


def test_apply_refuses_what_cannot_be_served_and_what_a_browser_masked(
    vetrina: Vetrina, made: Made, tmp_path: Path
) -> None:
    new = tmp_path / "new.toml"
    new.write_text('title = "T"\ntitel = "U"')
    said = vetrina("profile", "apply", new, "--site", made.folder, "--yes")
    assert (said.exit_code, f"{new}:2: titel: there is no such key" in said.stderr) == (1, True)
    new.write_text('[translation]\ntp_key = "secret"')
    assert vetrina("profile", "apply", new, "--site", made.folder, "--yes").exit_code == 0
    new.write_text('title = "T"\n[translation]\ntp_key = "***"')
    said = vetrina("profile", "apply", new, "--site", made.folder, "--yes")
    assert (said.exit_code, "***" in said.stderr) == (1, True)
    assert 'tp_key = "secret"' in (made.folder / "profile.toml").read_text()
