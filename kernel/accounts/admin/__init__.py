"""What administrators do with accounts, and how the first administrator is made."""
