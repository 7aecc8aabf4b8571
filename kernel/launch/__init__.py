"""`coverwright run`: one process that starts, watches and ends all others."""

from kernel.launch.children import Child, program
from kernel.launch.errors import LaunchError
from kernel.launch.fork_server import Programs
from kernel.launch.launcher import run

__all__ = ["Child", "LaunchError", "Programs", "program", "run"]
