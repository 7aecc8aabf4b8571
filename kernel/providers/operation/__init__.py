"""How calls to providers go: health, cost, budgets, notices and vendors' webhooks."""
