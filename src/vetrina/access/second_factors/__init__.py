"""What proves an account beside its password: one-time codes and recovery codes."""
