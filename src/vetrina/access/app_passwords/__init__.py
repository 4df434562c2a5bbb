"""Application passwords: random keys by which a program acts as an account."""
