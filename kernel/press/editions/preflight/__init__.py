"""Preflight: what a printer or shop would say of a finished file, read by other libraries than wrote ours."""
