"""The databases that tests of state run on: both, always."""

from typing import Final

from tests.support.postgres import PostgresServer as PostgresServer

BACKENDS: Final = ("sqlite", "postgresql")
