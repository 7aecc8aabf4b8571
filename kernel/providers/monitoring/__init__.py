"""Monitoring of providers: health, usage, budgets, notices."""
