"""The appearance of a site: themes, templates, styles, fonts, widgets, patterns."""
