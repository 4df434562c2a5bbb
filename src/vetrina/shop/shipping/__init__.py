"""Shipping: zones, methods and classes."""
