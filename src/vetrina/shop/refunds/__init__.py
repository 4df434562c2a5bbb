"""Refunds of orders."""
