"""The proof that somebody knows an account's own password: at signing in, and once more before something important."""
