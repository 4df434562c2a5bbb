"""Authentication of requests, and rate limits on guesses at secrets."""
