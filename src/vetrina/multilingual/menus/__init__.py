"""Menus synchronized across languages."""
