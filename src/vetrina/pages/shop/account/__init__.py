"""The pages of a customer's account."""

from __future__ import annotations

from typing import Final

from vetrina.pages.forms import PageForm
from vetrina.pages.page_features import PageFeatures
from vetrina.pages.shop.account.account_link import render_account_link, render_shop_sign_in
from vetrina.pages.shop.account.account_page import (
    BLOCK_MARKUP,
    find_account_part,
    render_account_block,
    replace_empty_content,
)
from vetrina.pages.shop.account.account_requests import merge_visitor_cart
from vetrina.pages.shop.account.address_forms import ADDRESS_FORM, handle_address_form
from vetrina.pages.shop.account.details_form import DETAILS_FORM, handle_details_form
from vetrina.pages.shop.account.order_forms import handle_again_form, handle_cancel_form
from vetrina.pages.shop.account.order_pages import AGAIN_FORM, CANCEL_FORM
from vetrina.pages.shop.account.password_forms import LOST_FORM, NEW_FORM, handle_lost_form, handle_new_form
from vetrina.pages.shop.account.registration_form import REGISTRATION_FORM, handle_registration_form
from vetrina.pages.shop.account.sign_out_form import SIGN_OUT_FORM, handle_sign_out_form
from vetrina.pages.shop.account.texts import PHRASES

FEATURES: Final = PageFeatures(
    forms={
        REGISTRATION_FORM: PageForm(handle_registration_form),
        LOST_FORM: PageForm(handle_lost_form),
        NEW_FORM: PageForm(handle_new_form),
        SIGN_OUT_FORM: PageForm(handle_sign_out_form),
        DETAILS_FORM: PageForm(handle_details_form),
        ADDRESS_FORM: PageForm(handle_address_form),
        CANCEL_FORM: PageForm(handle_cancel_form),
        AGAIN_FORM: PageForm(handle_again_form),
    },
    blocks={
        "shop/my-account": render_account_block,
        "shop/customer-account": render_account_link,
        "core/loginout": render_shop_sign_in,
    },
    notices={
        "account-made": "Your account is ready, and you are signed in.",
        "account-ready": "Your account is ready. You can sign in.",
        "check-mail": "A mail is on its way to the address. It says how to go on.",
        "link-sent": "If there is such an account, a mail with a link is on its way to its address.",
        "password-saved": "Your new password is saved.",
        "signed-out": "You are signed out.",
        "details-saved": "Your details are saved.",
        "email-asked": "Your details are saved. The new address counts when it and the old one have agreed by mail.",
        "address-saved": "The address is saved.",
        "order-cancelled": "The order is cancelled.",
        "ordered-again": "The order is in your cart again.",
        "partly-ordered-again": "What can still be bought of the order is in your cart.",
    },
    phrases=PHRASES,
    find_page=find_account_part,
    shortcodes={"*_my_account": lambda work, given: BLOCK_MARKUP},
    replace_content=replace_empty_content,
    after_sign_in=merge_visitor_cart,
)
