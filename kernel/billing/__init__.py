"""Billing: prices, customers, subscriptions and their sync with the payment provider."""
