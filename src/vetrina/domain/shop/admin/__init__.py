"""The administration of a shop: how an owner brings it from nothing to an open shop, and what goes with it later.

Not here: what a shop is (the rooms above), the routes (namespaces/shop_admin).
"""
