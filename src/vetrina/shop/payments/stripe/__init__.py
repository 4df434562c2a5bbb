"""Stripe as a payment gateway."""
