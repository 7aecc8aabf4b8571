"""An email provider as the kernel builds it, with its own HTTP client, for a vendor on this machine."""

from pathlib import Path
from typing import Any, Generic, TypeVar

from kernel.core.config import load_config
from kernel.providers.instances.context import ProviderBuildContext
from kernel.spi import EmailMessage, EmailProvider, ProviderSpec, Settings
from kernel.spi.testing.loopback import Loopback

P = TypeVar("P", bound=EmailProvider)

LIMIT_S = 5.0


class RunningEmail(Generic[P]):
    """A context manager around a provider whose vendor is at `server`, the only address that it may reach."""

    def __init__(self, spec: ProviderSpec[Any, P], settings: Settings, server: Loopback, folder: Path) -> None:
        address = server.url.removeprefix("http://")
        config = load_config({"COVERWRIGHT_DATA": str(folder), "COVERWRIGHT_ALLOW_PRIVATE_ADDRESSES": address})
        self._context = ProviderBuildContext(config, spec.id)
        self.provider: P = spec.build(settings, self._context)

    async def __aenter__(self) -> P:
        return self.provider

    async def __aexit__(self, *_: object) -> None:
        await self.provider.aclose()
        await self._context.aclose()


def message(to: str = "ada@example.org", **fields: Any) -> EmailMessage:
    return EmailMessage(**({"to": to, "sender": "covers@example.com", "subject": "Ready", "text": "Hello"} | fields))


async def states(it: EmailProvider, *messages: EmailMessage, **more: Any) -> list[str]:
    results = await it.send(messages, **({"stream": "transactional", "batch_id": "b1"} | more))
    return [result.state for result in results]
