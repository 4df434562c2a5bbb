"""The site as a whole: root index, batches, health, abilities, plugins, setup, checks and background jobs."""
