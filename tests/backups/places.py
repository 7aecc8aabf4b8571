"""Empty places into which backups are restored, and what is in them afterwards."""

import asyncio
import os
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from kernel.backups.contents.table_files import DumpRows, dump, lines
from kernel.core.config import load_config
from kernel.core.data.database import open_database
from tests.product import Product
from tests.support.applications import described
from tests.support.databases import Databases
from tests.support.forked_commands import commands


class Place:
    """A data folder and a database with nothing in them, with the plugins of a product."""

    def __init__(
        self, product: Product, folder: Path, databases: Databases, backend: str, env: Mapping[str, str] | None = None
    ) -> None:
        self.product = product
        self.data = folder / "data"
        self.data.mkdir(parents=True)
        address = {"COVERWRIGHT_DATA": str(self.data), "COVERWRIGHT_DATABASE_URL": databases.empty(backend)}
        self.env = product.env | address | (env or {})

    def bring_key(self) -> None:
        """Do what an operator does: the key comes another way than the backup."""
        shutil.copy(self.product.data / "secret.key", self.data)

    def command(self, *words: str, **env: str) -> "subprocess.CompletedProcess[str]":
        """Run a command here, in a process of its own."""
        return command(self.env | env, *words)


def command(env: Mapping[str, str], *words: str) -> "subprocess.CompletedProcess[str]":
    """Run a `coverwright` command in a process of its own."""
    return commands().run(*words, env=env, timeout=240)


def contents(env: Mapping[str, str], folder: Path) -> dict[str, list[list[Any]]]:
    """Return all rows of a place's database, in the order of their keys."""
    described()  # every table is known then

    async def read() -> dict[str, list[list[Any]]]:
        database = open_database(load_config(env))
        try:
            async with database.snapshot() as connection:
                await dump(connection, folder / "contents", revision="-")
        finally:
            await database.aclose()
        rows = dict[str, list[list[Any]]]()
        for line in lines(folder / "contents"):
            if isinstance(line, DumpRows):
                rows.setdefault(line.table, []).extend(line.rows)
        return {table: sorted(found, key=repr) for table, found in rows.items()}

    return asyncio.run(read())


def files(place: Path) -> list[Path]:
    """Return all files of a place of backups."""
    return [Path(folder) / name for folder, _, names in os.walk(place) for name in names]
