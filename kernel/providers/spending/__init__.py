"""Budgets and what was spent against them."""
