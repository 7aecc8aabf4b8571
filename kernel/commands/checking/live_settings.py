"""Settings of a live run: from a file, the environment, or a recording. Secrets are never printed."""

import json
import os
import tomllib
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any, Final

import msgspec

from kernel.commands.checking.options import CheckOptions
from kernel.providers import load_plugins
from kernel.providers.instances.settings import resolve_settings, secret_fields, variable_name
from kernel.spi import ProviderSpec, Settings
from kernel.spi.testing.recording import read_cassette
from kernel.spi.testing.recording.secrets import placeholder

OWN_TABLE: Final = "kit"
"""The table of a settings file for what is no setting: `recipient` and `sender` of messages."""


class LiveSettings(msgspec.Struct, frozen=True, kw_only=True):
    """Settings of one provider, or why there are none. `shown` are those that are no secrets; `secrets` the others."""

    settings: Settings | None
    problem: str
    shown: Mapping[str, Any]
    secrets: Mapping[str, str]


class BadFile(Exception):
    """A settings file cannot be read; the message shows nothing of it."""


def read_file(path: Path | None) -> dict[str, Any]:
    """Return what a settings file says: TOML, or JSON by its name. Raises BadFile."""
    if path is None:
        return {}
    try:
        text = path.read_text("utf-8")
        found = json.loads(text) if path.suffix == ".json" else tomllib.loads(text)
    except (OSError, ValueError) as error:  # the reader's words may quote a secret
        raise BadFile(f"{path} cannot be read as {'JSON' if path.suffix == '.json' else 'TOML'}") from error
    if not isinstance(found, dict):
        raise BadFile(f"{path} holds no settings by name")
    return found


def settings_for(spec: ProviderSpec[Any, Any], options: CheckOptions) -> LiveSettings:
    """Return the settings that a run was asked to use. Raises BadFile, and ValueError for a bad recording."""
    if options.replay:
        return _recorded(spec, options.replay, options.settings)
    return _live(spec, options.settings)


def providers(offered: Collection[str], options: CheckOptions) -> list[ProviderSpec[Any, Any]]:
    """Return the providers of some plugins that ask a vendor, or the one that was named."""
    specs = [offer.spec for offer in load_plugins(os.environ).offers.values() if offer.plugin in offered]
    return [spec for spec in specs if not spec.offline and options.provider in ("", spec.id, f"{spec.kind}:{spec.id}")]


def _live(spec: ProviderSpec[Any, Any], path: Path | None) -> LiveSettings:
    """Return settings from a file and, above it, the environment: variables of the product's, or the vendor's own.

    The file has a table with the provider's id, or the settings themselves.
    """
    stored = _of_provider(read_file(path), spec)
    return _resolved(spec, stored, dict(os.environ))


def _recorded(spec: ProviderSpec[Any, Any], recording: Path, path: Path | None) -> LiveSettings:
    """Return the settings of a recording, with placeholders as secrets where the file has none."""
    stored = {**read_cassette(recording).settings_of(spec.kind, spec.id), **_of_provider(read_file(path), spec)}
    return _resolved(spec, stored, {})


def recordable(found: LiveSettings) -> dict[str, Any]:
    """Return settings as a recording keeps them."""
    return {**found.shown, **{field: placeholder(field) for field in found.secrets}}


def variables(spec: ProviderSpec[Any, Any]) -> str:
    """Return how the environment sets a setting of this provider."""
    return variable_name(spec.id, "<setting>").replace("<SETTING>", "<setting>")


def _of_provider(file: Mapping[str, Any], spec: ProviderSpec[Any, Any]) -> dict[str, Any]:
    own = file.get(spec.id)
    found = (
        own if isinstance(own, dict) else {name: value for name, value in file.items() if not isinstance(value, dict)}
    )
    return dict(found)


def _resolved(spec: ProviderSpec[Any, Any], stored: dict[str, Any], env: Mapping[str, str]) -> LiveSettings:
    found = resolve_settings(spec.settings, stored, instance_id=spec.id, env=env, first=True)
    problem = "; ".join(f"{name}: {why}" if name else why for name, why in found.problems.items())
    secrets = {name: secret.reveal() for name, secret in found.secrets.items()}
    shown = {name: value for name, value in found.values.items() if name not in secret_fields(spec.settings)}
    return LiveSettings(settings=found.settings, problem=problem, shown=shown, secrets=secrets)
