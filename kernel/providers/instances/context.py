"""What the kernel passes to a provider's `build`."""

import logging
from pathlib import Path

import httpx

from kernel.core.config import Config
from kernel.core.http_client import AddressRefused, allowed_addresses, cure_for, find_addresses, open_client
from kernel.spi import SettingsInvalid, Unavailable


class ProviderBuildContext:
    """The context of one instance. It has its own HTTP client, opened on first use and closed with the instance."""

    def __init__(self, config: Config, instance_id: str, folder: Path | None = None, *, kind: str = "") -> None:
        self._config = config
        # what is not saved yet, in a folder of its own, has no id that an operator could list
        self._uses = tuple(use for use in ((kind,) if folder else (instance_id, kind)) if use)
        self._instance_id = instance_id
        self._folder = folder or config.data_dir / "instances" / instance_id
        self._client: httpx.AsyncClient | None = None

    @property
    def instance_id(self) -> str:
        """The administrator's name for this instance."""
        return self._instance_id

    @property
    def public_url(self) -> str:
        """Address of the site, without a trailing slash."""
        return self._config.public_url

    @property
    def data_dir(self) -> str:
        """Folder for this instance's own files."""
        return str(self._folder)

    @property
    def http(self) -> httpx.AsyncClient:
        """The guarded client."""
        if self._client is None:
            self._client = open_client(self._config, *self._uses)
        return self._client

    async def find_addresses(self, host: str, port: int, *, field: str | None = None) -> tuple[str, ...]:
        """Return the addresses to which a provider without HTTP may connect. Raises SettingsInvalid and Unavailable."""
        try:
            return await find_addresses(host, port, allowed_addresses(self._config, *self._uses))
        except AddressRefused as error:
            raise SettingsInvalid(f"{error}; {cure_for(host, port, *self._uses)}", field=field) from error
        except (OSError, UnicodeError) as error:
            raise Unavailable(f"{host} cannot be resolved", field=field) from error

    @property
    def log(self) -> logging.Logger:
        """Return a logger that names the instance."""
        return logging.getLogger(f"coverwright.instance.{self._instance_id}")

    async def aclose(self) -> None:
        """Close the client, if there is one."""
        if self._client is not None:
            await self._client.aclose()
