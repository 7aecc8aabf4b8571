"""Campaigns: emails to many people."""
