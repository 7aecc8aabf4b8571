"""Logs of a test process, in which products and commands run beside each other."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager

import structlog


@contextmanager
def logging_restored() -> Iterator[None]:
    """Undo what the block configures: a command that sends logs to its own output must not take them from a product."""
    root, configured = logging.getLogger(), structlog.get_config()
    handlers, level = list(root.handlers), root.level
    levels = {name: logging.getLogger(name).level for name in root.manager.loggerDict}
    try:
        yield
    finally:
        structlog.configure(**configured)
        root.handlers[:] = handlers
        root.setLevel(level)
        for name in root.manager.loggerDict:
            logging.getLogger(name).setLevel(levels.get(name, logging.NOTSET))
