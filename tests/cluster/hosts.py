"""Hosts of one machine: each has a network namespace, a name, an address, a data folder and a control group of its own.

A run takes a free number; bridge, namespaces, groups and addresses carry it, and what a killed run left under it is
removed first. Processes end with the run, also when it is killed.
"""

import fcntl
import os
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Final, TextIO

from tests.cluster import cgroups
from tests.support.processes import wait_until

PREFIX: Final = "cwc"
"""Begins the names of everything that is made here. An interface's name has 15 characters at most."""
NUMBERS: Final = range(16)
FIRST_HOST: Final = 10
NEEDED: Final = ("ip", "tc", "setpriv", "unshare")


def trouble() -> str:
    """Return why there can be no hosts on this machine, or ''."""
    if os.uname().sysname != "Linux" or os.getuid() != 0:
        return "namespaces need Linux and root"
    if missing := [program for program in NEEDED if not shutil.which(program)]:
        return f"{', '.join(missing)} not installed"
    try:
        network = Network()
    except (OSError, subprocess.CalledProcessError) as error:
        return f"namespaces are not allowed here: {getattr(error, 'stderr', '') or error}".strip()
    network.close()
    return cgroups.trouble()


def run(*words: str) -> None:
    """Run a program. Raises CalledProcessError with what it says."""
    subprocess.run(words, check=True, capture_output=True, text=True)


class Network:
    """A switch in the tests' own namespace, so that they reach every host, and the hosts that are plugged into it."""

    def __init__(self, numbers: Iterable[int] = NUMBERS) -> None:
        self._lock = _free_number(numbers)
        self.number = int(Path(self._lock.name).suffix[1:])
        self._top = f"{PREFIX}{self.number}"
        self.hosts: list[Host] = []
        self._remove_remains()
        self.folder = Path(tempfile.mkdtemp(prefix=f"{self._top}-", dir="/tmp"))
        self.folder.chmod(0o711)  # PostgreSQL is another user
        self.address = self._address(1)
        run("ip", "link", "add", self._top, "type", "bridge")
        run("ip", "address", "add", f"{self.address}/24", "dev", self._top)
        run("ip", "link", "set", self._top, "up")

    def _address(self, number: int) -> str:
        return f"10.213.{self.number}.{number}"

    def host(self, name: str) -> "Host":
        """Plug in another host."""
        host = Host(self._top, name, len(self.hosts), self._address(FIRST_HOST + len(self.hosts)), self.folder)
        self.hosts.append(host)
        return host

    def close(self) -> None:
        """End and remove everything."""
        for host in self.hosts:
            host.end()
        self._remove_remains()
        self._lock.close()

    def forget(self) -> None:
        """Leave everything as it is, as if this run had been killed: the next one may take its number."""
        self._lock.close()

    def _remove_remains(self) -> None:
        cgroups.remove_all(self._top)
        for name in subprocess.run(["ip", "netns", "list"], capture_output=True, text=True).stdout.split():
            if name.startswith(f"{self._top}-"):
                run("ip", "netns", "delete", name)
        for link in Path("/sys/class/net").glob(f"{self._top}v*"):
            with suppress(subprocess.CalledProcessError):  # it goes with its namespace
                run("ip", "link", "delete", link.name)
        if Path("/sys/class/net", self._top).exists():
            run("ip", "link", "delete", self._top)
        for folder in Path("/tmp").glob(f"{self._top}-*"):
            shutil.rmtree(folder, ignore_errors=True)


def _free_number(numbers: Iterable[int]) -> TextIO:
    """Return the locked file of a number that no other run uses; its suffix is the number."""
    for number in numbers:
        file = Path(tempfile.gettempdir(), f"coverwright-cluster.{number}").open("w")  # noqa: SIM115
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            file.close()
            continue
        return file
    raise OSError("too many clusters at a time")


class Host:
    """One host."""

    def __init__(self, top: str, name: str, number: int, address: str, folder: Path) -> None:
        self.name, self.address = name, address
        self.data = folder / name
        self.data.mkdir()
        self.log = folder / f"{name}.log"
        self.group = cgroups.ControlGroup(top, name)
        self._space, self._plug = f"{top}-{name}", f"{top}v{number}"
        self._processes: list[subprocess.Popen[bytes]] = []
        run("ip", "netns", "add", self._space)
        run("ip", "link", "add", self._plug, "type", "veth", "peer", "name", "eth0", "netns", self._space)
        run("ip", "link", "set", self._plug, "master", top, "up")
        for words in (
            ("address", "add", f"{address}/24", "dev", "eth0"),
            ("link", "set", "eth0", "up"),
            ("link", "set", "lo", "up"),
        ):
            self._ip(*words)

    def _ip(self, *words: str) -> None:
        run("ip", "-n", self._space, *words)

    def start(
        self, *argv: str, env: Mapping[str, str] | None = None, cwd: Path | None = None, user: str = ""
    ) -> "subprocess.Popen[bytes]":
        """Start a program on the host; its output goes into the host's log."""
        enter = (
            'name=$1; shift; while [ "$1" != -- ]; do echo $$ > "$1"; shift; done; shift; hostname "$name"; exec "$@"'
        )
        groups = [str(folder / "cgroup.procs") for folder in self.group.folders]
        other = ["--reuid", user, "--regid", user, "--clear-groups"] if user else []
        with self.log.open("ab") as log:
            process = subprocess.Popen(
                [
                    *("unshare", "--uts", "sh", "-c", enter, "sh", self.name, *groups, "--"),
                    *("ip", "netns", "exec", self._space, "setpriv", *other, "--pdeathsig", "KILL", *argv),
                ],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                env=dict(env) if env is not None else None,
                cwd=cwd or "/",
                start_new_session=True,
            )
        self._processes.append(process)
        return process

    @property
    def newest_pid(self) -> int:
        """Process id of what was started last."""
        return self._processes[-1].pid

    def stop(self, number: int = signal.SIGTERM, within_s: float = 30.0) -> None:
        """Ask what was started here to end, and wait for it. Raises TimeoutError."""
        for process in self._processes:
            if process.poll() is None:
                process.send_signal(number)
        try:
            wait_until(lambda: self._ended() and not list(self.group.pids()), f"end of {self.name}", within_s)
        finally:
            self.group.kill()
            self._ended()

    def _ended(self) -> bool:
        self._processes = [process for process in self._processes if process.poll() is None]
        return not self._processes

    def lose_power(self) -> None:
        """End like a host without power: nobody is told, not even by the end of a connection."""
        self.unplug()
        self.group.kill()
        wait_until(self._ended, f"end of {self.name}")

    def unplug(self) -> None:
        """Cut the host off from all others."""
        run("ip", "link", "set", self._plug, "down")

    def plug_in(self) -> None:
        """Join it again."""
        run("ip", "link", "set", self._plug, "up")

    def ignore(self, other: "Host") -> None:
        """Let nothing pass to another host: its questions come in, and no word goes back."""
        self._ip("route", "add", "blackhole", f"{other.address}/32")

    def heed(self, other: "Host") -> None:
        """Let everything pass again."""
        self._ip("route", "delete", "blackhole", f"{other.address}/32")

    def slow_down(self, rate: str) -> None:
        """Let the link carry this much in each direction, such as `256kbit`."""
        shape = ("root", "tbf", "rate", rate, "burst", "8kb", "latency", "400ms")
        run("tc", "qdisc", "replace", "dev", self._plug, *shape)
        run("tc", "-n", self._space, "qdisc", "replace", "dev", "eth0", *shape)

    def speed_up(self) -> None:
        """Let it carry everything."""
        run("tc", "qdisc", "delete", "dev", self._plug, "root")
        run("tc", "-n", self._space, "qdisc", "delete", "dev", "eth0", "root")

    def end(self) -> None:
        """End everything here, and remove the host."""
        self.group.remove()
        for process in self._processes:
            process.wait(10)
        run("ip", "netns", "delete", self._space)
