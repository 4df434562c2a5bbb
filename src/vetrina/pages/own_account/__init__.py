"""The site's own pages of accounts: registering, and what the links in mails lead to."""
