"""What Prometheus reads: names by its conventions, figures that are true, one answer for all processes of a host."""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from prometheus_client import Metric
from prometheus_client.parser import text_string_to_metric_families

from kernel.core.config import PROJECT_ROOT, load_config
from kernel.core.process.metrics_folder import FOLDER
from kernel.runtime import open_runtime
from tests.person import Person
from tests.product import Product
from tests.support.processes import wait_until

UNITS = ("seconds", "bytes", "dollars")
NOT_IN_NAMES = ("gauge", "counter", "histogram", "milliseconds", "minutes", "hours", "kilobytes", "megabytes", "micros")


@pytest.fixture
def admin(product: Product) -> Person:
    return product.user(admin=True)


def read(text: str) -> dict[str, Metric]:
    """Return the families of a text, each only once."""
    families = list(text_string_to_metric_families(text))
    assert len({family.name for family in families}) == len(families)
    return {family.name: family for family in families}


def told(person: Person) -> dict[str, Metric]:
    answer = person.get("/metrics")
    assert answer.status_code == 200
    return read(answer.text)


def value(families: dict[str, Metric], sample: str, **labels: str) -> float:
    """Return the sum of the samples of this name with these labels."""
    found = [
        one.value
        for family in families.values()
        for one in family.samples
        if one.name == sample and labels.items() <= one.labels.items()
    ]
    return sum(found)


def test_names_follow_the_conventions(product: Product) -> None:
    product.user().cover()
    for name, family in told(product.visitor()).items():
        assert re.fullmatch(r"coverwright(?:_[a-z0-9]+)+", name), name
        assert family.documentation and family.type in ("gauge", "counter", "histogram"), name
        assert not set(NOT_IN_NAMES) & set(name.split("_")), name
        if (unit := next((unit for unit in UNITS if unit in name.split("_")), None)) is not None:
            assert name.endswith(unit), name
        for sample in family.samples:
            counts = family.type == "counter" and not sample.name.endswith("_created")
            assert counts == sample.name.endswith("_total"), sample.name
            assert not {"instance", "job"} & set(sample.labels), sample.name


def test_jobs_are_those_of_the_database(product: Product, admin: Person) -> None:
    product.pause_worker()
    try:
        before = value(told(admin), "coverwright_jobs", kind="generation", state="waiting")
        ada = product.user()
        ids = [ada.generate() for _ in range(3)]
        families = told(admin)
        assert value(families, "coverwright_jobs", kind="generation", state="waiting") == before + len(ids)
        assert value(families, "coverwright_jobs_oldest_age_seconds", kind="generation", state="waiting") > 0
        admin.post("/api/admin/job-kinds/archive/pause")
        assert value(told(admin), "coverwright_jobs_paused", kind="archive") == 1
        admin.post("/api/admin/job-kinds/archive/resume")
        assert value(told(admin), "coverwright_jobs_paused") == 0
    finally:
        product.resume_worker()
    for generation in ids:
        ada.finished(generation)
    assert value(told(admin), "coverwright_jobs", kind="generation", state="waiting") == before


def test_work_is_counted_where_it_is_done(product: Product, admin: Person) -> None:
    before = told(admin)
    ada = product.user()
    ada.cover()

    def grown(sample: str, **labels: str) -> float:
        return value(told(admin), sample, **labels) - value(before, sample, **labels)

    wait_until(lambda: grown("coverwright_jobs_ended_total", kind="generation", outcome="completed") >= 1, "a cover")
    assert grown("coverwright_job_delay_seconds_count", kind="generation") >= 1
    wait_until(lambda: grown("coverwright_job_attempt_seconds_count", kind="generation") >= 1, "its duration")
    assert grown("coverwright_provider_call_seconds_count", kind="image", operation="generate", outcome="ok") >= 1
    assert grown("coverwright_http_request_seconds_count", route="/api/generate-cover", status="202") >= 1
    wait_until(lambda: grown("coverwright_jobs_ended_total", kind="account_email") >= 1, "an email")
    assert grown("coverwright_emails_total", stream="transactional") >= 1


def test_a_stream_is_open_while_somebody_reads_it(product: Product, admin: Person) -> None:
    product.pause_worker()
    try:
        ada = product.user()
        generation = ada.generate()
        before = value(told(admin), "coverwright_event_streams")
        with ada.stream("GET", f"/api/generation-events/{generation}") as answer:
            next(answer.iter_lines())
            assert value(told(admin), "coverwright_event_streams") == before + 1
    finally:
        product.resume_worker()
    ada.finished(generation)


@pytest.mark.anyio
async def test_without_a_database_the_rest_is_told(tmp_path: Path) -> None:
    nowhere = "postgresql://nobody@127.0.0.1:1/nothing"
    env = {"COVERWRIGHT_DATA": str(tmp_path), "COVERWRIGHT_ENV": "test", "COVERWRIGHT_DATABASE_URL": nowhere}
    async with open_runtime(load_config(env)) as runtime:
        families = read((await runtime.operation.metrics_service.text()).decode())
    assert value(families, "coverwright_database_up") == 0
    assert "coverwright_disk_free_bytes" in families and "coverwright_jobs" not in families


DEPLOY = PROJECT_ROOT / "config" / "deploy"
EXPRESSION_NAME = re.compile(r"\bcoverwright_[a-z0-9_]+")


def alerts() -> dict[str, str]:
    """Return the rule of each alert, as it is written."""
    rules = (DEPLOY / "alerts.yaml").read_text().split("- alert: ")[1:]
    return {rule.partition("\n")[0]: rule for rule in rules}


def expressions() -> dict[str, str]:
    """Return what alerts and panels ask for, by their titles."""
    panels = json.loads((DEPLOY / "grafana.json").read_text())["panels"]
    shown = {f"{one['title']} {target['refId']}": target["expr"] for one in panels for target in one.get("targets", ())}
    return alerts() | shown


def test_alerts_and_dashboard_name_what_is_told(product: Product) -> None:
    there = {sample.name for family in told(product.visitor()).values() for sample in family.samples}
    there |= {f"{name}{end}" for name in told(product.visitor()) for end in ("", "_total", "_count", "_bucket")}
    for title, expression in expressions().items():
        named = set(EXPRESSION_NAME.findall(expression))
        assert named and named <= there, (title, named - there)


def test_the_runbook_has_every_alert() -> None:
    runbook = (DEPLOY / "RUNBOOK.md").read_text()
    assert re.findall(r"^## (\w+)$", runbook, re.MULTILINE) == [*alerts()]
    for name, rule in alerts().items():
        assert f"runbook_url: RUNBOOK.md#{name.lower()}\n" in rule


@pytest.mark.skipif(shutil.which("promtool") is None, reason="promtool is not installed")
def test_alerts_fire_when_they_should() -> None:
    done = subprocess.run(["promtool", "test", "rules", "alerts.test.yaml"], cwd=DEPLOY, text=True, capture_output=True)
    assert done.returncode == 0, done.stdout + done.stderr


COUNT = """
import sys
from kernel.core.process.metrics import EMAILS, EVENT_STREAMS, host_metrics_text
EMAILS.labels("bulk", "sent").inc(2)
EVENT_STREAMS.inc()
print(host_metrics_text().decode(), flush=True)
sys.stdin.read()
"""


@pytest.fixture
def counting(tmp_path: Path) -> Iterator[list[subprocess.Popen[str]]]:
    """Two processes that share a folder; each has counted when it has printed."""
    env = os.environ | {FOLDER: str(tmp_path)}
    started = []
    for _ in range(2):
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
        process = subprocess.Popen([sys.executable, "-c", COUNT], env=env, text=True, **pipes)  # type: ignore[call-overload]
        started.append(process)
        assert process.stdout.readline()
    yield started
    for process in started:
        process.kill()
        process.communicate()


def test_processes_of_a_host_are_told_together(counting: list[subprocess.Popen[str]], tmp_path: Path) -> None:
    def now() -> dict[str, Metric]:
        code = "from kernel.core.process.metrics import host_metrics_text as text; print(text().decode())"
        env = os.environ | {FOLDER: str(tmp_path)}
        return read(subprocess.run([sys.executable, "-c", code], env=env, text=True, capture_output=True).stdout)

    assert value(now(), "coverwright_emails_total", stream="bulk", outcome="sent") == 4
    assert value(now(), "coverwright_event_streams") == 2
    counting[0].kill()
    counting[0].wait()
    families = now()  # what it had open is gone with it, what it has done is not
    assert value(families, "coverwright_event_streams") == 1
    assert value(families, "coverwright_emails_total", stream="bulk", outcome="sent") == 4
