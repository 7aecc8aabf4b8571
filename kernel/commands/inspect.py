"""`coverwright doctor` and `openapi`: read-only commands."""

from pathlib import Path

import msgspec

from kernel.core.config import Config


async def doctor(config: Config, *, read_objects: bool) -> int:
    """Print every invariant and its violations; return 1 when there are any."""
    from kernel.doctor import examine, report
    from kernel.runtime import open_runtime

    async with open_runtime(config) as runtime:
        findings = await examine(runtime, read_objects=read_objects)
    print(report(findings))
    return int(any(finding.broken for finding in findings))


def write_openapi(config: Config, out: Path) -> int:
    """Write the document from which the web client is generated; keys in a fixed order, so that diffs are readable."""
    from kernel.app import create_app

    schema = create_app(config).openapi_schema.to_schema()
    out.write_bytes(msgspec.json.format(msgspec.json.encode(schema, order="deterministic"), indent=2) + b"\n")
    return 0
