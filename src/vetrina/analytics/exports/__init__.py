"""Reports as CSV files."""
