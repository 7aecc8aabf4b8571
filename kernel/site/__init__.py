"""The site itself: its name and its stored settings."""
