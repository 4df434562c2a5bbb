"""An import that an administrator starts from a browser, and that runs in the background."""
