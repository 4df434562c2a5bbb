"""Sign-in by accounts that people have elsewhere, over OpenID Connect."""
