"""All integrity rules of stored data, in the order in which they are checked."""

from __future__ import annotations

from vetrina.analytics.facts import integrity_rules as fact_integrity
from vetrina.connector.connection import integrity_rules as connection_integrity
from vetrina.content.custom_fields import (
    integrity_rules as custom_field_integrity,
    list_integrity_rules as list_field_integrity,
)
from vetrina.content.records import integrity_rules as record_integrity
from vetrina.core.integrity import background_checks, storage_checks
from vetrina.core.integrity.rule import IntegrityRule
from vetrina.media.uploads import integrity_rules as upload_integrity
from vetrina.multilingual.jobs import integrity_rules as job_integrity
from vetrina.shop.orders import integrity_rules as order_integrity
from vetrina.shop.products import integrity_rules as product_integrity
from vetrina.system import access_checks

RULES: tuple[IntegrityRule, ...] = (
    *storage_checks.RULES,
    *access_checks.RULES,
    *record_integrity.RULES,
    *custom_field_integrity.RULES,
    *list_field_integrity.RULES,
    *upload_integrity.RULES,
    *background_checks.RULES,
    *product_integrity.RULES,
    *order_integrity.RULES,
    *fact_integrity.RULES,
    *job_integrity.RULES,
    *connection_integrity.RULES,
)
_BY_NAME = {one.name: one for one in RULES}
assert len(_BY_NAME) == len(RULES), "each rule has a name of its own"


def find_rule(name: str) -> IntegrityRule | None:
    """Return the rule of a name, None where there is none."""
    return _BY_NAME.get(name)
