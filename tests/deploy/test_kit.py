"""The deploy kit says what its formats and our settings know, and its parts agree with each other."""

import asyncio
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import pytest
import yaml
from kubernetes_validate import validate

from kernel.core.config import ENVIRONMENT, PROJECT_ROOT, load_config
from kernel.providers import Registry

DEPLOY: Final = PROJECT_ROOT / "config" / "deploy"
COMPOSE: Final = yaml.safe_load((DEPLOY / "compose" / "compose.yaml").read_text())
KUBERNETES: Final = DEPLOY / "kubernetes"
VERSIONS: Final = ("1.29", "1.37")
"""The oldest and the newest Kubernetes whose schemas the manifests are held against."""
BESIDE_SETTINGS: Final = {
    "COVERWRIGHT_CONFIG",
    "COVERWRIGHT_ADMIN_EMAIL",
    "COVERWRIGHT_ADMIN_PASSWORD",
    "COVERWRIGHT_INSTANCE_S3_ACCESS_KEY_ID",
    "COVERWRIGHT_INSTANCE_S3_SECRET_ACCESS_KEY",
    "LD_LIBRARY_PATH",
    "PATH",
    "PYTHONDONTWRITEBYTECODE",
}
"""Variables that are read elsewhere than in the table of settings, by us or by the system."""
OURS: Final = ("migrate", "web-1", "web-2", "worker")


def manifests() -> list[dict[str, Any]]:
    """Return what is applied: what kustomize makes of the folder or, where there is none, the files as they are."""
    command = (
        (shutil.which("kustomize"), "build") if shutil.which("kustomize") else (shutil.which("kubectl"), "kustomize")
    )
    if command[0]:
        made = subprocess.run([command[0], command[1], str(KUBERNETES)], capture_output=True, text=True)
        assert made.returncode == 0, made.stderr
        return [document for document in yaml.safe_load_all(made.stdout) if document]
    files = yaml.safe_load((KUBERNETES / "kustomization.yaml").read_text())["resources"]
    return [document for file in files for document in yaml.safe_load_all((KUBERNETES / file).read_text())]


MANIFESTS: Final = manifests()


def manifest(kind: str, name: str) -> dict[str, Any]:
    return next(one for one in MANIFESTS if one["kind"] == kind and one["metadata"]["name"].startswith(name))


def pod(name: str) -> dict[str, Any]:
    kind = "Job" if name == "migration" else "Deployment"
    spec: dict[str, Any] = manifest(kind, name)["spec"]["template"]["spec"]
    return spec


def lines_of(path: Path) -> dict[str, str]:
    """Return the settings of a file of `NAME=value` lines."""
    lines = (line for line in path.read_text().splitlines() if line and not line.startswith("#"))
    return dict(line.split("=", 1) for line in lines)


def environments() -> Iterator[tuple[str, dict[str, str]]]:
    """Return each place that sets variables of ours, and what it sets."""
    for name in OURS:
        yield f"compose, {name}", {key: str(value) for key, value in COMPOSE["services"][name]["environment"].items()}
    settings = lines_of(KUBERNETES / "settings.env")
    for name in ("migration", "web", "worker"):
        own = pod(name)["containers"][0].get("env", [])
        yield f"Kubernetes, {name}", settings | {entry["name"]: entry["value"] for entry in own}
    units = DEPLOY / "systemd"
    for unit in units.glob("*.service"):
        found = re.findall(r"^Environment=(.*)$", unit.read_text(), re.MULTILINE)
        pairs = (pair.split("=", 1) for line in found for pair in line.split())
        yield unit.name, lines_of(units / "coverwright.env") | dict(pairs)
    image = (DEPLOY / "image" / "Containerfile").read_text()
    given = re.findall(r"^(?:ENV|   ) *([A-Z_]+)=(\S+)", image[image.index("\nENV ") :], re.MULTILINE)
    yield "image", dict(given)


ENVIRONMENTS: Final = dict(environments())


@pytest.mark.parametrize("place", ENVIRONMENTS)
def test_every_setting_of_the_kit_exists_and_can_be_used(place: str, tmp_path: Path) -> None:
    given = ENVIRONMENTS[place]
    assert given
    assert {name.removesuffix("_FILE") for name in given} <= {*ENVIRONMENT, *BESIDE_SETTINGS}
    env = filled(given, place, tmp_path)
    config = load_config(env)
    if "COVERWRIGHT_CONFIG" not in given:
        return
    assert config.https and config.public_url.startswith("https://")
    registry = Registry.from_config(config, env=env)
    try:
        states = {instance.id: (instance.state, instance.problems) for instance in registry.snapshot.instances.values()}
        assert {state for state, _ in states.values()} == {"ready"}, states
        assert config.routes.storage == ("s3",)
    finally:
        asyncio.run(registry.aclose())


def filled(given: Mapping[str, str], place: str, folder: Path) -> dict[str, str]:
    """Return an environment with secrets of its own and this project's file instead of the paths in containers."""
    env = dict(given)
    for name in given:
        if name.endswith("_FILE"):
            secret = folder / name
            urls = {"COVERWRIGHT_DATABASE_URL_FILE": "postgresql://a:b@c/d", "COVERWRIGHT_REDIS_URL_FILE": "redis://c"}
            secret.write_text(urls.get(name, "0123456789abcdef" * 3))
            env[name] = str(secret)
    if "COVERWRIGHT_CONFIG" in env:
        env["COVERWRIGHT_CONFIG"] = str(DEPLOY / place.partition(",")[0].lower() / "site.toml")
    host = re.compile(r"\$\{\w+:-([^}]*)\}")
    return {name: host.sub(r"\1", value) for name, value in env.items()} | {"COVERWRIGHT_DATA": str(folder)}


def test_the_compose_file_follows_its_schema() -> None:
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", "vendor.compose-spec"]
    done = subprocess.run([*command, str(DEPLOY / "compose" / "compose.yaml")], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


def test_the_compose_file_names_only_what_it_declares_and_what_is_there() -> None:
    for name, service in COMPOSE["services"].items():
        named = {
            "secrets": service.get("secrets", []),
            "networks": service.get("networks", []),
            "configs": [entry["source"] for entry in service.get("configs", [])],
            "volumes": [entry.partition(":")[0] for entry in service.get("volumes", [])],
            "services": list(service.get("depends_on", [])),
        }
        for kind, names in named.items():
            assert set(names) <= set(COMPOSE[kind]), (name, kind)
        for value in service.get("environment", {}).values():
            if str(value).startswith("/run/secrets/"):
                assert Path(value).name in service["secrets"], (name, value)
    for entry in COMPOSE["configs"].values():
        assert (DEPLOY / "compose" / entry["file"]).is_file(), entry
    upstreams = COMPOSE["services"]["proxy"]["environment"]["UPSTREAMS"].split()
    assert upstreams == [f"{name}:8000" for name in COMPOSE["services"] if name.startswith("web")]
    prometheus = yaml.safe_load((DEPLOY / "compose" / "prometheus.yaml").read_text())["scrape_configs"]
    assert prometheus[0]["static_configs"][0]["targets"] == upstreams
    subnet = COMPOSE["networks"]["front"]["ipam"]["config"][0]["subnet"]
    assert all(COMPOSE["services"][name]["environment"]["COVERWRIGHT_TRUSTED_PROXIES"] == subnet for name in OURS)


def test_only_the_proxy_is_published_and_our_own_run_without_rights() -> None:
    public = {
        name
        for name, service in COMPOSE["services"].items()
        if any(not port.startswith("127.0.0.1:") for port in service.get("ports", []))
    }
    assert public == {"proxy"}
    for name in OURS:
        service = COMPOSE["services"][name]
        assert service["read_only"] and service["cap_drop"] == ["ALL"], name
    for name in ("migration", "web", "worker"):
        context = pod(name)["containers"][0]["securityContext"]
        assert context["readOnlyRootFilesystem"] and not context["allowPrivilegeEscalation"], name
    image = (DEPLOY / "image" / "Containerfile").read_text()
    assert re.search(r"^USER 10001:10001$", image, re.MULTILINE) and 'ENTRYPOINT ["/usr/bin/tini"' in image


def test_the_keys_of_compose_are_made_once_and_kept_from_others(tmp_path: Path) -> None:
    shutil.copy(DEPLOY / "compose" / "secrets.sh", tmp_path)
    contents = list[dict[str, str]]()
    for _ in range(2):
        subprocess.run([str(tmp_path / "secrets.sh")], check=True, capture_output=True)
        contents.append({path.name: path.read_text() for path in (tmp_path / "secrets").iterdir()})
    made = contents[0]
    assert contents[1] == made
    assert {entry["file"] for entry in COMPOSE["secrets"].values()} == {f"./secrets/{name}" for name in made}
    assert (tmp_path / "secrets").stat().st_mode & 0o077 == 0
    assert len(made["secret_key"]) == 64 and made["database_password"] in made["database_url"]
    known = yaml.safe_load(made["objects_json"])["identities"][0]["credentials"][0]
    assert known == {"accessKey": made["objects_key"], "secretKey": made["objects_secret"]}
    ignored = subprocess.run(["git", "check-ignore", "config/deploy/compose/secrets/secret_key"], cwd=PROJECT_ROOT)
    assert ignored.returncode == 0


@pytest.mark.parametrize("version", VERSIONS)
def test_the_manifests_follow_the_schemas_of_kubernetes(version: str) -> None:
    assert len(MANIFESTS) >= 12
    for one in MANIFESTS:
        validate(one, version, strict=True)


def test_every_manifest_is_applied_and_names_what_there_is() -> None:
    listed = set(yaml.safe_load((KUBERNETES / "kustomization.yaml").read_text())["resources"])
    assert listed == {path.name for path in KUBERNETES.glob("*.yaml")} - {"kustomization.yaml"}
    secret = (KUBERNETES / "secrets.example.sh").read_text()
    paths = [value for value in lines_of(KUBERNETES / "settings.env").values() if value.startswith("/run/secrets/")]
    assert {Path(path).name for path in paths} == set(re.findall(r"--from-literal=(\w+)=", secret))
    for name in ("web", "worker"):
        labels = manifest("Deployment", name)["spec"]["template"]["metadata"]["labels"]
        for kind, path in (
            ("Deployment", "selector"),
            ("PodDisruptionBudget", "selector"),
            ("NetworkPolicy", "podSelector"),
        ):
            assert manifest(kind, name)["spec"][path]["matchLabels"].items() <= labels.items()
        target = manifest("HorizontalPodAutoscaler", name)["spec"]
        assert target["scaleTargetRef"]["name"] == name
        assert target["minReplicas"] > manifest("PodDisruptionBudget", name)["spec"]["minAvailable"]
    backend = manifest("Ingress", "web")["spec"]["rules"][0]["http"]["paths"][0]["backend"]["service"]
    assert backend["port"]["name"] == manifest("Service", "web")["spec"]["ports"][0]["name"]
    container = pod("web")["containers"][0]
    probes = {kind: container[kind]["httpGet"]["path"] for kind in ("livenessProbe", "readinessProbe", "startupProbe")}
    assert probes == {"livenessProbe": "/healthz", "readinessProbe": "/readyz", "startupProbe": "/healthz"}


def test_a_worker_has_more_time_to_end_than_it_takes() -> None:
    drain_s = load_config({}).generation.drain_s
    hand_over_s = 5.0
    assert float(COMPOSE["services"]["worker"]["stop_grace_period"].removesuffix("s")) > drain_s + hand_over_s
    given = {entry["name"]: entry["value"] for entry in pod("worker")["containers"][0]["env"]}
    assert pod("worker")["terminationGracePeriodSeconds"] > float(given["COVERWRIGHT_DRAIN_S"]) + hand_over_s
    unit = (DEPLOY / "systemd" / "coverwright.service").read_text()
    limit = re.search(r"^TimeoutStopSec=(\d+)$", unit, re.MULTILINE)
    assert limit is not None and int(limit[1]) > drain_s + 2 * hand_over_s


def test_systemd_takes_the_units(tmp_path: Path) -> None:
    program = shutil.which("systemd-analyze")
    if program is None:
        pytest.skip("systemd-analyze is part of systemd, which this system does not have")
    for unit in (DEPLOY / "systemd").glob("coverwright*.*"):
        (tmp_path / unit.name).write_text(unit.read_text().replace("/opt/coverwright", str(PROJECT_ROOT)))
    units = [str(path) for path in tmp_path.iterdir() if path.suffix in (".service", ".timer")]
    done = subprocess.run([program, "verify", *units], capture_output=True, text=True)
    assert done.returncode == 0 and str(tmp_path) not in done.stderr, done.stderr


def test_the_image_is_built_from_what_there_is() -> None:
    text = (DEPLOY / "image" / "Containerfile").read_text()
    for path in re.findall(r"config/deploy/[\w./]+", text):
        assert (PROJECT_ROOT / path).is_file() and (not path.endswith(".sh") or os.access(PROJECT_ROOT / path, os.X_OK))
    folders = {path.split("/")[0] for path in re.findall(r"\./(\w+)", text)}
    assert not folders, "everything is copied by `COPY . .`"
    assert not re.search(
        r"^(kernel|plugins|config|web|\.ci|requirements\.lock)$",
        (PROJECT_ROOT / ".dockerignore").read_text(),
        re.MULTILINE,
    )
