"""Strings: texts of the site that are not records, and their catalogs."""
