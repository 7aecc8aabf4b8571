"""OpenAI's Images API on a port of its own, for journeys in a browser: `python -m tests.vendors.openai_site`.

It prints its address and makes pictures until its input ends, each of another color.
"""

import base64
import sys

from kernel.spi.testing import Loopback
from tests.vendors.openai_api import FakeOpenAI
from tests.vendors.pictures import picture


class ColorfulOpenAI(FakeOpenAI):
    """Makes no two pictures of one color."""

    def _one(self, width: int, height: int, kind: str, index: int) -> dict[str, str]:
        shade = 50 + 40 * len(self.asked) + index
        return {"b64_json": base64.b64encode(picture(width, height, kind, shade)).decode()}


def main() -> None:
    """Serve until the input ends."""
    with Loopback(ColorfulOpenAI()) as vendor:
        print(vendor.url, flush=True)
        sys.stdin.read()


if __name__ == "__main__":
    main()
