"""Translation: jobs, services, files that translators work on, strings, configuration."""
