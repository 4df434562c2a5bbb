"""Passwords chosen by people: how they are hashed, and how a lost one is replaced."""
