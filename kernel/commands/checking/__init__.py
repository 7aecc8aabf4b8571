"""`coverwright plugins check`: the conformance kit of an installed plugin, against a stand-in or the real vendor."""

from kernel.commands.checking.check import check_plugin
from kernel.commands.checking.options import CheckOptions

__all__ = ["CheckOptions", "check_plugin"]
