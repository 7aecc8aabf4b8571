"""The kinds of provider as typed constants, so that a lease or a call has the provider's type."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final, Generic, TypeVar

from kernel.spi import (
    EmailCapabilities,
    EmailProvider,
    ImageCapabilities,
    ImageProvider,
    Kind,
    PaymentCapabilities,
    PaymentProvider,
    Provider,
    SigninCapabilities,
    SigninProvider,
    StorageCapabilities,
    StorageProvider,
)

P = TypeVar("P", bound=Provider)
C = TypeVar("C")


class KindOf(Generic[P, C]):
    """One kind: its name, its registration hook and the type of its capabilities."""

    def __init__(self, name: Kind, capabilities: type[C]) -> None:
        self.name: Final[Kind] = name
        self.capabilities: Final[type[C]] = capabilities
        self.hook: Final = f"register_{name}_providers"

    def __repr__(self) -> str:
        return self.name


IMAGE: Final[KindOf[ImageProvider, ImageCapabilities]] = KindOf("image", ImageCapabilities)
PAYMENT: Final[KindOf[PaymentProvider, PaymentCapabilities]] = KindOf("payment", PaymentCapabilities)
EMAIL: Final[KindOf[EmailProvider, EmailCapabilities]] = KindOf("email", EmailCapabilities)
STORAGE: Final[KindOf[StorageProvider, StorageCapabilities]] = KindOf("storage", StorageCapabilities)
SIGNIN: Final[KindOf[SigninProvider, SigninCapabilities]] = KindOf("signin", SigninCapabilities)

KINDS: Final[Mapping[Kind, KindOf[Any, Any]]] = MappingProxyType(
    {kind.name: kind for kind in (IMAGE, PAYMENT, EMAIL, STORAGE, SIGNIN)}
)
