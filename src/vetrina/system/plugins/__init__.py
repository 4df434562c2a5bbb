"""The modules of the site, shown as plugins."""
