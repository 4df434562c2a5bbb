"""Marketing: channels and campaigns of modules that bring some, and none without."""

from __future__ import annotations

from decimal import Decimal

import pytest

from conftest import Client
from vetrina.domain.shop.admin import marketing_channels
from vetrina.domain.shop.admin.marketing_channels import Campaign, CampaignKind, Channel, Standing
from vetrina.domain.work import Work

PATH = "/shop-admin/marketing"


def stands(work: Work) -> Standing:
    return Standing(set_up=work.stored_option("shop_demo_store") == "yes", settings_url="/set", errors=2)


def runs(work: Work) -> list[Campaign]:
    return [Campaign(f"c{at}", f"Spring {at}", "/manage", "EUR", Decimal("12.5"), None) for at in range(3)]


@pytest.fixture
def channel(monkeypatch: pytest.MonkeyPatch) -> None:
    """A package that brings a channel for a module that every shop has, and one for a module that it has not."""
    kinds = (CampaignKind("search", "Search", "Shown to who searches.", "/new", "/icon.svg"),)
    brought = Channel("posters", "shop-payments", "Posters", "On walls.", "/p.svg", stands, kinds, runs)
    asleep = Channel("radio", "radio-for-shop", "Radio", "On air.", "/r.svg", stands)
    monkeypatch.setattr(marketing_channels, "known", lambda: {"posters": brought, "radio": asleep})


def test_a_shop_without_channels_has_no_campaigns(manager: Client) -> None:
    assert [manager.get(f"{PATH}/{name}").json for name in ("channels", "campaigns", "campaign-types")] == [[], [], []]
    assert manager.get(f"{PATH}/campaigns").headers["x-cms-total"] == "0"


@pytest.mark.in_process("it is patched")
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


@pytest.mark.in_process("it is patched")
@pytest.mark.usefixtures("channel")
def test_campaigns_come_in_pages(manager: Client) -> None:
    answer = manager.get(f"{PATH}/campaigns?per_page=2&page=2")
    assert (answer.headers["x-cms-total"], answer.headers["x-cms-totalpages"]) == ("3", "2")
    [last] = answer.json
    assert (last["id"], last["channel"], last["sales"]) == ("c2", "posters", None)
    assert last["cost"] == {"value": "12.50", "currency": "EUR"}
    assert manager.get(f"{PATH}/campaigns?page=0").status == 400
