"""A short form of `make cluster`: several hosts, and one of them dies. Skipped where there can be no namespaces."""

import shutil
from collections.abc import Iterator

import pytest

from tests.cluster.hosts import NUMBERS, Network, trouble
from tests.cluster.product import Cluster
from tests.cluster.scenarios import link_to_database_is_cut, worker_host_dies
from tests.cluster.trial import Scenario, try_out
from tests.support.databases import BACKENDS
from tests.support.processes import wait_until

pytestmark = pytest.mark.fault


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    """Two workers and a web server behind HAProxy, with the servers that they need, each on a host of its own."""
    if "postgresql" not in BACKENDS:
        pytest.skip("PostgreSQL is not installed on this machine")
    if not shutil.which("haproxy", path="/usr/sbin:/usr/bin"):
        pytest.skip("HAProxy is not installed on this machine")
    if why := trouble():
        pytest.skip(why)
    cluster = Cluster(web=1, workers=2)
    try:
        cluster.start()
        yield cluster
    finally:
        cluster.close()


@pytest.mark.parametrize("scenario", [worker_host_dies, link_to_database_is_cut])
def test_what_was_accepted_is_made_once_though_a_host_fails(cluster: Cluster, scenario: Scenario) -> None:
    result = try_out(cluster, scenario.__name__, scenario)
    assert result.broken_promises() == []
    assert result.outcome.completed == result.outcome.accepted > 0


def test_what_the_hosts_have_stored_keeps_its_promises(cluster: Cluster) -> None:
    assert "BROKEN" not in cluster.command("doctor", "--quick")


def test_a_run_removes_what_a_killed_one_has_left() -> None:
    if why := trouble():
        pytest.skip(why)
    killed = Network([NUMBERS[-1]])  # others begin with the first
    host = killed.host("left")
    sleeper = host.start("sleep", "1000")
    wait_until(lambda: sleeper.pid in host.group.pids(), "the process among those of its host")
    killed.forget()
    network = Network([killed.number])
    try:
        assert sleeper.wait(10) != 0
        assert not killed.folder.exists()
    finally:
        network.close()
