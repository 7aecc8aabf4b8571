"""`coverwright admin`: manages administrators from the shell."""

import sys

from kernel.accounts.admin.admins import create_admin, promote, remove_second_factors, reset_password
from kernel.accounts.second_factor.policy import switch_off
from kernel.core.config import Config
from kernel.core.errors import AppError
from kernel.migrations.upgrade import migrate
from kernel.runtime import open_runtime


async def administer(config: Config, action: str, email: str, password: str) -> int:
    """Do one of the command's actions; return the exit code."""
    await migrate(config)
    async with open_runtime(config) as runtime:
        try:
            match action:
                case "create":
                    await create_admin(runtime.database, runtime.providers.registry, email, password)
                case "promote":
                    await promote(runtime.database, email)
                case "remove-second-factors":
                    await remove_second_factors(runtime.database, email)
                case "optional-second-factor":
                    await switch_off(runtime.database, "admins_need_second_factor")
                case "allow-passwords":
                    await switch_off(runtime.database, "admins_only_issuer")
                case _:
                    await reset_password(runtime.database, runtime.providers.registry, email, password)
        except AppError as error:
            print("; ".join(map(str, error.fields.values())) or error.message, file=sys.stderr)
            return 1
    print("Done.")
    return 0
