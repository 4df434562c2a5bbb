"""The clock of a test server: set, frozen, moved forward, and back to system time after a reset."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from vetrina.client import NotSignedIn
from vetrina.testing import LocalTestServer, ServerControlError

NEW_YEAR = datetime(2031, 1, 1, tzinfo=UTC)


def test_a_frozen_clock_stands_still_until_it_is_moved(site: LocalTestServer) -> None:
    site.clock.freeze(NEW_YEAR)
    assert site.clock.now() == NEW_YEAR
    assert site.client().posts.create(title="x")["modified_gmt"] == "2031-01-01T00:00:00"
    site.clock.travel(timedelta(days=1, seconds=5))
    assert site.clock.now() == NEW_YEAR + timedelta(days=1, seconds=5)
    assert site.client().posts.create(title="x")["modified_gmt"] == "2031-01-02T00:00:05"
    site.clock.travel(-5)
    assert site.clock.now() == NEW_YEAR + timedelta(days=1)


def test_a_clock_that_is_set_goes_on(site: LocalTestServer) -> None:
    site.clock.set(NEW_YEAR)
    assert NEW_YEAR <= site.clock.now() < NEW_YEAR + timedelta(minutes=1)
    site.clock.release()
    assert abs(site.clock.now() - datetime.now(UTC)) < timedelta(minutes=1)
    site.clock.freeze()
    assert site.clock.now() == site.clock.now()


def test_what_becomes_due_is_done_when_the_clock_is_moved(site: LocalTestServer) -> None:
    site.clock.freeze(NEW_YEAR)
    made = site.client().posts.create(title="Later", status="future", date_gmt=NEW_YEAR + timedelta(hours=1))
    site.clock.travel(3599)
    assert site.client().posts.get(made["id"])["status"] == "future"
    assert site.client(None).posts.list().all() == []
    site.clock.travel(1)
    assert site.client().posts.get(made["id"])["status"] == "publish"
    assert [post["id"] for post in site.client(None).posts.list()] == [made["id"]]


def test_a_coupon_expires_and_a_session_ends_with_the_clock(site: LocalTestServer) -> None:
    admin = site.client()
    cup = admin.shop.products.create(name="Cup", regular_price="4.00", status="publish")
    admin.shop.coupons.create(code="tenth", amount="10", date_expires="2031-01-01T00:00:00")
    cart = site.client(None).cart()
    cart.add(cup["id"])
    assert cart.apply_coupon("tenth")["coupons"]
    site.clock.set(NEW_YEAR + timedelta(days=1))
    assert site.client(None).cart(cart.token).get()["coupons"] == []


def test_a_reset_follows_the_machine_again(site: LocalTestServer) -> None:
    site.clock.freeze(NEW_YEAR)
    site.reset()
    assert abs(site.clock.now() - datetime.now(UTC)) < timedelta(minutes=1)
    with pytest.raises(NotSignedIn):
        site.client(None).me()


def test_what_no_clock_can_show_is_refused(site: LocalTestServer) -> None:
    with pytest.raises(ValueError, match="no time zone"):
        site.clock.set(datetime(2031, 1, 1))
    with pytest.raises(ServerControlError, match="1970 to 9999"):
        site.clock.set(datetime(1969, 1, 1, tzinfo=UTC))
    with pytest.raises(ServerControlError, match="1970 to 9999"):
        site.clock.travel(1e12)
    assert abs(site.clock.now() - datetime.now(UTC)) < timedelta(minutes=1)
