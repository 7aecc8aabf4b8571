"""`python -m tests.benchmarks [--postgres] [--only NAME]`: measure the product and print a table."""

import argparse
import signal
import time
from collections.abc import Callable
from typing import Final

from tests.benchmarks.answers import answers
from tests.benchmarks.bench import Bench
from tests.benchmarks.calling import calling
from tests.benchmarks.comparing import comparing
from tests.benchmarks.drawing import drawing
from tests.benchmarks.editions import editions
from tests.benchmarks.entry import entry
from tests.benchmarks.figures import Section, lines, machine
from tests.benchmarks.gallery import gallery
from tests.benchmarks.generations import latency, throughput
from tests.benchmarks.lettering import lettering
from tests.benchmarks.lighthouse import lighthouse
from tests.benchmarks.likeness import likeness
from tests.benchmarks.neighbors import neighbors
from tests.benchmarks.pictures import pictures
from tests.benchmarks.reading import reading
from tests.benchmarks.studio import studio
from tests.benchmarks.swapping import swapping
from tests.support.postgres import PostgresServer

BENCHMARKS: Final[dict[str, Callable[[Bench], Section]]] = {
    "latency": latency,
    "throughput": throughput,
    "drawing": drawing,
    "likeness": likeness,
    "reading": reading,
    "lettering": lettering,
    "studio": studio,
    "editions": editions,
    "pictures": pictures,
    "answers": answers,
    "comparing": comparing,
    "neighbors": neighbors,
    "gallery": gallery,
    "calling": calling,
    "swapping": swapping,
    "entry": entry,
    "lighthouse": lighthouse,
}


def main() -> None:
    """Run the chosen benchmarks, one after the other."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks", description="Measure the product.")
    parser.add_argument("--postgres", action="store_true", help="measure on PostgreSQL instead of SQLite")
    parser.add_argument("--only", action="append", choices=BENCHMARKS, help="measure only this; may be given again")
    chosen = parser.parse_args()
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # then the products that were started are ended, too
    server = PostgresServer() if chosen.postgres else None
    bench = Bench("PostgreSQL" if server else "SQLite", server.new_database if server else lambda: "")
    began = time.monotonic()
    print(machine(), flush=True)
    try:
        for name in chosen.only or BENCHMARKS:
            print("\n".join(lines(BENCHMARKS[name](bench))), flush=True)
    finally:
        bench.close()
        if server:
            server.stop()
    print(f"\n{time.monotonic() - began:.0f} s. {machine()}")


if __name__ == "__main__":
    main()
