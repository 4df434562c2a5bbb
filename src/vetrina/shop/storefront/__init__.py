"""The storefront interface for visitors: products, cart, checkout, orders."""
