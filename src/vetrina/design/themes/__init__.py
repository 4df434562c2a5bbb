"""Themes: reading, installing, activating and exporting them."""
