"""What a browser says it is, in names people know. The web application has the same list, in `describe-device.ts`."""

import re
from typing import Final

_BROWSERS: Final = (
    (re.compile(r"\bEdgA?/"), "Edge"),
    (re.compile(r"\bOPR/"), "Opera"),
    (re.compile(r"\bFirefox/|\bFxiOS/"), "Firefox"),
    (re.compile(r"\bChrome/|\bCriOS/"), "Chrome"),
    (re.compile(r"\bSafari/"), "Safari"),
)

_SYSTEMS: Final = (
    (re.compile(r"\biPhone\b"), "iPhone"),
    (re.compile(r"\biPad\b"), "iPad"),
    (re.compile(r"\bAndroid\b"), "Android"),
    (re.compile(r"\bWindows\b"), "Windows"),
    (re.compile(r"\bMac OS X\b"), "macOS"),
    (re.compile(r"\bLinux\b"), "Linux"),
)


def browser_and_system(user_agent: str) -> tuple[str, str]:
    """Return the names of the browser and its system, empty where it names none that we know.

    Only names of these lists are returned, never the header's own text, which is whatever its sender likes.
    """
    browser = next((name for mark, name in _BROWSERS if mark.search(user_agent)), "")
    system = next((name for mark, name in _SYSTEMS if mark.search(user_agent)), "")
    return browser, system
