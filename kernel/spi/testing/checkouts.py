"""Rules for what is confirmed in the browser: elements that a script of the plugin's defines, and what that begins."""

from collections.abc import Awaitable, Callable
from typing import Any

import msgspec

from .. import (
    ClientData,
    NoClient,
    ProviderSpec,
    ScriptClient,
    Settings,
    StartResult,
    is_source,
    misfit,
    packaged_files,
    script_faults,
)
from .buyers import started
from .fields import is_secret
from .waivers import waived

Confirm = Callable[[StartResult], Awaitable[None]]


class CheckoutRules:
    """Part of the group PAY. `PAY_31` to `PAY_33` apply only where the client `script` is claimed."""

    async def test_PAY_31_a_script_can_be_run_and_shown(
        self, spec: ProviderSpec[Any, Any], provider: Any, prices: tuple[str, str], confirm: Confirm
    ) -> None:
        if provider.capabilities().client != "script":
            return waived("no script")
        begun = await started(provider, prices[0])
        clients = [begun.client, await provider.confirmation(begun.subscription.ref)]
        if provider.capabilities().change_card:
            await confirm(begun)
            clients.append(await provider.card_form(begun.subscription.ref))
        for client in clients:
            assert misfit(client, ClientData) is None
        scripts = [client for client in clients if isinstance(client, ScriptClient)]
        assert scripts, "the client `script` is claimed, and none returned"
        for script in scripts:
            assert script_faults(script, spec) == []
            text = packaged_files(spec.static).files[script.module].body.decode()
            assert script.element in text, f"{script.module} does not define <{script.element}>"

    async def test_PAY_32_what_a_script_is_given_is_no_secret(
        self, spec: ProviderSpec[Any, Any], settings: Settings, provider: Any, prices: tuple[str, str]
    ) -> None:
        if provider.capabilities().client != "script":
            return waived("no script")
        begun = await started(provider, prices[0])
        told = [begun.client, await provider.confirmation(begun.subscription.ref)]
        data = [msgspec.json.encode(client).decode() for client in told if isinstance(client, ScriptClient)]
        files = [file.body.decode("utf-8", "replace") for file in packaged_files(spec.static).files.values()]
        given = {
            field: getattr(settings, field) for field in settings.__struct_fields__ if is_secret(spec.settings, field)
        }
        shown = [
            field
            for field, secret in given.items()
            if secret is not None and any(secret.reveal() in text for text in (*data, *files))
        ]
        assert shown == [], "a secret is given to every browser"

    async def test_PAY_33_a_script_asks_only_for_https_origins(self, provider: Any) -> None:
        known = provider.capabilities()
        if known.client != "script":
            return waived("no script")
        origins = known.origins
        lists = (origins.scripts, origins.frames, origins.connections, origins.styles, origins.images)
        odd = [text for sources in lists for text in sources if not is_source(text)]
        assert odd == [], "origins are written `https://host` or `https://*.host`; all others are left out"

    async def test_PAY_34_what_was_started_is_joined_with_what_it_became(
        self, provider: Any, prices: tuple[str, str], confirm: Confirm
    ) -> None:
        begun = await started(provider, prices[0])
        first = begun.subscription.ref
        if not isinstance(begun.client, NoClient):
            await confirm(begun)
        truth = await provider.subscription(first)
        assert truth.ref == first or truth.started_by == first, "`started_by` is the ref that the start returned"
        assert await provider.subscription(truth.ref) == truth
        listed = [(entry.ref, entry.started_by) for entry in await provider.subscriptions(truth.customer)]
        assert listed == [(truth.ref, truth.started_by)], "one subscription, whatever it was started by"
