"""The one outbound client. It connects only to public addresses, or to those that the operator has listed."""

import asyncio
import ipaddress
import socket
from collections.abc import Collection, Iterable
from typing import Any, Final

import httpcore
import httpx

from kernel.core.config import Config
from kernel.spi import ascii_host

CONNECT_TIMEOUT_S: Final = 5.0
READ_TIMEOUT_S: Final = 120.0
PORTS: Final = frozenset({80, 443})


def is_public(address: str) -> bool:
    """Return whether an IP address is global; IPv4 mapped, 6to4 and NAT64 forms are unwrapped first."""
    ip: ipaddress.IPv4Address | ipaddress.IPv6Address = ipaddress.ip_address(address)
    if isinstance(ip, ipaddress.IPv6Address):
        if ip in ipaddress.ip_network("64:ff9b::/96"):
            ip = ipaddress.IPv4Address(int(ip) & 0xFFFFFFFF)
        else:
            ip = ip.ipv4_mapped or ip.sixtofour or ip
    return ip.is_global and not ip.is_multicast


def cure_for(host: str, port: int, *uses: str) -> str:
    """Return what an operator can do so that a refused address is reached, for the first of these uses."""
    entry = "=".join((*uses[:1], f"{host}:{port}"))
    return f"an operator may list {entry} in COVERWRIGHT_ALLOW_PRIVATE_ADDRESSES"


class AddressRefused(Exception):
    """The address rule forbids a connection to this address."""


async def find_addresses(host: str, port: int, allowed: Collection[str]) -> tuple[str, ...]:
    """Return the IP addresses of a host name. Connect to one of these, not to the name: it may change its addresses.

    Raises AddressRefused unless all are public or `allowed` lists `host:port`, OSError when there are none, and
    UnicodeError for a name that cannot be written in ASCII.
    """
    host = ascii_host(host)  # the resolver would encode it by Python's codec, which finds another host for some names
    found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    addresses = tuple(dict.fromkeys(str(entry[4][0]) for entry in found))
    if f"{host}:{port}" not in allowed and not all(is_public(address) for address in addresses):
        raise AddressRefused(f"{host} is not a public address")
    return addresses


def allowed_addresses(config: Config, *uses: str) -> frozenset[str]:
    """Return the `host:port` entries of private addresses that hold for these uses: an instance's id, and its kind.

    An entry `use=host:port` is for that use alone, so that what is listed for one cannot be reached through another.
    """
    found = set()
    for entry in config.security.allow_private_addresses:
        use, for_one, address = entry.rpartition("=")
        if not for_one or use.strip() in uses:
            host, _, port = address.strip().rpartition(":")
            found.add(f"{ascii_host(host)}:{port}")
    return frozenset(found)


class _GuardedBackend(httpcore.AsyncNetworkBackend):
    """Resolves a name once, refuses it unless all its addresses are public, and connects to a checked address."""

    def __init__(self, allowed: Iterable[str], uses: tuple[str, ...]) -> None:
        self._allowed = frozenset(allowed)
        self._uses = uses
        self._inner: httpcore.AsyncNetworkBackend = httpcore.AnyIOBackend()

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.AsyncNetworkStream:
        if f"{host}:{port}" in self._allowed:
            return await self._inner.connect_tcp(host, port, timeout, local_address, socket_options)
        if port not in PORTS:
            raise httpcore.ConnectError(f"port {port} is not allowed; {cure_for(host, port, *self._uses)}")
        try:
            addresses = await find_addresses(host, port, self._allowed)
        except AddressRefused as error:
            raise httpcore.ConnectError(f"{error}; {cure_for(host, port, *self._uses)}") from error
        except (OSError, UnicodeError) as error:
            raise httpcore.ConnectError(f"cannot resolve {host}") from error
        return await self._inner.connect_tcp(addresses[0], port, timeout, local_address, socket_options)

    async def connect_unix_socket(self, *_: Any, **__: Any) -> httpcore.AsyncNetworkStream:
        raise httpcore.ConnectError("unix sockets are not allowed")

    async def sleep(self, seconds: float) -> None:
        await self._inner.sleep(seconds)


def open_client(config: Config, *uses: str) -> httpx.AsyncClient:
    """Return a client for these uses, see `allowed_addresses`.

    It follows no redirects, ignores proxy variables and checks TLS. Close it with `aclose`.
    """
    transport = httpx.AsyncHTTPTransport(trust_env=False, limits=httpx.Limits(max_connections=50))
    # httpx offers no parameter for the backend; the pool is its one documented extension point for transports.
    transport._pool._network_backend = _GuardedBackend(allowed_addresses(config, *uses), uses)
    return httpx.AsyncClient(
        transport=transport,
        timeout=httpx.Timeout(READ_TIMEOUT_S, connect=CONNECT_TIMEOUT_S),
        follow_redirects=False,
        trust_env=False,
        headers={"user-agent": f"Coverwright ({config.public_url})"},
    )
