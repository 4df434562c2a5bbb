"""The administration of the shop (`shop-admin`), one module per subject; resources.py lists them."""
