"""Preflight of files that somebody brings: what a printer or shop would say of them. Nothing of them is kept."""
