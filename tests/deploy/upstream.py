"""A web server behind a proxy, that tells what it was asked, and a certificate for the proxy in front."""

import datetime
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

HOST = "covers.example"


class Upstream(ThreadingHTTPServer):
    """Answers every GET with the headers that it got, every POST with the size of the body."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.more = threading.Event()
        """Lets a stream of events go on after its first event."""
        self.asked: list[str] = []

    @property
    def port(self) -> int:
        return int(self.server_address[1])


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Upstream

    def do_GET(self) -> None:
        self.server.asked.append(self.path)
        if self.path.startswith("/api/generation-events/"):
            self._stream()
        else:
            self._tell({"path": self.path, "headers": {name.lower(): value for name, value in self.headers.items()}})

    def do_POST(self) -> None:
        self.server.asked.append(self.path)
        self._tell({"size": len(self.rfile.read(int(self.headers["content-length"])))})

    def _tell(self, what: dict[str, Any]) -> None:
        body = json.dumps(what).encode()
        with suppress(ConnectionError):  # a proxy that refuses a body leaves in the middle
            self.send_response(200)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

    def _stream(self) -> None:
        self.send_response(200)
        self.send_header("content-type", "text/event-stream; charset=utf-8")
        self.send_header("transfer-encoding", "chunked")
        self.end_headers()
        for event in (b"data: first\n\n", b"data: second\n\n", b""):
            self.wfile.write(b"%x\r\n%b\r\n" % (len(event), event))
            self.wfile.flush()
            if event.startswith(b"data: first"):
                self.server.more.wait(20)

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing."""


@contextmanager
def upstream() -> Iterator[Upstream]:
    server = Upstream()
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield server
    finally:
        server.more.set()
        server.shutdown()
        thread.join()
        server.server_close()


def write_certificate(folder: Path) -> tuple[Path, Path]:
    """Write a certificate for HOST and its key; return both files."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, HOST)])
    now = datetime.datetime.now(datetime.UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(HOST)]), critical=False)
        .sign(key, hashes.SHA256())
    )
    files = folder / "fullchain.pem", folder / "privkey.pem"
    files[0].write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
    private = (serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    files[1].write_bytes(key.private_bytes(*private))
    return files
