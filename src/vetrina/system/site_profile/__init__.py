"""The profile of a site as it is in force, and what a changed one would change."""
