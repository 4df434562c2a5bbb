"""Templates and template parts: files of the theme, and the site owner's changes to them."""
