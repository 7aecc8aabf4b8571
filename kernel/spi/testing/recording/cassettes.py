"""The file of a recording: YAML in the layout of VCR.py's cassettes, with what it was recorded of."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import httpx
import msgspec
import yaml

from .secrets import Secrets, SecretSurvived

_VERSION: Final = 1
_WIDTH: Final = 118


Text = Any
"""A body: `str`, or `bytes` for what is no readable text. YAML shows the difference; msgspec knows no such union."""


class Status(msgspec.Struct, frozen=True):
    """Status of an answer."""

    code: int
    message: str


class Body(msgspec.Struct, frozen=True):
    """Body of an answer."""

    string: Text


class RecordedRequest(msgspec.Struct, frozen=True):
    """A request without secrets."""

    method: str
    uri: str
    body: Text
    headers: dict[str, list[str]]


class RecordedResponse(msgspec.Struct, frozen=True):
    """The answer to a request, without secrets and with short pictures."""

    status: Status
    headers: dict[str, list[str]]
    body: Body

    def response(self, request: httpx.Request) -> httpx.Response:
        """Return it as an answer."""
        text = self.body.string
        content = text if isinstance(text, bytes) else str(text or "").encode()
        headers = [(name, value) for name, values in self.headers.items() for value in values]
        return httpx.Response(self.status.code, headers=headers, content=content, request=request)


class Interaction(msgspec.Struct, frozen=True):
    """A request and its answer, with the rule that asked."""

    request: RecordedRequest
    response: RecordedResponse
    rule: str = ""


class RecordedProvider(msgspec.Struct, frozen=True):
    """What was recorded: `settings` with placeholders for its secrets."""

    kind: str
    provider: str
    settings: dict[str, Any]


class Cassette(msgspec.Struct, frozen=True):
    """A recording. `coverwright` is ignored by VCR.py, and `rule` too."""

    interactions: tuple[Interaction, ...]
    coverwright: tuple[RecordedProvider, ...] = ()
    version: int = _VERSION

    def write(self, path: Path, secrets: Secrets) -> None:
        """Write the file. Raises SecretSurvived, and writes nothing, when a secret is still in it."""
        for text in _texts(msgspec.to_builtins(self, builtin_types=(bytes,))):
            if secrets.survivors(text):
                raise SecretSurvived("a secret is still in the recording, which was not written")
        path.write_text(self._text(), "utf-8")

    def _text(self) -> str:
        plain = msgspec.to_builtins(self, builtin_types=(bytes,))
        return str(yaml.dump(plain, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=_WIDTH))

    def settings_of(self, kind: str, provider: str) -> Mapping[str, Any]:
        """Return the settings that a provider was recorded with."""
        known = (one.settings for one in self.coverwright if (one.kind, one.provider) == (kind, provider))
        return next(known, {})


def read_cassette(path: Path) -> Cassette:
    """Return a recording. Raises OSError, and ValueError for a file that is none."""
    try:
        return msgspec.convert(yaml.load(path.read_text("utf-8"), Loader=_LOADER), Cassette)
    except (yaml.YAMLError, msgspec.ValidationError, UnicodeDecodeError) as error:
        raise ValueError(f"{path} is not a recording: {error}") from error


def body_of(data: bytes) -> str | bytes:
    """Return a body as a text where it is one that YAML can show."""
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return data
    return text if all(letter.isprintable() or letter in "\n\t" for letter in text) else data


class _Dumper(getattr(yaml, "CSafeDumper", yaml.SafeDumper)):  # type: ignore[misc]
    """Texts of many lines are shown as such."""


_LOADER: Final = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def _text_node(dumper: Any, text: str) -> Any:
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style="|" if "\n" in text else None)


_Dumper.add_representer(str, _text_node)


def _texts(value: Any) -> list[bytes]:
    """Return every text and body of a recording."""
    if isinstance(value, dict):
        return [text for name, entry in value.items() for text in (str(name).encode(), *_texts(entry))]
    if isinstance(value, list | tuple):
        return [text for entry in value for text in _texts(entry)]
    return [value] if isinstance(value, bytes) else [str(value).encode()]
