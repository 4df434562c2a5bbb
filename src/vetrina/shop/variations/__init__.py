"""Variations of products."""
