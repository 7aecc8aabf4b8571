"""Migrates saved settings to the version of the plugin that reads them."""

import copy
import logging
from collections.abc import Mapping
from typing import Any

import msgspec

from kernel.spi import ProviderSpec, settings_fields

log = logging.getLogger(__name__)


class Upgraded(msgspec.Struct, frozen=True, kw_only=True):
    """Settings as this version of the plugin reads them. `changed`: to be saved; `fault`: why they cannot be used."""

    values: dict[str, Any]
    changed: bool = False
    notice: str = ""
    fault: str = ""

    def __repr__(self) -> str:
        return f"Upgraded({sorted(self.values)})"


def upgrade(spec: ProviderSpec[Any, Any], version: int, values: Mapping[str, Any]) -> Upgraded:
    """Migrate settings of a version, with secrets in clear, to the plugin's version. The argument is not changed."""
    before = dict(values)
    if version == spec.settings_version:
        return Upgraded(values=before)
    if version > spec.settings_version:
        known = settings_fields(spec.settings)
        ignored = sorted(before.keys() - known.keys())
        text = f"saved by a newer version of the plugin; not in use: {', '.join(ignored)}" if ignored else ""
        return Upgraded(values={name: before[name] for name in before if name in known}, notice=text)
    if spec.migrate_settings is None:
        return Upgraded(values=before, changed=True)
    try:
        after = spec.migrate_settings(version, copy.deepcopy(before))
        if not isinstance(after, dict) or not all(isinstance(name, str) for name in after):
            raise TypeError(f"migrate_settings returned a {type(after).__name__}")
        msgspec.json.encode(after)
    except (Exception, SystemExit) as error:
        # The message may quote a secret, so only the exception's type is logged.
        log.warning("settings of %s:%s: %s", spec.kind, spec.id, type(error).__name__)
        versions = f"version {version} to {spec.settings_version}"
        return Upgraded(
            values=before, fault=f"The saved settings could not be brought from {versions} ({type(error).__name__})."
        )
    return Upgraded(values=after, changed=True)
