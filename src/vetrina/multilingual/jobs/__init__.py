"""Translation jobs: their states, lists, mails, and who translates."""
