"""What the pages of cart and checkout say: their phrases, and what the visitors' interface refuses, for people.

The interface speaks to programs ("Send `payment_method`"); a shopper reads what to do instead.
"""

from __future__ import annotations

from typing import Final

from vetrina.core.phrases import Phrases
from vetrina.pages.shop.store_requests import StoreAnswer

PHRASES: Final = Phrases("vetrina.pages.shop.cart")
translate = PHRASES.translate


def explain_refusal(language: str, answer: StoreAnswer) -> str:
    """Return why the interface refused something, as a shopper may read it; its own sentence where that is one."""
    match answer.code:
        case "shop_rest_cart_empty":
            return translate(language, "Your cart is empty.")
        case "shop_rest_missing_attributes" | "shop_rest_missing_variation_data":
            return translate(language, "Choose every option first.")
        case "shop_rest_variation_id_from_variation_data" | "shop_rest_invalid_variation_data":
            return translate(language, "There is no such combination. Choose other options.")
        case "shop_rest_product_invalid_quantity" | "rest_invalid_type":
            return translate(language, "The quantity must be a whole number from 1.")
        case "shop_rest_invalid_shipping_option":
            return translate(language, "We cannot send this to the address. Choose another one, or write to us.")
        case "shop_rest_checkout_missing_payment_method" | "shop_rest_checkout_payment_method_disabled":
            return translate(language, "Choose a way to pay.")
        case "shop_rest_guest_checkout_disabled":
            return translate(language, "Sign in to order here.")
        case "registration-error-email-exists":
            return translate(language, "There is an account with this email address already. Sign in, or use another.")
        case "shop_rest_invalid_address":
            return translate(language, "An address is not complete.")
        case "invalid_order_update_status":
            return translate(language, "This order does not wait for a payment.")
        case "shop_rest_cart_invalid_key":
            return translate(language, "This product is not in your cart any more.")
        case "shop_rest_invalid_nonce" | "shop_rest_missing_nonce":
            return translate(language, "The page was open for too long. Try again.")
        case "rest_invalid_param":
            return translate(language, "Something is not right; see the fields below.")
    return answer.message
