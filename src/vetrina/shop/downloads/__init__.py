"""Downloads of ordered files."""
