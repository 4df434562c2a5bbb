"""The rules of stored data, looked through in the background, and what that found."""
