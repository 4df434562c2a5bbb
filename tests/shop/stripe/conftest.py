"""A shop that takes payments by Stripe, and a fake of Stripe."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from conftest import Client, Stand, standing
from stripe_service import StripeService
from vetrina.settings import load_profile

from .buying import GATEWAY, SET


@pytest.fixture
def stripe() -> Iterator[StripeService]:
    service = StripeService()
    yield service
    service.close()


@pytest.fixture
def site(request: pytest.FixtureRequest, kind: str, stripe: StripeService) -> Iterator[Stand]:
    sets = {"shop_services.stripe": True, "shop_services.stripe_url": stripe.url}
    with standing(request, load_profile("second", sets), "_shop") as stand:
        stripe.deliver = lambda body, headers: stand.client().post(
            f"{GATEWAY}/webhook", body=body, headers={"Content-Type": "application/json", **headers}
        )
        stripe.now = stand.site.context.clock.now
        yield stand


@pytest.fixture
def shop(site: Stand, manager: Client) -> Client:
    answer = manager.put(GATEWAY, {"enabled": True, "settings": SET})
    assert (answer.status, answer.json["needs_setup"]) == (200, False), answer.json
    return manager
