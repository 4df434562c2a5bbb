"""The test site of the second profile, as in the shop's own tests."""

from __future__ import annotations

from shop.conftest import customer, manager, prepared_postgres_shop, prepared_shop, site

__all__ = ["customer", "manager", "prepared_postgres_shop", "prepared_shop", "site"]
