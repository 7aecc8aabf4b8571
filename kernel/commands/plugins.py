"""`coverwright plugins list`: lists installed plugins."""

import os

import msgspec

from kernel.core.config import Config
from kernel.providers import PluginRecord, load_plugins
from kernel.providers.administration.kit_reports import kit_report
from kernel.providers.administration.schemas import KitOut, PluginOut


def list_plugins(config: Config, *, as_json: bool) -> int:
    """Print one line for each plugin, or all of them as JSON; return 1 when one is broken."""
    records = load_plugins(os.environ).records
    reports = [kit_report(config.data_dir, record.distribution) for record in records]
    if as_json:
        listed = [
            PluginOut(**{**msgspec.structs.asdict(record), "providers": list(record.providers)}, kit=report)
            for record, report in zip(records, reports, strict=True)
        ]
        print(msgspec.json.format(msgspec.json.encode(listed)).decode())
    else:
        for record, report in zip(records, reports, strict=True):
            print(_line(record, report))
    return int(any(record.state == "broken" for record in records))


def _line(record: PluginRecord, report: KitOut | None) -> str:
    kit = "kit -" if report is None else "kit ok" if report.ok else f"kit {report.failed} failed"
    source = f"{record.distribution or '-'} {record.version or '-'}"
    providers = ", ".join(record.providers) or "-"
    line = f"{record.name:<18} {source:<22} {record.state:<12} {record.load_ms:6.0f} ms  {kit:<12} {providers}"
    return f"{line}  {record.reason}" if record.reason else line
