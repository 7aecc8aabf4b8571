"""E-mail into files that an administrator can read."""
