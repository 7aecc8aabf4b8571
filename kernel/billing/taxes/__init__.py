"""Billing details of buyers, and the taxes that vendors compute from them."""
