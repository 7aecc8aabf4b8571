"""The kernel: covers, themes, plans, money, mail and administration. It knows no vendor by name."""

__version__ = "0.1.0"
