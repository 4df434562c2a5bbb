"""The texts of records, terms, strings and menu items that are translated, read into jobs and written back."""
