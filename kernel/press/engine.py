"""The drawing library, or the error that says why it cannot start."""

import sys

from kernel.press.errors import PressError

LINUX_LIBRARIES = "libegl1 libgl1 libexpat1"  # skia-python 144 links EGL, GL and expat, and bundles none of them

try:
    import skia
except ImportError as error:
    if isinstance(error, ModuleNotFoundError) and error.name == "skia":
        raise PressError("The drawing library is not installed: run `make run`.") from error
    hint = (
        f"install its system libraries: apt-get install --no-install-recommends {LINUX_LIBRARIES}"
        if sys.platform.startswith("linux")
        else "reinstall skia-python for this Python"
    )
    raise PressError(f"The drawing library cannot start ({error}); {hint}.") from error

__all__ = ["skia"]
