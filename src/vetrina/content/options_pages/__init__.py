"""Options pages: values that a site has once, which its profile declares."""
