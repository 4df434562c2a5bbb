"""Coupons: storage, validation and discounts."""
