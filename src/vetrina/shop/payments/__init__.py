"""Payments: gateways, attempts, disputes, and what gateways report."""
