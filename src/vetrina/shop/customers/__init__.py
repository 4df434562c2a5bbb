"""Customers: accounts with addresses, and how long their data is kept."""
