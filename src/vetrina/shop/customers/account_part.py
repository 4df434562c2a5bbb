"""What a shop does with accounts: who registers is a customer, whose orders as a guest join the account."""

from __future__ import annotations

from typing import Final

from vetrina.core.account_part import AccountPart
from vetrina.shop.customers import data_export, erasure, joining, rules as customers

ACCOUNT_PART: Final = AccountPart(
    role=customers.CUSTOMER_ROLE,
    take_up=joining.take_up_customer,
    join=joining.join_guest_orders,
    export=data_export.export_shop_data,
    erase=erasure.erase_shop_data,
)
