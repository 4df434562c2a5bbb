"""The public pages of a shop."""
