"""Pictures as they are so far, while they are made."""
