"""`coverwright plugins check`: the conformance kit of an installed plugin, against a stand-in or the real vendor."""

from kernel.commands.checking.check import CheckOptions, check_plugin

__all__ = ["CheckOptions", "check_plugin"]
