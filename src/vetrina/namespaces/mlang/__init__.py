"""The rooms of the multilingual layer: configuration, jobs, files, and the ways to other services."""
