"""Marketing: channels and campaigns of modules, recommendations, articles of a catalog."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from conftest import Client, Stand, standing
from installed_package import install_package
from vetrina.service_settings import ShopServices
from vetrina.settings import load_profile
from vetrina.shop.admin import marketing_channels

PATH = "/shop-admin/marketing"


CHANNELS = """
from decimal import Decimal

from vetrina.shop.admin.marketing_channels import CampaignType, ChannelStatus, MarketingCampaign, MarketingChannel


def stands(work):
    return ChannelStatus(set_up=work.stored_option("shop_demo_store") == "yes", settings_url="/set", errors=2)


def runs(work):
    return [MarketingCampaign(f"c{at}", f"Spring {at}", "/manage", "EUR", Decimal("12.5"), None) for at in range(3)]


kinds = (CampaignType("search", "Search", "Shown to who searches.", "/new", "/icon.svg"),)
posters = MarketingChannel("posters", "shop", "Posters", "On walls.", "/p.svg", stands, kinds, runs)
radio = MarketingChannel("radio", "radio-for-shop", "Radio", "On air.", "/r.svg", stands)
"""


@pytest.fixture
def channel(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """A package with a channel for a module that every shop has, and one for a module that it lacks."""
    folder, load = tmp_path_factory.mktemp("package"), marketing_channels.load_marketing_channels
    group = "vetrina.marketing_channels"
    with install_package(folder, "vetrina_channels", CHANNELS, group, ["posters", "radio"], load):
        yield


def test_a_shop_without_channels_has_no_campaigns(manager: Client) -> None:
    assert [manager.get(f"{PATH}/{name}").json for name in ("channels", "campaigns", "campaign-types")] == [[], [], []]
    assert manager.get(f"{PATH}/campaigns").headers["x-cms-total"] == "0"


@pytest.mark.in_process("a package is installed in it")
@pytest.mark.usefixtures("channel")
def test_channels_say_how_they_stand(manager: Client) -> None:
    told = {
        "slug": "posters", "is_setup_completed": False, "settings_url": "/set", "name": "Posters",
        "description": "On walls.", "product_listings_status": "not-applicable", "errors_count": 2, "icon": "/p.svg",
    }  # fmt: skip
    assert manager.get(f"{PATH}/channels").json == [told]
    manager.post("/shop-admin/options", {"shop_demo_store": "yes"})
    assert manager.get(f"{PATH}/channels").json == [{**told, "is_setup_completed": True}]
    [kind] = manager.get(f"{PATH}/campaign-types").json
    assert (kind["id"], kind["channel"]) == ("search", {"slug": "posters", "name": "Posters"})


@pytest.mark.in_process("a package is installed in it")
@pytest.mark.usefixtures("channel")
def test_campaigns_come_in_pages(manager: Client) -> None:
    answer = manager.get(f"{PATH}/campaigns?per_page=2&page=2")
    assert (answer.headers["x-cms-total"], answer.headers["x-cms-totalpages"]) == ("3", "2")
    [last] = answer.json
    assert (last["id"], last["channel"], last["sales"]) == ("c2", "posters", None)
    assert last["cost"] == {"value": "12.50", "currency": "EUR"}
    assert manager.get(f"{PATH}/campaigns?page=0").status == 400


# -- what is recommended


def test_what_suits_the_shop_is_recommended_first(admin: Client) -> None:
    path = f"{PATH}/recommendations?category=extensions"
    before = [one["product"] for one in admin.get(path).json]
    assert before[0] == "mailpoet"
    admin.post("/shop/v3/coupons", {"code": "spring", "amount": "5"})
    after = [one["product"] for one in admin.get(path).json]
    assert after[0] == "shop-smart-coupons"
    assert sorted(after) == sorted(before)
    admin.post("/shop/v3/products", {"name": "Shirt", "type": "variable", "status": "publish"})
    channels = [one["product"] for one in admin.get(f"{PATH}/recommendations?category=channels").json]
    assert channels[0] == "tiktok-for-business"
    assert admin.get(f"{PATH}/recommended?per_page=1").json[0]["product"] == "tiktok-for-business"


@pytest.fixture
def reading(request: pytest.FixtureRequest, kind: str, tmp_path: Path) -> Iterator[Stand]:
    """A shop whose marketplace has articles."""
    file = tmp_path / "catalogue.toml"
    file.write_text(
        '[[article]]\ncategory = "marketing"\ntitle = "Found by name"\nlink = "https://example.org/a"\n'
        '[[article]]\ncategory = "coupons"\ntitle = "Less is more"\n'
        '[[recommendation]]\nid = "fair"\ntitle = "A fair"\n',
        encoding="utf-8",
    )
    services = ShopServices(marketplace_catalogue=str(file))
    with standing(request, replace(load_profile("second"), shop_services=services), "_shop") as stand:
        yield stand


def test_articles_are_those_of_the_catalogue(reading: Stand) -> None:
    admin = reading.client("admin")
    path = f"{PATH}/knowledge-base"
    assert [one["title"] for one in admin.get(path).json] == ["Found by name", "Less is more"]
    [one] = admin.get(f"{path}?category=marketing").json
    assert (one["link"], one["author_name"]) == ("https://example.org/a", "")
    assert admin.get(f"{PATH}/misc-recommendations").json == [
        {"id": "fair", "title": "A fair", "description": "", "url": "", "icon": ""}
    ]


def test_a_bare_catalogue_has_no_articles(admin: Client) -> None:
    assert admin.get(f"{PATH}/knowledge-base").json == admin.get(f"{PATH}/misc-recommendations").json == []
