"""Block patterns of themes and packages."""
