"""Where a browser may be sent after signing in: only to a page of this site."""

import unicodedata
from typing import Final
from urllib.parse import quote, unquote

MAX_PATH: Final = 2048
HOME: Final = "/"
_KEEP: Final = "/?#[]@!$&'()*+,;=:%~-._"
_DECODINGS: Final = 4


def safe_path(target: str | None) -> str:
    """Return the target when it is a path of a page of this site, otherwise `/`.

    Browsers read `//host`, `/\\host` and `/<tab>/host` as other sites, so none of these may appear, neither as
    written nor after any number of decodings; nor may `.` segments, which lead there, or /api/, which would act.
    """
    if not target or len(target) > MAX_PATH:
        return HOME
    shown = target
    for _ in range(_DECODINGS):
        if not _is_page(shown):
            return HOME
        decoded = unquote(shown, errors="replace")
        if decoded == shown:
            break
        shown = decoded
    else:
        return HOME
    try:
        return quote(target, safe=_KEEP)
    except UnicodeEncodeError:
        return HOME


def _is_page(target: str) -> bool:
    if not target.startswith("/") or "\\" in target or any(_unseen(char) for char in target):
        return False
    path = target.partition("#")[0].partition("?")[0]
    segments = path.split("/")[1:]
    if any(segment in (".", "..") for segment in segments) or "" in segments[:-1]:
        return False
    return segments[0].lower() != "api"


def _unseen(char: str) -> bool:
    return unicodedata.category(char) in ("Cc", "Cf", "Cs", "Cn", "Zl", "Zp")
