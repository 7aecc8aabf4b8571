"""Payment providers whose script cannot be run, tells too much, or asks for more than it may."""

from typing import Any

import msgspec

from kernel.spi import BrowserOrigins, NoClient, PaymentCapabilities, ScriptClient, StartRequest, StartResult
from kernel.spi import ClientData as Client
from tests.kit.careless import spoilt
from tests.kit.examples import example

provider, tests = example("payment")
Careful: Any = provider.ExamplePaymentPayments
EXAMPLE = msgspec.structs.replace(tests.EXAMPLE_PAYMENT, static="tests.kit")
given: Any = (tests.TestConformance, EXAMPLE)
replace = msgspec.structs.replace


class Scripted(Careful):  # type: ignore[misc]
    """Has a script that can be run."""

    script = ScriptClient(module="checkout.js", element=f"{EXAMPLE.id}-checkout", data={"session": "cs_1"})

    def capabilities(self) -> PaymentCapabilities:
        return replace(super().capabilities(), client="script")

    async def start_subscription(self, request: StartRequest) -> StartResult:
        started: StartResult = await super().start_subscription(request)
        return replace(started, client=self.script)

    async def confirmation(self, ref: str) -> Client:
        client: Client = await super().confirmation(ref)
        return client if isinstance(client, NoClient) else self.script


@spoilt("PAY_31", *given)
class NamesAnotherModule(Scripted):
    """Names a module that is not among the packaged files."""

    script = replace(Scripted.script, module="../careless.py")


@spoilt("PAY_31", *given)
class DefinesAnothersElement(Scripted):
    """Names an element that belongs to another provider."""

    script = replace(Scripted.script, element="sandbox-checkout")


@spoilt("PAY_31", *given)
class TellsTooMuch(Scripted):
    """Gives its element more than a session."""

    script = replace(Scripted.script, data={"session": "s" * 40_000})


@spoilt("PAY_32", *given)
class GivesTheKeyAway(Scripted):
    """Gives its secret key to the browser."""

    def __init__(self, settings: Any, *args: Any) -> None:
        super().__init__(settings, *args)
        self.script = replace(Scripted.script, data={"key": settings.api_key.reveal()})


@spoilt("PAY_33", *given)
class AsksForEveryOrigin(Scripted):
    """Wants scripts from everywhere."""

    def capabilities(self) -> PaymentCapabilities:
        return replace(super().capabilities(), origins=BrowserOrigins(scripts=("https:",)))
