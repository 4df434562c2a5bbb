"""The administration of the shop: `shop-admin`, a module a subject; rooms.py lists them."""
