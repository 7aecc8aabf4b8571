"""Where browsers fetch the files of plugins: under an address that changes with them, so that it is final."""

from kernel.providers.plugins.loader import Plugins
from kernel.spi import PackagedFile, packaged_files


def static_file(plugin: str, package: str | None, name: str) -> tuple[str, PackagedFile]:
    """Return a file of a plugin's package, and its address on this site. Raises KeyError for one that is not there."""
    found = packaged_files(package)
    return f"/plugins/{plugin}/static/{found.digest}/{name}", found.files[name]


def find_static_file(plugins: Plugins, plugin: str, digest: str, name: str) -> PackagedFile | None:
    """Return the file at an address, or None. Only names that the folder had when it was read are known."""
    for offer in plugins.offers.values():
        if offer.plugin == plugin and offer.spec.static is not None:
            found = packaged_files(offer.spec.static)
            if found.digest == digest and name in found.files:
                return found.files[name]
    return None
