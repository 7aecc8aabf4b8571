"""Run every test: Python's and then the browser's in front, checks of the code and the web client's tests behind them.

What runs behind gets the time that is left over (`nice`), so that two cores are never idle. Ends with a line for each
phase: how many tests, how many seconds. Exit code 1 when any phase failed; the others run to their end all the same.
The last lines of a phase that failed behind come again at the end.
"""

import os
import re
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass
from pathlib import Path

PASSED = re.compile(r"(?:Tests\s+)?\b(\d+) passed")
LAST_LINES = 60
"""How much of a phase that failed behind is said again at the end, where logs that are cut short still show it."""
ANSI = re.compile(r"\x1b\[[0-9;]*m")


@dataclass
class Phase:
    """One make target and how it ended."""

    name: str
    target: str
    seconds: float = 0.0
    tests: int | None = None
    code: int = 0
    end: str = ""

    def run(self, *, behind: bool) -> None:
        """Run the target. What is behind says nothing until it has ended."""
        began = time.monotonic()
        with tempfile.TemporaryFile("w+") as output:
            command = ["nice", "-n", "10", "make", self.target] if behind else ["make", self.target]
            process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, bufsize=1)
            assert process.stdout
            for line in process.stdout:
                output.write(line)
                if not behind:
                    print(line, end="", flush=True)
            self.code = process.wait()
            self.seconds = time.monotonic() - began
            output.seek(0)
            said = ANSI.sub("", output.read())
        counts = PASSED.findall(said)
        self.tests = int(counts[-1]) if counts else None
        self.end = "\n".join(said.splitlines()[-LAST_LINES:])
        if behind:
            print(f"\n── {self.name} ──\n{said}", flush=True)

    def summary(self) -> str:
        """Return the closing line."""
        tests = "" if self.tests is None else f"{self.tests} tests"
        return f"{self.name:<22}{tests:>12}{self.seconds:>8.0f} s  {'failed' if self.code else 'ok'}"


def main() -> int:
    """Run all phases."""
    began = time.monotonic()
    behind = [Phase("checks", "lint"), Phase("web client", "web-unit")]
    front = [Phase("Python", "unit"), Phase("browser", "e2e")]

    def run_behind() -> None:
        for phase in behind:
            phase.run(behind=True)

    thread = threading.Thread(target=run_behind)
    thread.start()
    for phase in front:
        phase.run(behind=False)
    thread.join()
    for phase in behind:
        if phase.code:
            print(f"\n── {phase.name}: how it ended ──\n{phase.end}")
    print()
    for phase in (*behind, *front):
        print(phase.summary())
    print(f"{'all':<22}{'':>12}{time.monotonic() - began:>8.0f} s")
    return int(any(phase.code for phase in (*behind, *front)))


if __name__ == "__main__":
    os.chdir(Path(__file__).resolve().parent.parent)
    sys.exit(main())
