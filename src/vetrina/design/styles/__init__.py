"""Global styles: the theme's, its variations, and the site owner's."""
