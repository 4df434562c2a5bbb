"""Signing in by a provider where a role requires a second factor of the site's own."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec
import pyotp
import pytest

from conftest import SetClock, Stand, standing
from identity_provider import IdentityProvider
from vetrina.access.second_factors import rules as second_factors

from .conftest import Visitor
from .test_single_sign_on import SECRETS, account_of, came_back, is_signed_in, profiled, provider as provider

STEP = "/admin/second-step"


@pytest.fixture
def roles() -> tuple[str, ...]:
    """The roles that require a second factor; a test may replace them."""
    return ("subscriber",)


@pytest.fixture
def stand(
    request: pytest.FixtureRequest, kind: str, provider: IdentityProvider, roles: tuple[str, ...], clock: Any
) -> Iterator[Stand]:
    profile = profiled(provider)
    accounts = msgspec.structs.replace(profile.accounts, second_factor_roles=roles)
    with standing(request, msgspec.structs.replace(profile, accounts=accounts), provider_secrets=SECRETS) as made:
        provider.ahead = lambda: clock.ahead
        yield made


def set_up(stand: Stand, clock: SetClock) -> str:
    """Turn on one-time codes of the account that the provider's person has, and return the secret."""
    user = account_of(stand)
    assert user is not None
    with stand.site.work() as work:
        secret = second_factors.begin_one_time_codes(work, user).secret
        second_factors.confirm_one_time_codes(work, user, pyotp.TOTP(secret).at(clock.now()))
    clock.forward(30)
    return secret


@pytest.mark.every_database
def test_a_required_factor_is_asked_after_the_provider(
    stand: Stand, provider: IdentityProvider, clock: SetClock
) -> None:
    first = Visitor(stand)
    came_back(first, provider)
    # Without a factor the session reaches the page that sets one up, and nothing else.
    assert "Signed in as" not in first.get("/en/").text
    assert first.get("/admin/second-factor").status == 200
    secret = set_up(stand, clock)
    visitor = Visitor(stand)
    answer = came_back(visitor, provider, "/admin/sign-in/house?redirect_to=/en/")
    assert STEP in answer.location
    assert "cms_session" not in visitor.cookies
    assert not is_signed_in(visitor)
    page = visitor.follow(answer)
    assert visitor.post(STEP, {**page.form, "code": "000000"}).status == 403
    done = visitor.post(STEP, {**page.form, "code": pyotp.TOTP(secret).at(clock.now())})
    assert (done.status, done.location) == (303, "/en/")
    assert is_signed_in(visitor)


@pytest.mark.parametrize("roles", [("administrator",)])
def test_where_no_role_requires_one_the_provider_answers_for_it(
    stand: Stand, provider: IdentityProvider, clock: SetClock
) -> None:
    came_back(Visitor(stand), provider)
    set_up(stand, clock)
    visitor = Visitor(stand)
    assert came_back(visitor, provider).location == "/"
    assert is_signed_in(visitor)
