"""Passkeys: keys of a device, by which somebody signs in without a password."""
