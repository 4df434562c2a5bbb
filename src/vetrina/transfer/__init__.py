"""Moving sites: import from an address, a folder or an export file, export, and the comparison of two sites."""
