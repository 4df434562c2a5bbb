"""The tables of all modules, to make, move or compare a whole database.

A server imports the tables of the modules that its site has, not this file.
"""

from __future__ import annotations

from vetrina.backends.tables import (
    accounts as account_tables,
    analytics as analytics_tables,
    audit as audit_tables,
    carts as carts_tables,
    catalogue as catalogue_tables,
    change_log as change_log_tables,
    comments as comment_tables,
    connector as connector_tables,
    feeds as feeds_tables,
    fields as fields_tables,
    glossary as glossary_tables,
    jobs as job_tables,
    last_commit as last_commit_tables,
    multilingual as multilingual_tables,
    options as option_tables,
    orders as orders_tables,
    payments as payments_tables,
    records as record_tables,
    redirects as redirects_tables,
    registration as registration_tables,
    roles as roles_tables,
    rollups as rollups_tables,
    second_factors as second_factors_tables,
    sessions as session_tables,
    single_sign_on as single_sign_on_tables,
    strings as strings_tables,
    taxes_shipping,
    terms as term_tables,
    tokens as tokens_tables,
    transfer as transfer_tables,
    webhooks as webhooks_tables,
)
from vetrina.backends.tables.metadata import METADATA

__all__ = ["METADATA"]

# Importing the module registers its tables in METADATA.
for _module in (
    account_tables,
    change_log_tables,
    comment_tables,
    job_tables,
    option_tables,
    record_tables,
    session_tables,
    term_tables,
    audit_tables,
    carts_tables,
    catalogue_tables,
    connector_tables,
    analytics_tables,
    feeds_tables,
    fields_tables,
    glossary_tables,
    last_commit_tables,
    webhooks_tables,
    multilingual_tables,
    orders_tables,
    payments_tables,
    redirects_tables,
    single_sign_on_tables,
    registration_tables,
    second_factors_tables,
    roles_tables,
    rollups_tables,
    taxes_shipping,
    transfer_tables,
    strings_tables,
    tokens_tables,
):
    assert _module.METADATA is METADATA
