"""A draft: an instance with an administrator's changes, and everything that is wrong with it."""

import hashlib
import hmac
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

import msgspec

from kernel.core import clock
from kernel.core.errors import InvalidFields
from kernel.core.vault import Vault
from kernel.providers.administration.instance_store import StoredInstance, is_mask
from kernel.providers.instances.instance import Declaration
from kernel.providers.instances.settings import (
    DEFAULT,
    FILE,
    STORED,
    ResolvedSettings,
    destination_fields,
    resolve_settings,
    secret_fields,
    variable_name,
)
from kernel.providers.plugins.loader import Offer

MAX_SETTINGS: Final = 200
MAX_SETTINGS_BYTES: Final = 65_536
TOKEN_S: Final = 600
"""How long a successful check is valid."""

AGAIN: Final = "Enter it again, because the address changed."


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """A merged declaration. `plain` and `secrets` are to be stored; None removes a secret.

    `keys` names what was given, `problems` maps a setting to a sentence, `changed` says whether any setting differs
    from the stored one, and `mark` identifies the settings that would be in force.
    """

    declaration: Declaration
    first: bool
    plain: dict[str, Any] = field(repr=False)
    secrets: dict[str, str | None] = field(repr=False)
    keys: tuple[str, ...]
    problems: dict[str, str]
    changed: bool
    mark: bytes = field(repr=False)


def make_draft(
    offer: Offer,
    held: StoredInstance | None,
    base: Declaration,
    changes: Mapping[str, Any],
    *,
    env: Mapping[str, str],
    first: bool,
) -> Draft:
    """Merge three ways: an absent field is kept, None clears, a value replaces. Raises InvalidFields.

    What is shown in place of a secret, when it comes back, is as good as absent: it never becomes the secret. `base`
    has the id, kind, provider and label of the draft; its settings do not count.
    """
    if len(changes) > MAX_SETTINGS or len(msgspec.json.encode(changes)) > MAX_SETTINGS_BYTES:
        raise InvalidFields({"settings": f"All settings together must fit into {MAX_SETTINGS_BYTES // 1024} KB."})
    kind = offer.spec.settings
    hidden = secret_fields(kind)
    changes = {
        name: value
        for name, value in changes.items()
        if not (name in hidden and isinstance(value, str) and is_mask(value))
    }
    filed = held.base if held else {}
    stored: dict[str, Any] = {**held.plain, **held.secrets} if held else {}
    for name, value in changes.items():
        if value is None:
            stored.pop(name, None)
        else:
            stored[name] = value
    faults = {
        name: text
        for name, text in (held.declaration.faults if held else {}).items()
        if name not in changes and (name or not changes)  # any save ends a failed upgrade
    }
    declaration = msgspec.structs.replace(
        base,
        settings={**filed, **stored},
        filed=frozenset(filed.keys() - stored.keys()),
        faults=faults,
        # who enters settings accepts the distribution that offers the provider now
        distribution=base.distribution if base.accepts(offer.distribution) else None,
    )

    def resolve(settings: Mapping[str, Any], filed: frozenset[str]) -> ResolvedSettings:
        return resolve_settings(kind, settings, instance_id=base.id, env=env, first=first, filed=filed)

    before = resolve(held.declaration.settings, held.declaration.filed) if held else resolve({}, frozenset())
    after = resolve(declaration.settings, declaration.filed)
    unknown = {name: "There is no such setting." for name in changes if name not in after.sources}
    locked = {
        name: f"This is set by {after.sources[name]} and can be changed only there."
        for name in changes
        if after.sources.get(name) == variable_name(base.id, name)
    }
    here = {name: text for name, text in faults.items() if after.sources.get(name, DEFAULT) in (DEFAULT, FILE, STORED)}
    problems = after.problems | here | unknown | _check_destinations(kind, before, after, changes, base.id) | locked
    return Draft(
        declaration=declaration,
        first=first,
        plain={name: value for name, value in stored.items() if name not in hidden},
        secrets={name: changes[name] for name in changes if name in hidden},
        keys=tuple(sorted(changes)),
        problems=problems,
        changed=bool(held is None or declaration.settings != held.declaration.settings),
        mark=_mark(base.kind, base.provider, after),
    )


def _check_destinations(
    kind: Any, before: ResolvedSettings, after: ResolvedSettings, changes: Mapping[str, Any], instance_id: str
) -> dict[str, str]:
    """Refuse to send a secret to another address than the one it was entered for.

    Whoever changes the address has to prove that they have the secret by entering it again; for a secret that the
    operator set, they cannot.
    """
    places = destination_fields(kind)
    moved = [name for name in places if before.values.get(name) != after.values.get(name)]
    chosen = {name for name in places if after.sources.get(name) == STORED}
    problems: dict[str, str] = {}
    for name in secret_fields(kind):
        source = after.sources.get(name, DEFAULT)
        if source in (STORED, FILE):
            goes = bool(moved) if source == STORED else bool(chosen) and (bool(moved) or name in changes)
            if goes and not isinstance(changes.get(name), str):
                problems[name] = AGAIN
        elif source != DEFAULT:
            for field_name in chosen.intersection(moved):
                problems[field_name] = (
                    f"A secret for this address comes from {source}, so set the address by "
                    f"{variable_name(instance_id or 'ID', field_name)}."
                )
    return problems


def _mark(kind: Any, provider: str, resolved: ResolvedSettings) -> bytes:
    """Return a fingerprint of the settings: everything in force, from any source."""
    secrets = {name: secret.reveal() for name, secret in resolved.secrets.items()}
    parts = [kind, provider, resolved.values, secrets]
    return hashlib.sha256(msgspec.json.encode(parts, order="deterministic")).digest()


class CheckTokens:
    """Tokens which prove that a draft passed its check; only this site can make and verify them."""

    def __init__(self, vault: Vault) -> None:
        self._key = vault.derive("provider check")

    def make(self, mark: bytes) -> str:
        """Return a token for the settings with this mark."""
        until = int(clock.now_unix()) + TOKEN_S
        return f"{until}.{self._mac(mark, until)}"

    def proves(self, token: str | None, mark: bytes) -> bool:
        """Return whether the token is for these settings and still valid."""
        until, _, mac = (token or "").partition(".")
        if not until.isascii() or not until.isdigit() or len(until) > 12 or int(until) < clock.now_unix():
            return False
        return hmac.compare_digest(mac.encode(), self._mac(mark, int(until)).encode())

    def _mac(self, mark: bytes, until: int) -> str:
        return hmac.new(self._key, b"%d." % until + mark, hashlib.sha256).hexdigest()
