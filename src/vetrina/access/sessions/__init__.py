"""Sessions of users who signed in on the site's own pages."""
