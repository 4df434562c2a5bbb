"""An account's rights in a shop, under the names that pages of the other dialect use."""

from __future__ import annotations

import msgspec
import pytest

from conftest import standing
from vetrina.settings import load_profile

from .conftest import BRAND


def test_the_rights_to_run_a_shop_have_the_names_of_the_dialect(request: pytest.FixtureRequest, kind: str) -> None:
    profile = msgspec.structs.replace(load_profile("second"), dialects=("neutral", "wordpress"))
    with standing(request, profile) as stand:
        answer = stand.client("admin", root=BRAND).get("/wp/v2/users/me", query={"context": "edit"}).json
        own = stand.client("admin").get("/cms/v2/users/me", query={"context": "edit"}).json
    assert [answer["capabilities"][name] for name in ("manage_woocommerce", "view_woocommerce_reports")] == [True] * 2
    assert "manage_shop" not in answer["capabilities"]
    assert answer["woocommerce_meta"] == own["shop_meta"]
    assert answer["meta"]["woocommerce_coming_soon_banner_dismissed"] == ""
    assert own["capabilities"]["manage_shop"] is True
