"""The environment of this process, replaced for a while."""

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from unittest.mock import patch

from kernel.core import clock


@contextmanager
def environment(values: Mapping[str, str]) -> Iterator[None]:
    """Set variables and look at the clock file that they name; all is as before afterwards.

    What the clock remembers is forgotten once the old environment is whole again: a product's thread that looks earlier
    would keep the wrong file, and its time would jump in some later test.
    """
    try:
        with patch.dict(os.environ, values):
            clock._offset_file.cache_clear()
            yield
    finally:
        clock._offset_file.cache_clear()
