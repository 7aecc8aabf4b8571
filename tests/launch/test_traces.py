"""Traces for OpenTelemetry: what a collector is told of a request, of the job it makes, and of the provider's call."""

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.trace.v1.trace_pb2 import Span, Status

from kernel.core.config import ConfigError, load_config
from kernel.spi import ContentRefused
from tests.running_product import RunningProduct
from tests.support.processes import wait_until

GIVEN = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
"""A trace that a proxy has begun: the example of W3C Trace Context, 3.2.3."""


class Collector:
    """Takes traces as OTLP over HTTP and keeps them."""

    def __init__(self) -> None:
        self.bodies: list[bytes] = []
        self.spans: list[Span] = []
        self.roles: set[str] = set()
        collector = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                assert self.path == "/v1/traces"
                collector.take(self.rfile.read(int(self.headers["content-length"])))
                self.send_response(200)
                self.send_header("content-type", "application/x-protobuf")
                self.send_header("content-length", "0")
                self.end_headers()

            def log_message(self, *_: Any) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def take(self, body: bytes) -> None:
        told = ExportTraceServiceRequest.FromString(body)
        for resource in told.resource_spans:
            about = {one.key: one.value.string_value for one in resource.resource.attributes}
            assert about["service.name"] == "coverwright"
            self.roles.add(about["coverwright.role"])
            for scope in resource.scope_spans:
                self.spans += scope.spans
        self.bodies.append(body)

    def named(self, name: str) -> list[Span]:
        return [span for span in self.spans if span.name == name]


@pytest.fixture(scope="module")
def collector() -> Iterator[Collector]:
    collector = Collector()
    yield collector
    collector.server.shutdown()
    collector.server.server_close()


@pytest.fixture(scope="module")
def traced(collector: Collector) -> Iterator[RunningProduct]:
    product = RunningProduct(
        env={
            "COVERWRIGHT_OTLP_ENDPOINT": f"http://127.0.0.1:{collector.server.server_port}/",
            "COVERWRIGHT_TRUSTED_PROXIES": "127.0.0.1",
            "OTEL_BSP_SCHEDULE_DELAY": "100",
        }
    ).start()
    yield product
    product.close()


def attributes(span: Span) -> dict[str, Any]:
    return {one.key: getattr(one.value, str(one.value.WhichOneof("value"))) for one in span.attributes}


def test_a_cover_is_followed_from_its_request_to_the_provider(traced: RunningProduct, collector: Collector) -> None:
    ada = traced.user()
    answer = ada.post(
        "/api/generate-cover?secret=ask-nobody",
        json={"prompt": "a quiet harbor nobody else may read of", "title": "Tide", "dimensions": "1024x1792"},
        headers={"traceparent": GIVEN},
    )
    assert answer.status_code == 202, answer.text
    generation_id = answer.json()["generationId"]
    assert ada.finished(generation_id)["status"] == "completed"
    job = {"coverwright.job_id": f"generation-{generation_id}"}
    wait_until(
        lambda: [one for one in collector.named("generation") if job.items() <= attributes(one).items()], "spans"
    )

    (request,) = collector.named("POST /api/generate-cover")
    assert (request.trace_id.hex(), request.parent_span_id.hex()) == (GIVEN[3:35], GIVEN[36:52])
    about, request_id = attributes(request), answer.headers["x-request-id"]
    assert (about["http.response.status_code"], about["coverwright.request_id"]) == (202, request_id)
    (accepted,) = collector.named("generation accepted")
    (attempt,) = collector.named("generation")
    assert accepted.links[0].span_id == request.span_id and request.links[0].span_id == accepted.span_id
    assert attempt.trace_id == accepted.trace_id != request.trace_id and attempt.parent_span_id == accepted.span_id
    (call,) = collector.named("image generate")
    assert (call.kind, call.trace_id, call.parent_span_id) == (
        Span.SPAN_KIND_CLIENT,
        attempt.trace_id,
        attempt.span_id,
    )
    assert attributes(call)["coverwright.instance"] == "stub"
    assert collector.roles == {"web", "worker"}
    for secret in (b"quiet harbor", b"ask-nobody", ada.user["email"].encode()):
        assert not [body for body in collector.bodies if secret in body], secret


def test_what_fails_is_told_without_its_sentence(traced: RunningProduct, collector: Collector) -> None:
    ada = traced.user()
    traced.stub.does("refused", "ok")
    generation_id = ada.generate(title="Refused")
    assert ada.finished(generation_id)["status"] == "failed"

    def refused() -> list[Span]:
        return [one for one in collector.named("image generate") if one.status.code == Status.STATUS_CODE_ERROR]

    (call,) = wait_until(refused, "the span of what was refused")
    assert call.status.message == ContentRefused.code and not call.events


def test_who_is_no_proxy_chooses_no_trace() -> None:
    product = RunningProduct(env={"COVERWRIGHT_OTLP_ENDPOINT": "http://127.0.0.1:9"}).start()
    try:
        answer = product.user().get("/api/auth/user", headers={"traceparent": GIVEN})
        assert answer.status_code == 200, "a collector that is away keeps nobody waiting"
        assert GIVEN[3:35] not in product.log.read_text()
        assert product.terminate() < 10
    finally:
        product.close()


@pytest.mark.parametrize("wrong", [{"ENDPOINT": "collector:4318"}, {"RATIO": "1.5"}])
def test_an_address_that_is_none_and_a_share_above_all_are_refused(wrong: dict[str, str]) -> None:
    with pytest.raises(ConfigError, match="otlp"):
        load_config({f"COVERWRIGHT_OTLP_{name}": value for name, value in wrong.items()})
