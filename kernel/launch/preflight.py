"""What a machine may lack: one line each, with the remedy. Nothing here prevents a launch."""

import ctypes
import socket
import sys
from typing import Final

from kernel.core.config import PROJECT_ROOT, Config
from kernel.launch.errors import LaunchError

SKIA_LIBRARIES: Final = {"libEGL.so.1": "libegl1", "libGL.so.1": "libgl1", "libexpat.so.1": "libexpat1"}
"""Shared libraries that skia-python's Linux wheel links to → Debian packages that contain them."""

LAST_PORT: Final = 65_535


def missing_libraries() -> list[str]:
    """Return the Debian packages of the libraries that drawing needs and this machine lacks. Empty on macOS."""
    if not sys.platform.startswith("linux"):
        return []
    missing = []
    for library, package in SKIA_LIBRARIES.items():
        try:
            ctypes.CDLL(library)
        except OSError:
            missing.append(package)
    return missing


def missing_requirements(config: Config) -> list[str]:
    """Return one line for each missing requirement, with the remedy."""
    lines = []
    if packages := missing_libraries():
        lines.append(f"covers cannot be drawn offline: install {' '.join(packages)} (apt-get install, as root)")
    if not (PROJECT_ROOT / config.data.fonts / "@expo-google-fonts").is_dir():
        lines.append(f"the fonts are not installed in {config.data.fonts}: run `npm ci`, or set COVERWRIGHT_FONTS")
    if not (PROJECT_ROOT / "kernel" / "pages" / "static" / "index.html").is_file():
        lines.append("the pages are not built: run `make build`")
    return lines


def require_free_port(host: str, port: int) -> None:
    """Raise LaunchError when the address cannot be listened on, or another process does.

    Without SO_REUSEPORT, which the web server sets: two servers would share the port without an error.
    """
    if not 0 < port <= LAST_PORT:
        raise LaunchError(f"PORT must be between 1 and {LAST_PORT}, not {port}")
    try:
        family, _, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    except socket.gaierror as error:
        raise LaunchError(f"HOST: `{host}` is not an address of this machine") from error
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(address)
        except PermissionError as error:
            raise LaunchError(f"this user may not listen on port {port}; choose one above 1023 in PORT") from error
        except OSError as error:
            raise LaunchError(f"port {port} on {host} is taken; choose another one, like PORT={port + 1}") from error
