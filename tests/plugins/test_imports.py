"""Loading is cheap: the library of a vendor, or one that draws, is imported on first use."""

import subprocess
import sys

LIBRARIES = ("openai", "replicate", "obstore", "stripe")
PLUGINS = (
    "automatic1111_images",
    "azure_storage",
    "comfyui_images",
    "fal_images",
    "google_images",
    "google_storage",
    "openai_images",
    "replicate_images",
    "s3_storage",
    "stripe_payments",
    "webdav_storage",
)


def test_an_unused_plugin_is_not_imported() -> None:
    modules = ", ".join(f"plugins.{name}" for name in PLUGINS)
    code = f"import sys, {modules}; print(*[name for name in {LIBRARIES!r} if name in sys.modules])"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    assert run.stdout.split() == []


def test_the_web_server_loads_no_library_that_draws_or_signs() -> None:
    libraries = ("skia", "pypdf", "segno", "scipy", "c2pa")
    code = f"import sys, kernel.app; print(*[name for name in {libraries!r} if name in sys.modules])"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    assert run.stdout.split() == []
