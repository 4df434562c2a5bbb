"""Tokens of front ends: signed access tokens, refresh tokens, what they are limited to, and the keys that sign them."""
