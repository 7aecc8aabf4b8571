"""The history of generations."""
