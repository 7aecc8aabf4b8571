"""The process this code runs in: its parent, and what Python itself costs it."""
