"""`coverwright admin`: manages administrators from the shell."""

import sys

from kernel.accounts.admin.admins import create_admin, promote, reset_password
from kernel.core.config import Config
from kernel.core.errors import AppError
from kernel.migrations.upgrade import migrate
from kernel.runtime import open_runtime


async def administer(config: Config, action: str, email: str, password: str) -> int:
    """Create, promote or reset; return the exit code."""
    await migrate(config)
    async with open_runtime(config) as runtime:
        try:
            match action:
                case "create":
                    await create_admin(runtime.database, runtime.providers.registry, email, password)
                case "promote":
                    await promote(runtime.database, email)
                case _:
                    await reset_password(runtime.database, runtime.providers.registry, email, password)
        except AppError as error:
            print("; ".join(map(str, error.fields.values())) or error.message, file=sys.stderr)
            return 1
    print("Done.")
    return 0
