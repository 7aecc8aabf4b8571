"""The conformance kit: a plugin's author inherits one class, names the spec, and knows whether the contract is kept.

    class TestConformance(ImageContract):
        @pytest.fixture
        def spec(self):
            return acme.ACME

        @pytest.fixture
        def settings(self):
            return AcmeSettings(api_key=Secret("right"))

        @pytest.fixture
        def broken(self):
            return {"api_key": AcmeSettings(api_key=Secret("wrong"))}

        @pytest.fixture
        def upstream(self):
            return httpx.MockTransport(vendor)  # what the vendor answers when all is well

        @pytest.fixture
        def faults(self):
            return {"bad_key": httpx.Response(401), ...}  # how it says that something is wrong

Each rule is one test, named after its group and number. Fixtures that may be overridden stand at the top of each class.
A rule about something that is not claimed passes, and counts as skipped in the report. The kit needs pytest, anyio and
Pillow; the product never imports it.
"""

import pytest

pytest.register_assert_rewrite(
    "kernel.spi.testing.contract",
    "kernel.spi.testing.emails",
    "kernel.spi.testing.faults",
    "kernel.spi.testing.images",
    "kernel.spi.testing.objects",
    "kernel.spi.testing.payments",
    "kernel.spi.testing.signins",
    "kernel.spi.testing.till",
    "kernel.spi.testing.webhooks",
)

from kernel.spi.testing.emails import Delivered, EmailContract  # noqa: E402  (rewriting comes first)
from kernel.spi.testing.fakes import FakeContext, FakeControl, StoppingControl, nowhere  # noqa: E402
from kernel.spi.testing.faults import FailsWith, Upstream  # noqa: E402
from kernel.spi.testing.images import ImageContract  # noqa: E402
from kernel.spi.testing.loopback import Loopback  # noqa: E402
from kernel.spi.testing.objects import StorageContract  # noqa: E402
from kernel.spi.testing.payments import Confirm, PaymentContract  # noqa: E402
from kernel.spi.testing.signins import SigninContract  # noqa: E402
from kernel.spi.testing.till import Cards  # noqa: E402

__all__ = [
    "Cards",
    "Confirm",
    "Delivered",
    "EmailContract",
    "FailsWith",
    "FakeContext",
    "FakeControl",
    "ImageContract",
    "Loopback",
    "PaymentContract",
    "SigninContract",
    "StoppingControl",
    "StorageContract",
    "Upstream",
    "nowhere",
]
