"""A ComfyUI on a port of its own, for journeys in a browser: `python -m tests.vendors.comfyui_site`.

It prints its address and answers until its input ends. Somebody has run a workflow on it from their own browser.
"""

import sys

from kernel.spi.testing import Loopback
from tests.vendors.comfyui_server import FakeComfyUI, node, ran, workflow

RUN = "22222222-0000-4000-8000-000000000001"


def main() -> None:
    """Serve until the input ends."""
    vendor = FakeComfyUI()
    unmarked = {"6": node("CLIPTextEncode", text="a castle in the fog, oil on canvas", clip=["4", 1])}
    vendor.history = {RUN: ran(RUN, workflow(**unmarked))}
    with Loopback(vendor) as served:
        print(served.url, flush=True)
        sys.stdin.read()


if __name__ == "__main__":
    main()
