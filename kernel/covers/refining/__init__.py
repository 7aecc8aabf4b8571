"""Refining finished covers: the line of their pictures, and changing the newest with words."""
