"""The site's own fields of records, terms, users and options pages, which its profile declares."""
