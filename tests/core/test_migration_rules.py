"""What migrations may do while the release before runs: see kernel/migrations/README.md."""

import asyncio
import re
from collections import defaultdict
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

import pytest
from alembic import command
from alembic.script import ScriptDirectory
from alembic.script.revision import Revision
from sqlalchemy import Connection, event
from sqlalchemy.ext.asyncio import create_async_engine

from kernel.core.config import load_config
from kernel.migrations.gate import is_for
from kernel.migrations.quick_check import VERSIONS, known_revisions
from kernel.migrations.upgrade import FOLDER, alembic_config
from tests.support.databases import BACKENDS, Databases

BEFORE_THE_RULES: Final = "0036"
"""No release runs with an older schema: these revisions did as they liked."""

MADE: Final = re.compile(r'CREATE (?:VIRTUAL )?TABLE (?:IF NOT EXISTS )?"?(\w+)', re.I)
HARMFUL: Final = {
    "changes a column's type": re.compile(r'ALTER TABLE "?(\w+)"? ALTER COLUMN \S+ (?:SET DATA )?TYPE', re.I),
    "requires a column of all rows": re.compile(r'ALTER TABLE "?(\w+)"? ALTER COLUMN \S+ SET NOT NULL', re.I),
    "checks all rows under a lock": re.compile(
        r'ALTER TABLE "?(\w+)"? ADD (?:CONSTRAINT|CHECK|FOREIGN)(?!.*NOT VALID)', re.I | re.S
    ),
    "builds an index under a lock": re.compile(r'CREATE (?:UNIQUE )?INDEX (?!CONCURRENTLY).*? ON "?(\w+)', re.I | re.S),
    "rewrites rows": re.compile(r'(?:UPDATE|DELETE FROM) "?(?!alembic_version)(\w+)', re.I),
    "copies the table": re.compile(r'INSERT INTO "?_alembic_tmp_(\w+)', re.I),
    "drops or renames": re.compile(r'(?:DROP TABLE|ALTER TABLE "?\w+"? (?:DROP COLUMN|RENAME)) "?(\w+)', re.I),
}


def findings(statements: list[str]) -> list[str]:
    """Return what the statements of one revision do to tables that they do not make themselves."""
    made = {table for statement in statements for table in MADE.findall(statement)}
    return [
        f"{what}: {match[1]}"
        for statement in statements
        for what, pattern in HARMFUL.items()
        if (match := pattern.match(statement.strip())) and match[1] not in made
    ]


async def sent(address: str, folder: Path) -> dict[str, list[str]]:
    """Migrate an empty database revision by revision; return what each has sent."""
    config = load_config({"COVERWRIGHT_DATA": str(folder), "COVERWRIGHT_DATABASE_URL": address})
    engine = create_async_engine(config.database_url)
    found = defaultdict[str, list[str]](list)

    def upgrade(connection: Connection) -> None:
        now = [""]

        def listen(_connection: Any, _cursor: Any, statement: str, *_: Any) -> None:
            found[now[0]].append(statement)

        event.listen(connection, "before_cursor_execute", listen)
        settings = alembic_config()
        settings.attributes["connection"] = connection
        for revision in known_revisions():
            now[0] = revision
            command.upgrade(settings, revision)

    try:
        async with engine.connect() as connection:
            await connection.run_sync(upgrade)
    finally:
        await engine.dispose()
    return found


@pytest.mark.parametrize("backend", BACKENDS)
def test_no_new_migration_locks_or_rewrites_a_table_that_has_rows(
    backend: str, databases: Databases, tmp_path: Path
) -> None:
    found = asyncio.run(sent(databases.empty(backend), tmp_path))
    assert set(found) == set(known_revisions())
    assert findings(found["0007"]), "the one that once rewrote all covers is found"
    for revision, statements in found.items():
        text = next(VERSIONS.glob(f"{revision}_*.py")).read_text()
        excused = re.findall(r"# short: \S.+", text)
        assert revision <= BEFORE_THE_RULES or len(findings(statements)) <= len(excused), findings(statements)
        if "." in revision:
            assert not [one for one in findings(statements) if one.startswith("drops")], revision


@pytest.mark.parametrize(
    ("statement", "what"),
    [
        ("ALTER TABLE cover ALTER COLUMN title TYPE TEXT", "changes a column's type: cover"),
        ('ALTER TABLE "user" ALTER COLUMN email SET NOT NULL', "requires a column of all rows: user"),
        ("ALTER TABLE cover ADD CONSTRAINT a CHECK (b > 0)", "checks all rows under a lock: cover"),
        ("ALTER TABLE cover ADD CONSTRAINT a CHECK (b > 0) NOT VALID", ""),
        ("CREATE INDEX a ON cover (b)", "builds an index under a lock: cover"),
        ("CREATE INDEX CONCURRENTLY a ON cover (b)", ""),
        ("CREATE INDEX a ON fresh (b)", ""),
        ("UPDATE cover SET title = ''", "rewrites rows: cover"),
        ("UPDATE alembic_version SET version_num='0040'", ""),
        ("INSERT INTO _alembic_tmp_cover SELECT * FROM cover", "copies the table: cover"),
        ("ALTER TABLE cover DROP COLUMN title", "drops or renames: title"),
        ("ALTER TABLE cover ADD COLUMN mood VARCHAR", ""),
    ],
)
def test_what_does_harm_is_told_from_what_does_none(statement: str, what: str) -> None:
    assert findings(["CREATE TABLE fresh (b INTEGER)", statement]) == ([what] if what else [])


def test_ids_tell_which_programs_still_work() -> None:
    revisions = known_revisions()
    script = ScriptDirectory(str(FOLDER))
    assert script.get_current_head() == revisions[-1]
    for before, revision in pairwise(revisions):
        entry = script.get_revision(revision)
        assert entry is not None and entry.down_revision == before, "a file's name begins with its revision"
        number, _, oldest = revision.partition(".")
        assert re.fullmatch(r"\d{4}", number) and (not oldest or re.fullmatch(r"\d{4}", oldest)), revision
        if oldest:
            floor = before.partition(".")
            assert (floor[2] or floor[0]) <= oldest <= floor[0], "who did not fit before does not fit now"
    assert Revision("0040.0038", "0039").revision == "0040.0038", "Alembic takes such an id"
    assert is_for("0040.0038", "0038") and is_for("0040.0038", "0039.0036")
    assert not is_for("0040.0038", "0037") and not is_for("0040", "0039")
