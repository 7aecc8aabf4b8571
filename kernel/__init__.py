"""The kernel: covers, themes, plans, money, mail and administration. It knows no vendor by name."""

from kernel import spi_alias

__version__ = "0.1.0"

spi_alias.install()
