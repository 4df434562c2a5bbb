"""Authentication and authorization: accounts, roles, sign-in, sessions, application passwords."""
