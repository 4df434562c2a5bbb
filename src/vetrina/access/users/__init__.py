"""Accounts: reading, listing, creating, updating and deleting them."""
