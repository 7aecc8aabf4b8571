"""Subscriptions: what users do with them, and how they are synced with the vendor."""
