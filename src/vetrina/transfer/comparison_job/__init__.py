"""A comparison of this site with another that an administrator starts from a browser, in the background."""
