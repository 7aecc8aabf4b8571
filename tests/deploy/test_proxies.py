"""The examples of proxies, run as they are in front of a server that tells what reaches it."""

import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

import httpx
import pytest
from litestar.handlers import HTTPRouteHandler

from kernel.core.config import PROJECT_ROOT
from tests.deploy.upstream import HOST, Upstream, upstream, write_certificate
from tests.support.applications import described
from tests.support.processes import free_port, wait_until

PROXY: Final = PROJECT_ROOT / "config" / "deploy" / "proxy"
MIB: Final = 2**20
LARGE: Final = ("/api/preflight", "/api/generate-cover-with-references")


def program(name: str) -> str:
    found = shutil.which(name, path=f"{os.environ['PATH']}:/usr/sbin:/opt/homebrew/bin")
    if found is None:
        pytest.skip(f"{name} is not installed: .ci/deploy.sh installs it")
    return found


@contextmanager
def nginx(folder: Path, behind: int) -> Iterator[int]:
    """Run the example with other ports, files and upstream; its port for https."""
    port = free_port()
    certificate, key = write_certificate(folder)
    text = (PROXY / "nginx.conf").read_text()
    for old, new in (
        ("server 127.0.0.1:8000 ", f"server 127.0.0.1:{behind} "),
        ("listen 80;", f"listen 127.0.0.1:{free_port()};"),
        ("listen 443 ssl", f"listen 127.0.0.1:{port} ssl"),
        ("/etc/ssl/coverwright/fullchain.pem", str(certificate)),
        ("/etc/ssl/coverwright/privkey.pem", str(key)),
    ):
        assert old in text, old
        text = text.replace(old, new)
    text = re.sub(r"^ *listen \[::\]:.*\n", "", text, flags=re.MULTILINE)
    (folder / "site.conf").write_text(text)
    own = "".join(f"{kind}_temp_path {folder};" for kind in ("proxy", "client_body", "fastcgi", "uwsgi", "scgi"))
    user = "user root;" if os.getuid() == 0 else ""  # its workers have to write into the folder
    (folder / "nginx.conf").write_text(
        f"{user} daemon off; pid {folder}/pid; error_log stderr warn; events {{}}\n"
        f"http {{ access_log off; {own} include {folder}/site.conf; }}\n"
    )
    command = [program("nginx"), "-e", "stderr", "-p", str(folder), "-c", str(folder / "nginx.conf")]
    examined = subprocess.run([*command, "-t"], capture_output=True, text=True)
    assert examined.returncode == 0 and "warn" not in examined.stderr, examined.stderr
    with running(command, folder):
        yield port


@contextmanager
def caddy(folder: Path, behind: int) -> Iterator[int]:
    """Run the example with a certificate of its own and another port."""
    port = free_port()
    own = {"XDG_DATA_HOME": str(folder), "XDG_CONFIG_HOME": str(folder), "HOME": str(folder)}
    env = {**os.environ, **own, "SITE_HOST": HOST, "UPSTREAMS": f"127.0.0.1:{behind}"}
    ports = f"{{\n\tadmin off\n\tskip_install_trust\n\thttp_port {free_port()}\n\thttps_port {port}\n\tlocal_certs\n"
    text = (PROXY / "Caddyfile").read_text()
    at = text.index("\n{\n") + 1
    (folder / "Caddyfile").write_text(text[:at] + ports + text[at + 2 :])
    options = ["--config", str(folder / "Caddyfile"), "--adapter", "caddyfile"]
    examined = subprocess.run([program("caddy"), "validate", *options], env=env, capture_output=True, text=True)
    assert examined.returncode == 0, examined.stderr
    with running([program("caddy"), "run", *options], folder, env):
        yield port


@contextmanager
def running(command: list[str], folder: Path, env: dict[str, str] | None = None) -> Iterator[None]:
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen(command, env=env, stdout=log, stderr=log)
        try:
            yield
        finally:
            process.terminate()
            process.wait(20)


class Front:
    """A proxy in front of the server."""

    def __init__(self, port: int, behind: Upstream) -> None:
        self.behind = behind
        transport = httpx.HTTPTransport(verify=False, local_address="127.0.0.1")
        self.client = httpx.Client(
            base_url=f"https://127.0.0.1:{port}", transport=transport, headers={"host": HOST}, timeout=20
        )

    def get(self, path: str, **headers: str) -> httpx.Response:
        return self.client.get(path, headers=headers, extensions={"sni_hostname": HOST})

    def post(self, path: str, size: int) -> httpx.Response:
        return self.client.post(path, content=bytes(size), extensions={"sni_hostname": HOST})

    def is_up(self) -> bool:
        try:
            return self.get("/").status_code == 200
        except httpx.TransportError:
            return False


@pytest.fixture(params=[nginx, caddy], ids=["nginx", "caddy"], scope="module")
def front(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Front]:
    folder = tmp_path_factory.mktemp("proxy")
    with upstream() as behind, request.param(folder, behind.port) as port:
        found = Front(port, behind)
        wait_until(found.is_up, f"the proxy; {folder}/log says why", 30)
        yield found
        found.client.close()


def test_the_web_server_gets_the_host_and_the_address_that_the_proxy_sees(front: Front) -> None:
    lie = {"x-forwarded-for": "203.0.113.9", "forwarded": "for=203.0.113.9"}
    got = front.get("/api/account", **lie).json()["headers"]
    assert got["host"] == HOST
    assert got["x-forwarded-for"] == "127.0.0.1"
    assert got["x-forwarded-proto"] == "https"


def test_nobody_reads_the_metrics_through_it(front: Front) -> None:
    before = len(front.behind.asked)
    assert front.get("/metrics", authorization="Bearer token").status_code == 404
    assert "/metrics" not in front.behind.asked[before:]


def test_bodies_pass_up_to_a_little_more_than_the_product_takes(front: Front) -> None:
    handlers = [
        (path, handler.resolve_request_max_body_size() or 0)
        for route in described().routes
        for path in [route.path]
        for handler in getattr(route, "route_handlers", ())
        if isinstance(handler, HTTPRouteHandler) and {"POST", "PUT", "PATCH"} & set(handler.http_methods)
    ]
    assert {path for path, size in handlers if size > 15 * MIB} == set(LARGE)
    for path, largest in (("/api/generate-cover", 15 * MIB), *((path, 58 * MIB) for path in LARGE)):
        assert all(size <= largest for found, size in handlers if found == path)
        assert front.post(path, largest).json() == {"size": largest}
        with suppress(httpx.WriteError):  # it does not wait for the rest
            assert front.post(path, largest + 12 * MIB).status_code == 413


def test_events_go_out_at_once(front: Front) -> None:
    front.behind.more.clear()
    with front.client.stream("GET", "/api/generation-events/1", extensions={"sni_hostname": HOST}) as answer:
        parts = answer.iter_bytes()
        assert next(parts) == b"data: first\n\n"
        front.behind.more.set()
        assert b"".join(parts) == b"data: second\n\n"
