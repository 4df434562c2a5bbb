"""Blocks of shops, as contents and templates have them."""
