"""The stand-in of the second deployment, as the shop's own tests have it."""

from __future__ import annotations

from shop.conftest import customer, manager, prepared_postgres_shop, prepared_shop, site

__all__ = ["customer", "manager", "prepared_postgres_shop", "prepared_shop", "site"]
