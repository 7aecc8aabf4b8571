"""The hooks: a plugin is a module with an entry point in `coverwright.plugins` and functions named like these."""

from collections.abc import Sequence
from typing import Any, Final

import msgspec
import pluggy

from .email import EmailProvider
from .image import ImageProvider
from .payments import PaymentProvider
from .provider import ProviderSpec
from .signin import SigninProvider
from .storage import StorageProvider

PLUGIN_GROUP: Final = "coverwright.plugins"
"""The group of entry points in which plugins are found."""

hookspec = pluggy.HookspecMarker("coverwright")
"""Marks the functions of `KernelHooks`; plugins do not need it."""
hookimpl = pluggy.HookimplMarker("coverwright")
"""Marks a function of a plugin that the kernel calls, such as `register_image_providers`."""


class KernelEvent(msgspec.Struct, frozen=True, kw_only=True):
    """Something that happened in the kernel: a dotted name, the id it is about, and when (unix seconds)."""

    name: str
    subject: str
    at_unix: float


class KernelHooks:
    """The registration hooks are called once, at start; `observe` outside of requests."""

    @hookspec
    def register_image_providers(self) -> Sequence[ProviderSpec[Any, ImageProvider]]:  # type: ignore[empty-body]
        """Return the image providers this plugin offers."""

    @hookspec
    def register_payment_providers(self) -> Sequence[ProviderSpec[Any, PaymentProvider]]:  # type: ignore[empty-body]
        """Return the payment providers this plugin offers."""

    @hookspec
    def register_email_providers(self) -> Sequence[ProviderSpec[Any, EmailProvider]]:  # type: ignore[empty-body]
        """Return the email providers this plugin offers."""

    @hookspec
    def register_storage_providers(self) -> Sequence[ProviderSpec[Any, StorageProvider]]:  # type: ignore[empty-body]
        """Return the storage providers this plugin offers."""

    @hookspec
    def register_signin_providers(self) -> Sequence[ProviderSpec[Any, SigninProvider]]:  # type: ignore[empty-body]
        """Return the sign-in providers this plugin offers."""

    @hookspec
    def observe(self, event: KernelEvent) -> None:
        """Receive one kernel event. Must not block and cannot change anything."""
