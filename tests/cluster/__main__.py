"""python -m tests.cluster [--from COMMIT] [--only NAME]…

Starts the product on hosts of its own, does what befalls hosts, one thing after the other under load, and prints what
became of all orders. Exits with 1 when a promise is broken. `make cluster` installs what it needs.
"""

import argparse
import shutil
import sys
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Final

from kernel.core.config import PROJECT_ROOT
from tests.cluster import report
from tests.cluster.hosts import trouble
from tests.cluster.product import Cluster
from tests.cluster.release import checkout, same_schema, short_name
from tests.cluster.scaling import LINEAR, measure, ratios
from tests.cluster.scenarios import ROLL, SCENARIOS
from tests.cluster.trial import try_out

SCALE: Final = "scale"


def main() -> int:
    """Return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tests.cluster", description="The product on several hosts.")
    parser.add_argument("--only", action="append", choices=[*SCENARIOS, SCALE], help="one scenario; can be repeated")
    parser.add_argument("--from", dest="commit", default="", help="which commit is rolled to this one")
    parser.add_argument("--logs", type=Path, help="keep the logs of all hosts in this folder")
    words = parser.parse_args()
    if why := trouble():
        print(f"make cluster: {why}", file=sys.stderr)
        return 2
    with ExitStack() as closing:
        names: Sequence[str] = words.only or [*SCENARIOS, SCALE]
        older = closing.enter_context(checkout(words.commit or same_schema())) if ROLL in names else None
        print(
            "Starting 2 web servers, 3 workers, HAProxy, PostgreSQL, Valkey and S3, each on a host of its own …",
            flush=True,
        )
        cluster = Cluster(release=older) if older else Cluster()
        closing.callback(cluster.close)
        if words.logs:
            closing.callback(_keep_logs, cluster, words.logs)
        if older:
            print(f"They run {short_name(older)} and are rolled to {short_name(PROJECT_ROOT)}.", flush=True)
        return _run(cluster, names)


def _run(cluster: Cluster, names: Sequence[str]) -> int:
    kept = True
    cluster.start()
    print(report.heading(), flush=True)
    for name in names:
        if name in SCENARIOS:
            scenario, may_break = SCENARIOS[name]
            result = try_out(cluster, name, scenario, may_break=may_break)
            print(report.line(result), flush=True)
            kept = kept and not result.broken_promises()
    if SCALE in names:
        rates = measure(cluster)
        print(*report.scale(rates), sep="\n", flush=True)
        kept = kept and min(ratios(rates)) >= LINEAR
    try:
        said = cluster.command("doctor")
    except RuntimeError as error:
        kept, said = False, str(error)
    print(f"\ncoverwright doctor: {said.count('ok  ')} promises kept, {said.count('BROKEN')} broken")
    print(*(found for found in said.splitlines() if not found.startswith("ok ")), sep="\n")
    return 0 if kept else 1


def _keep_logs(cluster: Cluster, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for log in cluster.network.folder.glob("*.log"):
        shutil.copy(log, folder)


if __name__ == "__main__":
    sys.exit(main())
