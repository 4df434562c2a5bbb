"""The shop: catalogue, orders, customers, cart, checkout, payments, mails, administration."""
