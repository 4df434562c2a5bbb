"""The texts that the server adds to settings, gateways, shipping and health, in the language of who asks for it.

Rules: docs/rules/global_parameters.md, 10.
"""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import vetrina
from conftest import Client, Stand, standing
from vetrina.settings import load_profile
from vetrina.shop.payments.gateway_routes import NOT_ON_PAGES
from vetrina.shop.settings.rules import STANDARD_TAX_CLASS
from vetrina.system.health import checks as health_checks

SOURCE = Path(vetrina.__file__).parent
SETTINGS, GATEWAYS = "/shop/v3/settings", "/shop/v3/payment_gateways"
ZONES, METHODS = "/shop/v3/shipping/zones", "/shop/v3/shipping_methods"
# Members of settings, gateways, ways of shipping and findings that are texts of the server.
TEXTS = (
    "label", "description", "tip", "placeholder", "method_title", "method_description", "setup_help_text", "actions",
)  # fmt: skip
# Choices that are names of places or of what somebody made, or that babel translates.
NAMED = (
    "_default_country",
    "_except_countries",
    "_specific_allowed_countries",
    "_specific_ship_to_countries",
    "_currency",
    "_page_id",
)


# Texts with placeholders, which stand in no answer as they are written, and one of gateways that nobody has here.
FILLED = {'"{name}" shipping class cost', "Any &quot;{title}&quot; method", NOT_ON_PAGES}


@pytest.fixture
def site(request: pytest.FixtureRequest, kind: str) -> Iterator[Stand]:
    """A shop with every gateway, a way of shipping of each kind and a shipping class."""
    profile = load_profile("second", {"shop_services.test_gateway": True, "shop_services.stripe": True})
    with standing(request, profile, "_shop") as stand:
        manager = stand.client("shop_manager")
        made = manager.post("/shop/v3/products/shipping_classes", {"name": "Bulky {goods}"})
        assert made.status == 201, made.json
        for method in manager.get(METHODS).json:
            assert manager.post(f"{ZONES}/0/methods", {"method_id": method["id"]}).status == 200
        yield stand


@pytest.fixture
def italian(site: Stand) -> Client:
    """The shop manager, whose account is in Italian."""
    return speak(site, "shop_manager", "it_IT")


def speak(site: Stand, login: str, locale: str) -> Client:
    client = site.client(login)
    answer = client.put("/cms/v2/users/me", {"locale": locale})
    assert answer.status == 200, answer.json
    return client


def load_italian(folder: str) -> dict[str, str]:
    return dict(json.loads((SOURCE / folder / "languages" / "it.json").read_text(encoding="utf-8")))


def read_settings(client: Client, query: str) -> list[dict[str, Any]]:
    """Return the groups of settings and all their settings, as a client gets them."""
    groups = client.get(SETTINGS + query).json
    assert len(groups) > 20
    return [*groups, *(one for group in groups for one in client.get(f"{SETTINGS}/{group['id']}{query}").json)]


def read_gateways(client: Client, query: str) -> list[dict[str, Any]]:
    gateways = client.get(GATEWAYS + query).json
    assert {"bacs", "test", "stripe"} <= {one["id"] for one in gateways}
    # Title and description of a gateway are what its customers read.
    own = [{**one, "description": ""} for one in gateways]
    return [*own, *(setting for one in gateways for setting in one["settings"].values())]


def read_shipping(client: Client, query: str) -> list[dict[str, Any]]:
    kinds = client.get(METHODS + query).json
    zone = client.get(f"{ZONES}/0/methods{query}").json
    assert {one["method_id"] for one in zone} == {one["id"] for one in kinds}
    zones = [{"label": one["name"]} for one in client.get(f"{ZONES}{query}").json]
    named = [*zones, *({"label": one["title"], "description": one["description"]} for one in kinds)]
    return [*named, *zone, *(setting for one in zone for setting in one["settings"].values())]


def list_texts(things: list[dict[str, Any]], typed: set[str]) -> list[str]:
    """Return the texts of the server in what was read. typed: names that somebody gave."""
    texts = []
    for one in things:
        texts += [str(one[name]) for name in TEXTS if one.get(name)]
        if not str(one.get("id", "")).endswith(NAMED):
            for group, label in (one.get("options") or {}).items():
                texts += [group, *label.values()] if isinstance(label, dict) else [label]
    return [one for one in texts if one not in typed]


@pytest.mark.parametrize(
    ("folder", "read"),
    [("shop/settings", read_settings), ("shop/payments", read_gateways), ("shop/shipping", read_shipping)],
)
def test_each_text_is_in_italian_and_no_other(folder: str, read: Any, site: Stand, italian: Client) -> None:
    typed = {one["name"] for one in italian.get("/shop/v3/taxes/classes").json} - {STANDARD_TAX_CLASS}
    known = load_italian(folder)
    english, said = list_texts(read(italian, ""), typed), list_texts(read(italian, "?_locale=user"), typed)
    assert len(english) == len(said) > 20
    lacking = {one for one, other in zip(english, said, strict=True) if one == other and known.get(one) != one}
    assert lacking == set(), f"write them into {folder}/languages/it.json"
    assert set(known) - set(english) - FILLED == set(), "no answer says them any more"


def iterate_findings() -> Iterator[str]:
    """Yield the texts of the checks of health: literal arguments of findings, and badges."""
    for node in ast.walk(ast.parse(Path(health_checks.__file__).read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "HealthFinding":
            assert not any(isinstance(one, ast.JoinedStr) for one in node.args), ast.unparse(node)
            yield from (str(one.value) for one in node.args if isinstance(one, ast.Constant) and one.value)
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "words":
            yield str(ast.literal_eval(node.value))
    yield from (one.badge for one in health_checks.CHECKS.values())


def test_each_finding_is_in_italian_and_no_other() -> None:
    used = set(iterate_findings()) - {"good", "recommended", "critical", "{findings}"}
    assert len(used) > 30
    assert used == set(load_italian("system/health"))


def test_the_texts_follow_whoever_asks_for_their_own_language(site: Stand, italian: Client) -> None:
    english = speak(site, "admin", "en_US")
    plain = italian.get(f"{SETTINGS}/general").json
    labels = {"shop_currency": ("Currency", "Valuta"), "shop_calc_taxes": ("Enable taxes", "Attiva le imposte")}

    def read_labels(client: Client, query: str) -> list[str]:
        found = {one["id"]: one["label"] for one in client.get(f"{SETTINGS}/general{query}").json}
        return [found[id] for id in labels]

    first, second = ([pair[number] for pair in labels.values()] for number in (0, 1))
    for _ in range(2):
        assert read_labels(italian, "?_locale=user") == second
        assert read_labels(english, "?_locale=user") == first
        assert read_labels(italian, "") == first
        assert read_labels(italian, "?_locale=site") == first
    assert italian.get(f"{SETTINGS}/general").json == plain
    assert site.client().get(f"{SETTINGS}/general?_locale=user").status == 401


def test_a_language_without_translations_is_english(site: Stand) -> None:
    client = site.client("shop_manager")
    path = f"{SETTINGS}/general/shop_currency?_locale=user"
    assert client.get(path, headers={"accept-language": "de, fr;q=0.9"}).json["label"] == "Currency"
    # An account without a language of its own: that of the browser, as the administration does.
    assert client.get(path, headers={"accept-language": "de, it-CH;q=0.9"}).json["label"] == "Valuta"
    assert client.get(path.partition("?")[0], headers={"accept-language": "it"}).json["label"] == "Currency"


def test_choices_are_translated_and_values_are_not(site: Stand, italian: Client) -> None:
    currency = italian.get(f"{SETTINGS}/general/shop_currency?_locale=user").json
    assert currency["options"]["CHF"] == "franco svizzero (CHF) — CHF"
    country = italian.get(f"{SETTINGS}/general/shop_default_country?_locale=user").json
    assert country["options"]["SM"] == "San Marino"
    assert country["options"]["US:CA"] == "Stati Uniti — California"
    made = italian.post("/shop/v3/taxes/classes", {"name": "Orders"})
    assert made.status == 201, made.json
    classes = italian.get(f"{SETTINGS}/tax/shop_shipping_tax_class?_locale=user").json["options"]
    assert (classes["inherit"], classes[""], classes["orders"]) == ("Come ciò che è nel carrello", "Normale", "Orders")
    plain = italian.get(f"{SETTINGS}/tax/shop_shipping_tax_class").json["options"]
    assert list(plain) == list(classes)

    written = italian.put(f"{GATEWAYS}/cod?_locale=user", {"title": "Checkout", "description": "Cost"}).json
    assert (written["title"], written["description"], written["method_title"]) == ("Checkout", "Cost", "Contrassegno")
    assert (written["settings"]["title"]["label"], written["settings"]["title"]["value"]) == ("Titolo", "Checkout")
    methods = italian.get(f"{ZONES}/0/methods?_locale=user").json
    costs = next(one["settings"] for one in methods if one["method_id"] == "flat_rate")
    [label] = [one["label"] for id, one in costs.items() if id.startswith("class_cost_")]
    assert label == "Costo della classe di spedizione «Bulky {goods}»"
    assert costs["title"]["value"] == "Flat rate"
