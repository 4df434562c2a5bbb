"""All integrity rules of stored data, in the order in which they are checked."""

from __future__ import annotations

from vetrina.analytics.facts import checks as fact_checks
from vetrina.connector.connection import checks as connection_checks
from vetrina.content.custom_fields import checks as custom_field_checks, list_checks as custom_field_list_checks
from vetrina.content.records import checks as record_checks
from vetrina.core.integrity import background_checks, storage_checks
from vetrina.core.integrity.rule import IntegrityRule
from vetrina.media.uploads import checks as upload_checks
from vetrina.multilingual.jobs import checks as job_checks
from vetrina.shop.orders import checks as order_checks
from vetrina.shop.products import checks as product_checks
from vetrina.system import access_checks

RULES: tuple[IntegrityRule, ...] = (
    *storage_checks.RULES,
    *access_checks.RULES,
    *record_checks.RULES,
    *custom_field_checks.RULES,
    *custom_field_list_checks.RULES,
    *upload_checks.RULES,
    *background_checks.RULES,
    *product_checks.RULES,
    *order_checks.RULES,
    *fact_checks.RULES,
    *job_checks.RULES,
    *connection_checks.RULES,
)
_BY_NAME = {one.name: one for one in RULES}
assert len(_BY_NAME) == len(RULES), "each rule has a name of its own"


def find_rule(name: str) -> IntegrityRule | None:
    """Return the rule of a name, None where there is none."""
    return _BY_NAME.get(name)
