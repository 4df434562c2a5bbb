"""Permissions of the administration: one line per route, with the error code for all others."""

from __future__ import annotations

import pytest

from conftest import Client, Stand

VIEW, UPDATE, CREATE = "shop_rest_cannot_view", "shop_rest_cannot_update", "shop_rest_cannot_create"
FORBIDDEN, INVALID = "rest_forbidden", "shop_rest_invalid_user"

# Method, path, error code, whether it is for administrators only, body.
ROUTES = [
    ("GET", "/shop-admin/features", VIEW, False, None),
    ("GET", "/shop-admin/experiments/assignment", VIEW, False, None),
    ("GET", "/shop-admin/mobile-app", VIEW, False, None),
    ("POST", "/shop-admin/notice/dismiss", FORBIDDEN, False, {}),
    ("GET", "/shop-admin/options?options=blogname", VIEW, False, None),
    ("POST", "/shop-admin/options", UPDATE, False, {"shop_demo_store": "no"}),
    ("GET", "/shop-admin/marketing/recommended", UPDATE, True, None),
    ("GET", "/shop-admin/marketing/misc-recommendations", UPDATE, True, None),
    ("GET", "/shop-admin/marketing/recommendations?category=channels", VIEW, False, None),
    ("GET", "/shop-admin/marketing/channels", VIEW, False, None),
    ("GET", "/shop-admin/marketing/campaigns", VIEW, False, None),
    ("POST", "/shop-admin/marketing/overview/activate-plugin", UPDATE, True, {"plugin": "x"}),
    ("GET", "/shop-admin/payment-gateway-suggestions", INVALID, False, None),
    ("POST", "/shop-admin/payment-gateway-suggestions/dismiss", UPDATE, True, {}),
    ("GET", "/shop-admin/shipping-partner-suggestions", UPDATE, True, None),
    ("POST", "/shop-admin/themes", VIEW, True, {}),
    ("POST", "/shop-admin/onboarding/themes/install", UPDATE, True, {"theme": "x"}),
    ("GET", "/shop-admin/plugins/active", VIEW, False, None),
    ("POST", "/shop-admin/plugins/install", UPDATE, True, {"plugins": "x"}),
    ("GET", "/shop-admin/plugins/install/status", UPDATE, True, None),
    ("POST", "/shop-admin/onboarding/plugins/install-and-activate", UPDATE, True, {"plugins": ["x"]}),
    ("GET", "/shop-admin/onboarding/free-extensions", VIEW, False, None),
    ("GET", "/shop-admin/onboarding/profile", VIEW, False, None),
    ("POST", "/shop-admin/onboarding/profile", VIEW, False, {}),
    ("GET", "/shop-admin/onboarding/tasks", CREATE, False, None),
    ("POST", "/shop-admin/onboarding/tasks/setup/hide", UPDATE, False, {}),
    ("POST", "/shop-admin/onboarding/tasks/x/dismiss", CREATE, False, {}),
    ("POST", "/shop-admin/onboarding/tasks/create_homepage", CREATE, True, {}),
    ("POST", "/shop-admin/onboarding/products", UPDATE, True, {}),
    ("GET", "/shop-admin/launch-your-store/survey-completed", FORBIDDEN, False, None),
    ("POST", "/shop-admin/launch-your-store/initialize-coming-soon", FORBIDDEN, False, {}),
    ("GET", "/shop-admin/blueprint/import-allowed", FORBIDDEN, False, None),
    ("GET", "/shop/v3/marketplace/featured", FORBIDDEN, False, None),
    ("POST", "/shop/v3/marketplace/refresh", FORBIDDEN, False, {}),
    ("GET", "/shop/v3/payments/accounts", FORBIDDEN, False, None),
    ("GET", "/shop/private/patterns", FORBIDDEN, False, None),
    ("POST", "/shop-telemetry/tracker", VIEW, False, {"platform": "ios", "version": "1"}),
]


def call(client: Client, method: str, path: str, body: object) -> tuple[int, str | None]:
    answer = client.ask(method, path, json=body)
    return answer.status, answer.code


@pytest.mark.parametrize(("method", "path", "code", "alone", "body"), ROUTES)
def test_everybody_else_is_refused_with_the_code_of_the_family(
    site: Stand, method: str, path: str, code: str, alone: bool, body: object
) -> None:
    assert call(site.client(), method, path, body) == (401, code)
    for login in ("customer", "editor"):
        assert call(site.client(login), method, path, body) == (403, code)
    status, told = call(site.client("shop_manager"), method, path, body)
    assert ((status, told) == (403, code)) is alone
    status, told = call(site.client("admin"), method, path, body)
    assert status < 500
    assert told != code


def test_parameters_are_looked_at_before_rights(anyone: Client) -> None:
    assert anyone.get("/shop-admin/marketing/recommendations").code == "rest_missing_callback_param"
    assert anyone.get("/shop-admin/onboarding/tasks?ids=nothing").code == "rest_invalid_param"
