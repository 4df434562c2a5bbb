"""Widgets, their types, and the sidebars that hold them."""
