"""A provider for tests whose page tries to get out of its frame, and asks the server for what it declares.

Loaded by `COVERWRIGHT_EXTRA_PLUGINS=tests.stub_pages` where `COVERWRIGHT_ENV` is `test`.
"""

import asyncio
from collections.abc import Sequence
from typing import Annotated

import msgspec
from msgspec import Meta

from kernel.spi import (
    AdminCall,
    AdminPage,
    InvalidRequest,
    ProviderContext,
    ProviderSpec,
    SettingsComponent,
    Unavailable,
    hookimpl,
)
from tests.stub_image.provider import StubImage, StubSettings


class Question(msgspec.Struct, frozen=True, kw_only=True):
    """What is asked."""

    text: Annotated[str, Meta(max_length=400_000)] = ""


class Answer(msgspec.Struct, frozen=True, kw_only=True):
    """What is answered."""

    text: str


class Probe(StubImage):
    """Answers what its page asks."""

    def __init__(self, settings: StubSettings, context: ProviderContext) -> None:
        super().__init__(settings, (), context)
        self._token = settings.api_key.reveal() if settings.api_key else ""

    async def echo(self, question: Question) -> Answer:
        """Answer with what was asked, and the secret, which must not arrive; or fail as the text says."""
        match question.text:
            case "refuse":
                raise InvalidRequest("not like this")
            case "away":
                raise Unavailable("nobody is there")
            case "crash":
                raise ValueError("a mistake of the plugin")
            case "large":
                return Answer(text="x" * 1_100_000)
            case "odd":
                return "no Struct"  # type: ignore[return-value]
            case "forever":
                await asyncio.sleep(3600)
        return Answer(text=f"{question.text} {self._token}".strip())


PROBE: ProviderSpec[StubSettings, Probe] = ProviderSpec(
    kind="image",
    id="probe",
    label="Probe",
    summary="Tries to get out of its frame.",
    contract=(1, 2),
    settings=StubSettings,
    build=Probe,
    offline=True,
    static=__name__,
    pages=(
        AdminPage(
            id="escape",
            title={"en": "Escape", "de": "Ausbruch"},
            element="probe-escape",
            module="escape.js",
            calls=(
                AdminCall(name="echo", run=Probe.echo, argument=Question, answer=Answer),
                AdminCall(name="keep", run=Probe.echo, argument=Question, answer=Answer, changes=True),
            ),
        ),
        AdminPage(id="silent", title={"en": "Silent"}, element="probe-silent", module="silent.js"),
    ),
    settings_component=SettingsComponent(element="probe-escape", module="escape.js", fields=("api_key",)),
)


@hookimpl
def register_image_providers() -> Sequence[ProviderSpec[StubSettings, Probe]]:
    """Return the probe."""
    return (PROBE,)
