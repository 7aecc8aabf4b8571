"""Tries in a process of its own which plugins load."""

import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from typing import Final

import msgspec

from kernel.commands.installing.refused import PluginRefused

TRIAL_LIMIT_S: Final = 300
COMMAND: Final = (
    "import os, sys; sys.path += filter(None, sys.argv.pop(1).split(os.pathsep)); "
    "from kernel.cli import console; console()"
)
"""The product's command as it would be with more folders of plugins: behind its own, as after an installation."""


class TriedPlugin(msgspec.Struct, frozen=True):
    """What became of a plugin."""

    name: str
    distribution: str
    state: str
    reason: str
    providers: list[str]


def try_plugins(env: Mapping[str, str], more: Sequence[str] = ()) -> list[TriedPlugin]:
    """Load all plugins, with those in `more` folders, as a process would that starts now. Raises PluginRefused."""
    ran = subprocess.run(
        [sys.executable, "-P", "-c", COMMAND, os.pathsep.join(more), "plugins", "list", "--json"],
        env=dict(env),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=TRIAL_LIMIT_S,
        check=False,
    )
    try:
        return msgspec.json.decode(ran.stdout, type=list[TriedPlugin])
    except msgspec.MsgspecError as error:
        last = (ran.stderr.strip().splitlines() or ["it said nothing"])[-1]
        raise PluginRefused(f"no plugin loads: {last}") from error


def new_faults(known: Sequence[str]) -> str:
    """Return which plugins would not load in a process that starts now, other than those known; or nothing."""
    try:
        tried = try_plugins(os.environ)
    except (PluginRefused, subprocess.TimeoutExpired) as error:
        return str(error)
    faults = [
        f"plugin {one.name} of {one.distribution} does not load: {one.reason}"
        for one in tried
        if one.state in ("broken", "incompatible") and one.name not in known
    ]
    return "; ".join(faults)
