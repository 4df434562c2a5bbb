"""Attributes that products share, such as color or size."""
