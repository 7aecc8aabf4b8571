"""Loading the plugins is cheap: a vendor's library is imported on first use."""

import subprocess
import sys

LIBRARIES = ("openai", "replicate", "obstore", "stripe")
PLUGINS = ("openai_images", "replicate_images", "s3_storage", "stripe_payments")


def test_an_unused_plugin_is_not_imported() -> None:
    modules = ", ".join(f"plugins.{name}" for name in PLUGINS)
    code = f"import sys, {modules}; print(*[name for name in {LIBRARIES!r} if name in sys.modules])"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    assert run.stdout.split() == []
