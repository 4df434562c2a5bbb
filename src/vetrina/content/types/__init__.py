"""Content types, taxonomies and statuses."""
