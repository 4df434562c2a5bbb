"""Mails about accounts: a link that proves an address, what was asked for, what was done."""
