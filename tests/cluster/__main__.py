"""python -m tests.cluster [--only NAME]…"""

import argparse
import sys
import time
from pathlib import Path

from kernel.core.config import PROJECT_ROOT
from tests.cluster.hosts import trouble
from tests.cluster.product import Cluster
from tests.cluster.scenarios import SCENARIOS
from tests.cluster.trial import try_out


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.cluster")
    parser.add_argument("--only", action="append", choices=[*SCENARIOS, "scale"])
    words = parser.parse_args()
    if why := trouble():
        print(f"No cluster: {why}", file=sys.stderr)
        return 2
    began = time.monotonic()
    cluster = Cluster()
    try:
        cluster.start()
        print("up", time.monotonic() - began, flush=True)
        for name in words.only or SCENARIOS:
            scenario, may_break = SCENARIOS[name]
            result = try_out(cluster, name, scenario, may_break=may_break)
            print(result, "\n   ", result.broken_promises(), flush=True)
        print(cluster.command("doctor"))
    finally:
        if "--keep" in sys.argv: pass
        import shutil
        shutil.rmtree("/tmp/cluster-logs", ignore_errors=True); Path("/tmp/cluster-logs").mkdir()
        for log in cluster.network.folder.glob("*.log"): shutil.copy(log, "/tmp/cluster-logs")
        cluster.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
