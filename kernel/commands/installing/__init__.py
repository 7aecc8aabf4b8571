"""`coverwright plugins install` and `remove`: plugins in the data folder of a site that may be running."""

from kernel.commands.installing.install import install_plugin
from kernel.commands.installing.remove import remove_plugin

__all__ = ["install_plugin", "remove_plugin"]
