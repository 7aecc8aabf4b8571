"""Stores objects on a WebDAV server."""

from collections.abc import Sequence

from kernel.spi import Comparison, ProviderSpec, hookimpl
from plugins.webdav_storage.provider import WebDAVStorage, build
from plugins.webdav_storage.settings import WebDAVSettings

WEBDAV: ProviderSpec[WebDAVSettings, WebDAVStorage] = ProviderSpec(
    kind="storage",
    id="webdav",
    label="WebDAV",
    summary="Keeps pictures on a WebDAV server: Nextcloud, ownCloud, a Hetzner Storage Box, Apache.",
    contract=(1, 0),
    settings=WebDAVSettings,
    build=build,
    docs_url="https://docs.nextcloud.com/server/latest/user_manual/en/files/access_webdav.html",
    comparison=Comparison(purposes=("many_machines", "own_server"), cost="depends", reach="chosen"),
)


@hookimpl
def register_storage_providers() -> Sequence[ProviderSpec[WebDAVSettings, WebDAVStorage]]:
    """Return the one provider of this plugin."""
    return (WEBDAV,)
