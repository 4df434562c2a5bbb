"""The marketplace of extensions, and the site's account there."""
