"""What a shop does with accounts: who registers is a customer, whose orders as a guest join the account."""

from __future__ import annotations

from typing import Final

from vetrina.core.account_part import AccountPart
from vetrina.shop.customers import joining, personal_data, rules as customers

ACCOUNT_PART: Final = AccountPart(
    role=customers.CUSTOMER_ROLE,
    take_up=joining.take_up_customer,
    join=joining.join_guest_orders,
    export=personal_data.export_shop_data,
    erase=personal_data.erase_shop_data,
)
