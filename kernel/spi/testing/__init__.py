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
A rule about something that is not claimed passes, and counts as skipped in the report. The kit needs pytest, anyio,
Hypothesis, PyYAML and Pillow; the product never imports it.
"""

from collections.abc import Mapping
from typing import Final

import pytest

RULES = (
    "checkouts",
    "contract",
    "emails",
    "faults",
    "images",
    "objects",
    "pauses",
    "payments",
    "promotions",
    "refunds",
    "signins",
    "taxes",
    "till",
    "webhooks",
    "wire",
)
pytest.register_assert_rewrite(*(f"{__name__}.{name}" for name in RULES))

from .. import Kind  # noqa: E402  (rewriting comes first)
from .contract import ProviderContract  # noqa: E402
from .emails import Delivered, EmailContract  # noqa: E402
from .fakes import FakeContext, FakeControl, StoppingControl, nowhere  # noqa: E402
from .faults import FailsWith, Upstream  # noqa: E402
from .images import ImageContract  # noqa: E402
from .loopback import Loopback  # noqa: E402
from .objects import StorageContract  # noqa: E402
from .payments import Confirm, PaymentContract  # noqa: E402
from .promotions import Codes  # noqa: E402
from .recording import Recorder, Replay, Secrets, UnknownRequest  # noqa: E402
from .refunds import Refund  # noqa: E402
from .signins import SigninContract  # noqa: E402
from .taxes import BadTaxIds  # noqa: E402
from .till import Cards  # noqa: E402

CONTRACTS: Final[Mapping[Kind, type[ProviderContract]]] = {
    "image": ImageContract,
    "payment": PaymentContract,
    "email": EmailContract,
    "storage": StorageContract,
    "signin": SigninContract,
}
"""The rules for each kind of provider."""

__all__ = [
    "CONTRACTS",
    "BadTaxIds",
    "Cards",
    "Codes",
    "Confirm",
    "Delivered",
    "EmailContract",
    "FailsWith",
    "FakeContext",
    "FakeControl",
    "ImageContract",
    "Loopback",
    "PaymentContract",
    "Recorder",
    "Refund",
    "Replay",
    "Secrets",
    "SigninContract",
    "StoppingControl",
    "StorageContract",
    "UnknownRequest",
    "Upstream",
    "nowhere",
]
