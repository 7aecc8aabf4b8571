"""What is wrong with a `ScriptClient`: asked by the kernel at every call, and by the kit."""

import re
from typing import Any, Final

import msgspec

from .packaged import packaged_files
from .payment_clients import ScriptClient
from .provider import ProviderSpec
from .shapes import misfit

_MOST_DATA_BYTES: Final = 32 * 1024
"""Of the data as JSON: the session of some vendors is a text of 10 KiB."""
_LARGEST: Final = 2**53
"""Beyond it a number of JavaScript is not exact."""
_ELEMENT: Final = re.compile(r"[a-z][a-z0-9-]{2,79}")
_KEY: Final = re.compile(r"[a-z][A-Za-z0-9]{0,39}")


def script_faults(client: ScriptClient, spec: ProviderSpec[Any, Any]) -> list[str]:
    """Return what is wrong with what a provider of this spec returned, a sentence each; nothing when all is well."""
    if wrong := misfit(client, ScriptClient):
        return [wrong]
    faults = []
    try:
        names = packaged_files(spec.static).files
    except ValueError as error:
        return [str(error)]
    if client.module not in names or not client.module.endswith(".js"):
        faults.append(f"the module `{client.module}` is no .js among the packaged files: {', '.join(names) or 'none'}")
    if not _ELEMENT.fullmatch(client.element) or not client.element.startswith(f"{spec.id}-"):
        faults.append(f"the element `{client.element}` does not begin with `{spec.id}-`, or is no name of an element")
    odd = [name for name in client.data if not _KEY.fullmatch(name)]
    if odd:
        faults.append(f"data are named like `sessionId`, and not {', '.join(map(repr, odd))}")
    if any(isinstance(value, int) and abs(value) > _LARGEST for value in client.data.values()):
        faults.append("a number in the data is not exact in a browser: make it a text")
    elif (size := len(msgspec.json.encode(client.data))) > _MOST_DATA_BYTES:
        faults.append(f"the data are {size} bytes, more than {_MOST_DATA_BYTES}")
    return faults
