"""Traces for OpenTelemetry where an endpoint is configured: requests, attempts at jobs, calls of providers.

A span holds names, ids, states and durations: no body, header, query string, address of a person, or sentence of an
error. Without an endpoint nothing of OpenTelemetry is loaded and a span costs next to nothing.

A job's trace has an id made of the job's own. So the request that accepts a job can be linked to all attempts at it,
in whatever process and however much later they are made, and nothing has to be stored with the job.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple

import structlog

from kernel import __version__

if TYPE_CHECKING:
    from opentelemetry.sdk.trace.sampling import Sampler
    from opentelemetry.trace import Span, SpanContext, Tracer

Role = Literal["server", "client", "producer", "consumer"]
"""What a span is to others, as OpenTelemetry calls it."""

Value = str | int | float | bool

EXPORT_TIMEOUT_S: Final = 5.0
TRACE_PATH: Final = "/v1/traces"
"""Where OTLP over HTTP takes traces (OpenTelemetry protocol, "OTLP/HTTP Request")."""


class _Ids(NamedTuple):
    """The id of a job's trace, and of the span in it that says it was accepted."""

    trace_id: int
    span_id: int


_tracer: Tracer | None = None
_sampler: Sampler | None = None
_wanted: ContextVar[_Ids | None] = ContextVar("wanted_span_ids", default=None)


class Traced:
    """A span that is open; without tracing it does nothing."""

    def __init__(self, span: Span | None = None) -> None:
        self._span = span

    def rename(self, name: str) -> None:
        """Name the span anew: what a request was for is known at its end."""
        if self._span is not None:
            self._span.update_name(name)

    def tell(self, **attributes: Value | None) -> None:
        """Add attributes; `a__b` is written `a.b`, and what is None is left out."""
        if self._span is not None:
            self._span.set_attributes(_attributes(attributes))

    def fail(self, reason: str) -> None:
        """Say that it failed: `reason` is a code or the name of an error's class."""
        if self._span is not None:
            from opentelemetry.trace import StatusCode

            self._span.set_status(StatusCode.ERROR, reason)


_UNTRACED: Final = Traced()


def start(endpoint: str, *, ratio: float, role: Literal["web", "worker"]) -> None:
    """Begin to send this share of the process' spans. Raises ImportError where OpenTelemetry is not installed."""
    global _tracer, _sampler
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
    from opentelemetry.sdk.resources import Resource
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import BatchSpanProcessor
    from opentelemetry.sdk.trace.id_generator import RandomIdGenerator
    from opentelemetry.sdk.trace.sampling import ParentBased, TraceIdRatioBased

    class IdGenerator(RandomIdGenerator):
        def generate_trace_id(self) -> int:
            wanted = _wanted.get()
            return wanted.trace_id if wanted else super().generate_trace_id()

        def generate_span_id(self) -> int:
            wanted = _wanted.get()
            return wanted.span_id if wanted else super().generate_span_id()

    about = {"service.name": "coverwright", "service.version": __version__, "coverwright.role": role}
    _sampler = TraceIdRatioBased(ratio)
    provider = TracerProvider(
        sampler=ParentBased(_sampler),
        resource=Resource.create(about),
        id_generator=IdGenerator(),
    )
    address = endpoint.rstrip("/").removesuffix(TRACE_PATH) + TRACE_PATH
    exporter = OTLPSpanExporter(endpoint=address, timeout=EXPORT_TIMEOUT_S)
    provider.add_span_processor(BatchSpanProcessor(exporter))
    _tracer = provider.get_tracer("coverwright", __version__)


@contextmanager
def traced(name: str, role: Role, **attributes: Value | None) -> Iterator[Traced]:
    """Trace a block, inside of the span that is open already. An exception that leaves it marks it as failed."""
    if _tracer is None:
        yield _UNTRACED
    else:
        with _open(_tracer, name, role, None, attributes) as span:
            yield span


@contextmanager
def traced_request(name: str, headers: Mapping[str, str] | None, **attributes: Value | None) -> Iterator[Traced]:
    """Trace a request. `headers` are those of a caller who is trusted to say which trace it belongs to."""
    if _tracer is None:
        yield _UNTRACED
        return
    from opentelemetry.context import Context
    from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

    context = TraceContextTextMapPropagator().extract(headers, Context()) if headers else Context()
    with _open(_tracer, name, "server", context, attributes) as span:
        yield span


@contextmanager
def traced_job(job: str, kind: str) -> Iterator[Traced]:
    """Trace one attempt at a job, in the trace of that job."""
    if _tracer is None:
        yield _UNTRACED
        return
    from opentelemetry.context import Context
    from opentelemetry.trace import NonRecordingSpan, set_span_in_context

    accepted = NonRecordingSpan(_accepted_in(_ids_of(job)))
    told: dict[str, Value | None] = {"coverwright__job_id": job}
    with _open(_tracer, kind, "consumer", set_span_in_context(accepted, Context()), told) as span:
        yield span


def accepted(job: str, kind: str) -> None:
    """Begin the trace of a job that the request at hand has made, and link the two."""
    if _tracer is None:
        return
    from opentelemetry.context import Context
    from opentelemetry.trace import Link, SpanKind, get_current_span

    ids, request = _ids_of(job), get_current_span()
    token = _wanted.set(ids)
    try:
        links = [Link(request.get_span_context())] if request.get_span_context().is_valid else []
        told = {"coverwright.job_id": job}
        span = _tracer.start_span(f"{kind} accepted", Context(), SpanKind.PRODUCER, told, links)
    finally:
        _wanted.reset(token)
    span.end()
    request.add_link(_accepted_in(ids))


@contextmanager
def _open(
    tracer: Tracer, name: str, role: Role, context: Any, attributes: Mapping[str, Value | None]
) -> Iterator[Traced]:
    from opentelemetry.trace import SpanKind, StatusCode

    with tracer.start_as_current_span(
        name,
        context,
        SpanKind[role.upper()],
        _attributes(attributes),
        record_exception=False,  # its sentence may hold what nobody else is to read
        set_status_on_exception=False,
    ) as span:
        trace_id = f"{span.get_span_context().trace_id:032x}"
        with structlog.contextvars.bound_contextvars(trace_id=trace_id):
            try:
                yield Traced(span)
            except BaseException as error:
                span.set_status(StatusCode.ERROR, type(error).__name__)
                raise


def _ids_of(job: str) -> _Ids:
    """Return the ids of a job's trace, which are evenly spread, as sampling wants them."""
    digest = hashlib.blake2b(job.encode(), digest_size=24).digest()
    return _Ids(int.from_bytes(digest[:16]) or 1, int.from_bytes(digest[16:]) or 1)


def _accepted_in(ids: _Ids) -> SpanContext:
    """Return the span that accepted a job. Whether its trace is kept is told by its id: the same for all attempts."""
    from opentelemetry.sdk.trace.sampling import Decision
    from opentelemetry.trace import SpanContext, TraceFlags

    is_kept = (
        _sampler is not None and _sampler.should_sample(None, ids.trace_id, "").decision is Decision.RECORD_AND_SAMPLE
    )
    flags = TraceFlags(TraceFlags.SAMPLED if is_kept else TraceFlags.DEFAULT)
    return SpanContext(ids.trace_id, ids.span_id, is_remote=True, trace_flags=flags)


def _attributes(told: Mapping[str, Value | None]) -> dict[str, Value]:
    return {name.replace("__", "."): value for name, value in told.items() if value is not None}
