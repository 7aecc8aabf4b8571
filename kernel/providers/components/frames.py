"""The document in which a component runs, and the policy that leaves it nothing but its module."""

import hashlib
from base64 import b64encode
from functools import lru_cache
from html import escape
from importlib.resources import files
from typing import Any, Final

import msgspec

from kernel.spi import Component, ProviderSpec, component_module, component_words

_SCRIPT: Final = (files("kernel.providers.components") / "frame.js").read_text("utf-8")
_STYLE: Final = """
:root { background: transparent; }
body { margin: 0; color: var(--ink, CanvasText); font: 0.875rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
"""


@lru_cache(maxsize=64)
def _integrity(text: str) -> str:
    return f"'sha384-{b64encode(hashlib.sha384(text.encode()).digest()).decode()}'"


def frame_document(spec: ProviderSpec[Any, Any], component: Component, language: str) -> tuple[str, dict[str, str]]:
    """Return the frame's HTML and its headers. Scripts and words stand in it, so that it fetches nothing at all.

    It also is a sandbox when it is opened by itself, outside of a frame. Only pages of this site may frame it.
    """
    module = component_module(spec, component)
    words = msgspec.json.encode(component_words(spec, language)).decode().replace("<", "\\u003c")
    html = (
        f'<!doctype html><html data-element="{escape(component.element)}"><head><meta charset="utf-8">'
        f"<title>{escape(spec.label)}</title><style>{_STYLE}</style>"
        f'<script type="application/json" id="words">{words}</script><script>{_SCRIPT}</script>'
        f'<script type="module">{module}</script></head><body></body></html>'
    )
    headers = {
        "content-security-policy": (
            f"default-src 'none'; script-src {_integrity(_SCRIPT)} {_integrity(module)}; style-src 'unsafe-inline'; "
            "img-src data: blob:; connect-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'; "
            "sandbox allow-scripts"
        ),
        "x-frame-options": "SAMEORIGIN",
        "referrer-policy": "no-referrer",
        "cache-control": "no-store",
    }
    return html, headers
