"""What people see in a browser: public pages, feeds, signing in, and a few pages of the shop."""
