"""Logs and traces. They never hold a body, a cookie, a header or a query string."""

import logging
import logging.config
import sys
from typing import Any, Final, Literal

import structlog

from kernel.core.config import Config, ConfigError
from kernel.core.process import tracing

SECRET_WORDS: Final = ("password", "secret", "token", "authorization", "cookie", "api_key", "body")

HIDDEN_CHARS: Final = 6
"""A shorter secret is part of too many ordinary words; no vendor issues such keys."""

_hidden: set[str] = set()


def hide(secret: str) -> None:
    """Mask a secret in all further log lines of this process, traces of other libraries included."""
    if len(secret) >= HIDDEN_CHARS:
        _hidden.add(secret)


def _redact(_logger: Any, _method: str, entry: dict[str, Any]) -> dict[str, Any]:
    for key, value in entry.items():
        if any(word in key.lower() for word in SECRET_WORDS):
            entry[key] = "***"
        elif isinstance(value, str):
            for secret in _hidden:
                value = value.replace(secret, "***")
            entry[key] = value
    return entry


def _one_line(_logger: Any, _method: str, entry: dict[str, Any]) -> dict[str, Any]:
    """Keep a user's line breaks from forging log lines."""
    for key, value in entry.items():
        if isinstance(value, str) and key != "exception":
            entry[key] = value.replace("\r", "\\r").replace("\n", "\\n")
    return entry


def configure_logging(config: Config, *, level: str | None = None) -> None:
    """Send all logs, ours and the libraries', to standard error in the configured form.

    `level` stands in for the configured one: who types a command wants its answer, and warnings.
    """
    least = level or config.server.log_level
    shared: list[Any] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.stdlib.add_logger_name,
        structlog.stdlib.PositionalArgumentsFormatter(),
        structlog.stdlib.ExtraAdder(),
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        structlog.processors.format_exc_info,
        _redact,
        _one_line,
    ]
    as_text = config.server.log_format == "text"
    renderer: Any = (
        structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty()) if as_text else structlog.processors.JSONRenderer()
    )
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=shared,
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, renderer],
        )
    )
    structlog.configure(
        processors=[*shared, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        wrapper_class=structlog.make_filtering_bound_logger(least),
        logger_factory=structlog.stdlib.LoggerFactory(),
        cache_logger_on_first_use=True,
    )
    root = logging.getLogger()
    root.handlers = [handler]
    root.setLevel(least.upper())
    for noisy in ("httpx", "httpcore", "saq", "PIL", "fontTools", "aiosqlite", "asyncio", "_granian"):
        logging.getLogger(noisy).setLevel(logging.WARNING)


def configure_tracing(config: Config, role: Literal["web", "worker"]) -> None:
    """Send traces where the configuration names a collector. Raises ConfigError where the libraries are missing."""
    if endpoint := config.server.otlp_endpoint:
        try:
            tracing.start(endpoint, ratio=config.server.otlp_ratio, role=role)
        except ImportError as error:
            raise ConfigError("server.otlp_endpoint: install coverwright[tracing] for traces") from error
