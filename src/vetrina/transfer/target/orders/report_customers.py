"""Customers of the reports on their way in, before their orders: each keeps the id that links and filters name."""

from __future__ import annotations

from typing import Final

from vetrina.analytics.facts.moved_customers import place_customer
from vetrina.transfer.target.incoming_record import IncomingRecord
from vetrina.transfer.target.journal import USER
from vetrina.transfer.target.member_values import read_moment, read_text
from vetrina.transfer.target.outcome import Written

REPORT_CUSTOMERS: Final = "/shop-analytics/reports/customers"
_PROFILE: Final = ("username", "first_name", "last_name", "email", "country", "state", "city", "postcode")


def write_report_customer(one: IncomingRecord) -> Written:
    """Give a customer of the reports its id, where ids are kept; elsewhere its orders make it."""
    if not one.keep_ids or not one.own_id:
        return Written(0, adopted=True)
    account = one.resolve(USER, one.values.get("user_id"), "user_id")
    if one.values.get("user_id") and not account:
        return Written(0, adopted=True)
    profile = {name: read_text(one.values.get(name)) for name in _PROFILE}
    if "first_name" not in one.values:
        profile["first_name"] = read_text(one.values.get("name"))
    return Written(place_customer(one.work, one.own_id, account, profile, read_moment(one, "date_last_active")))
