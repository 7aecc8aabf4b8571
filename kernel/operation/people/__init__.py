"""One action of an administrator for many users."""
