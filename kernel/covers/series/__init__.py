"""Themes whose covers share a look: locking it, applying it to covers and taking that back, telling what drifts."""
