"""`coverwright storage move`: moves every stored picture from one storage instance to another."""

import sys

from kernel.core.config import Config
from kernel.pictures.storage_move import MoveProgress, MoveRefused, StorageMove
from kernel.providers import NoProviderAvailable
from kernel.runtime import open_runtime
from kernel.spi import ProviderError

SHOWN = 10
MEGABYTE = 1_000_000


async def move(config: Config, source: str, target: str, *, dry_run: bool) -> int:
    """Move and print the progress; return 0 when everything has arrived. A repeated run continues where it stopped."""
    async with open_runtime(config) as runtime:
        mover = StorageMove(runtime.database, runtime.providers.registry)
        if dry_run:
            planned = await mover.plan(source)
            print(
                f"{planned.objects} objects, {planned.bytes / MEGABYTE:.1f} MB, would move from {source} to {target}."
            )
            return 0
        try:
            done = await mover.move(source, target, _show_progress)
        except (MoveRefused, NoProviderAvailable) as error:
            print(error, file=sys.stderr)
            return 1
        except ProviderError as error:
            print(f"Stopped: {error.code}: {error.detail}. Start it again to go on.", file=sys.stderr)
            return 1
    if sys.stderr.isatty():
        print(file=sys.stderr)
    print(f"{done.moved} objects, {done.moved_bytes / MEGABYTE:.1f} MB, moved from {source} to {target}.")
    for key, wrong in list(done.failed.items())[:SHOWN]:
        print(f"not moved: {key}: {wrong}", file=sys.stderr)
    if len(done.failed) > SHOWN:
        print(f"… and {len(done.failed) - SHOWN} more", file=sys.stderr)
    if done.given_up:
        print("Given up: too many failures in a row. Start it again to go on.", file=sys.stderr)
    return 1 if done.failed else 0


def _show_progress(done: MoveProgress) -> None:
    """Print the progress: on one line at a terminal, every hundredth object elsewhere."""
    text = f"{done.moved} of {done.objects} objects, {len(done.failed)} failed"
    if sys.stderr.isatty():
        print(f"\r{text}", end="", file=sys.stderr, flush=True)
    elif done.moved % 100 == 0 and done.moved:
        print(text, file=sys.stderr, flush=True)
