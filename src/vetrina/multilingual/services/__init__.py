"""Translation services: the local one, the remote editor, agencies, and the account with them."""
