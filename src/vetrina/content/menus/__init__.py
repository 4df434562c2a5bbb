"""Menus, their items, and the locations where they are shown."""
