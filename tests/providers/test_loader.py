"""Loading plugins: one that breaks is listed with its reason, the rest work."""

from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import EntryPoint

import pytest

from kernel.providers import Plugins, load_plugins
from kernel.spi import CONTRACT_VERSIONS, KernelEvent
from tests.providers.conftest import STUB_ENV

MAJOR, MINOR = CONTRACT_VERSIONS["image"]

GOOD = """
from typing import Annotated
from msgspec import Meta
from kernel.spi import ImageCapabilities, ProviderSpec, Settings, hookimpl

class Knobs(Settings, frozen=True, kw_only=True):
    level: Annotated[int, Meta(title="Level", description="How much.")] = 1

def build(settings, context):
    raise NotImplementedError

SPEC = ProviderSpec(kind="image", id="{id}", label="L", summary="S", contract=({major}, 0), settings=Knobs, build=build)

@hookimpl
def register_image_providers():
    return [SPEC]
"""


def good(provider_id: str, major: int = MAJOR) -> str:
    return GOOD.format(id=provider_id, major=major)


WritePlugin = Callable[[str, str], str]


def load(*modules: str, **env: str) -> Plugins:
    return load_plugins(env, [EntryPoint(name=name, value=name, group="coverwright.plugins") for name in modules])


def reason(plugins: Plugins, name: str) -> tuple[str, str]:
    record = next(record for record in plugins.records if record.name == name)
    return record.state, record.reason


def test_a_good_plugin_loads(write_plugin: WritePlugin) -> None:
    plugins = load(write_plugin("plug_good", good("acme")))
    assert [(record.name, record.state, record.providers) for record in plugins.records] == [
        ("plug_good", "loaded", ("image:acme",))
    ]
    offer = plugins.offer("image", "acme")
    assert offer is not None and offer.plugin == "plug_good"


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("raise ValueError('no licence')", "ValueError: no licence"),
        ("import sys; sys.exit('bye')", "SystemExit: bye"),
        ("def broken(:", "SyntaxError"),
        ("import a_module_nobody_has", "ModuleNotFoundError"),
        (good("acme").replace("register_image_providers", "register_imag_providers"), "register_imag_providers"),
        (good("Bad Id"), "does not match"),
        (good("acme").replace('description="How much."', ""), "need a title and a description: level"),
        (good("acme").replace('kind="image"', 'kind="email"'), "kind `email`"),
        (good("acme").replace("return [SPEC]", "return [SPEC, SPEC]"), "offers image provider `acme` twice"),
        (good("acme").replace("return [SPEC]", "return ['acme']"), "returned a str"),
        (good("acme").replace("return [SPEC]", "raise KeyError('x')"), "KeyError"),
        (good("acme").replace("settings=Knobs", "settings=dict"), "not a subclass of Settings"),
        (good("acme").replace("settings=Knobs", "settings=Knobs, static='json'"), "has no folder `static`"),
        (good("acme").replace("settings=Knobs", "settings=Knobs, static=7"), "no name of a package"),
        ("nothing = 1", "offers no provider"),
    ],
)
def test_a_broken_plugin_is_listed_and_the_rest_load(write_plugin: WritePlugin, source: str, expected: str) -> None:
    plugins = load(write_plugin("plug_a_broken", source), write_plugin("plug_b_good", good("fine")))
    state, why = reason(plugins, "plug_a_broken")
    assert state == "broken"
    assert expected in why
    assert plugins.offer("image", "fine") is not None
    assert plugins.offer("image", "acme") is None


def test_a_taken_provider_id_breaks_the_second_plugin_only(write_plugin: WritePlugin) -> None:
    plugins = load(write_plugin("plug_one", good("acme")), write_plugin("plug_two", good("acme")))
    assert reason(plugins, "plug_one")[0] == "loaded"
    assert reason(plugins, "plug_two") == ("broken", "image provider `acme` is already offered by plugin `plug_one`")


def test_another_contract_is_incompatible_not_broken(write_plugin: WritePlugin) -> None:
    state, why = reason(load(write_plugin("plug_future", good("acme", major=MAJOR + 1))), "plug_future")
    assert state == "incompatible"
    assert why == f"`acme` needs a Coverwright with image contract {MAJOR + 1}; this one has {MAJOR}.{MINOR}"


def test_a_plugin_of_a_later_minor_version_loads_with_a_notice(write_plugin: WritePlugin) -> None:
    plugins = load(write_plugin("plug_early", good("acme").replace("(1, 0)", f"({MAJOR}, {MINOR + 1})")))
    assert plugins.offer("image", "acme") is not None
    state, notice = reason(plugins, "plug_early")
    assert state == "loaded"
    ours, theirs = f"{MAJOR}.{MINOR}", f"{MAJOR}.{MINOR + 1}"
    assert notice == f"`acme` is written for image contract {theirs}, this is {ours}: what is newer is not used"


@pytest.mark.parametrize("contract", ['"1.0"', "(1,)", "1", "(1, 0, 0)", "('1', '0')"])
def test_a_contract_that_is_no_version_breaks_the_plugin(write_plugin: WritePlugin, contract: str) -> None:
    plugins = load(write_plugin("plug_odd", good("acme").replace("(1, 0)", contract)))
    state, why = reason(plugins, "plug_odd")
    assert state == "broken"
    assert "not a pair of numbers" in why


@pytest.mark.parametrize(
    ("comparison", "why"),
    [
        ('Comparison(purposes=("world_peace",), cost="free", reach="machine")', "`comparison` of `acme`"),
        ('Comparison(purposes=(), cost="paid", reach="vendor", price_micros=1, price_asof="today")', "needs a day"),
        ('"cheap"', "`comparison` of `acme`"),
    ],
)
def test_a_comparison_that_the_page_could_not_say_breaks_the_plugin(
    write_plugin: WritePlugin, comparison: str, why: str
) -> None:
    source = good("acme").replace("build=build", f"build=build, comparison={comparison}")
    source = source.replace("import ImageCapabilities", "import Comparison, ImageCapabilities")
    state, reason_given = reason(load(write_plugin("plug_compared", source)), "plug_compared")
    assert state == "broken" and why in reason_given


def test_a_plugin_written_against_the_distribution_loads(write_plugin: WritePlugin) -> None:
    source = good("acme").replace("from kernel.spi", "from coverwright_spi")
    assert reason(load(write_plugin("plug_outside", source)), "plug_outside") == ("loaded", "")


def test_operators_choose_what_loads(write_plugin: WritePlugin) -> None:
    names = [write_plugin(f"plug_{word}", good(word)) for word in ("red", "green", "blue")]
    blocked = load(*names, COVERWRIGHT_BLOCK="plug_red")
    assert {record.name: record.state for record in blocked.records} == {
        "plug_blue": "loaded",
        "plug_green": "loaded",
        "plug_red": "blocked",
    }
    chosen = load(*names, COVERWRIGHT_PLUGINS="plug_red, plug_gone")
    assert {record.name: record.state for record in chosen.records} == {
        "plug_blue": "blocked",
        "plug_green": "blocked",
        "plug_red": "loaded",
        "plug_gone": "missing",
    }


def test_a_failing_observer_does_not_break_calls(write_plugin: WritePlugin, capsys: pytest.CaptureFixture[str]) -> None:
    source = "from kernel.spi import hookimpl\n@hookimpl\ndef observe(event):\n    {}\n"
    plugins = load(
        write_plugin("plug_sad", source.format("raise SystemExit(1)")),
        write_plugin("plug_glad", source.format("print('saw', event.name)")),
    )
    plugins.observe(KernelEvent(name="cover.made", subject="1", at_unix=0.0))
    assert capsys.readouterr().out == "saw cover.made\n"


def test_extra_plugins_are_for_tests_only() -> None:
    assert load_plugins(STUB_ENV).offer("image", "stub") is not None
    assert load_plugins({**STUB_ENV, "COVERWRIGHT_ENV": "production"}).offer("image", "stub") is None


def test_installed_plugins_are_found_by_their_entry_points() -> None:
    plugins = load_plugins({"COVERWRIGHT_PLUGINS": "disk_storage"})
    record = next(record for record in plugins.records if record.name == "disk_storage")
    assert (record.state, record.distribution, record.providers) == ("loaded", "coverwright", ("storage:disk",))


@dataclass(frozen=True)
class Installed:
    """A distribution, as far as the loader looks at it."""

    name: str
    version: str = "1.0"

    def locate_file(self, path: str) -> str:
        return f"/nowhere/{path}"


def entry(name: str, distribution: str) -> EntryPoint:
    """Return an entry point as an installed distribution has it."""
    made = EntryPoint(name=name, value=name, group="coverwright.plugins")
    vars(made)["dist"] = Installed(distribution)
    return made


def test_our_own_plugins_come_before_all_others(write_plugin: WritePlugin) -> None:
    names = [write_plugin(name, good("acme")) for name in ("plug_a_late", "plug_z_ours")]
    found = [entry(names[0], "evil-things"), entry(names[1], "coverwright"), entry(names[1], "evil-things")]
    plugins = load_plugins({}, found)
    offer = plugins.offer("image", "acme")
    assert offer is not None and (offer.plugin, offer.distribution) == ("plug_z_ours", "coverwright")
    assert [(one.plugin, one.distribution, one.claimed, one.holder) for one in plugins.clashes] == [
        ("plug_a_late", "evil-things", "image:acme", "plug_z_ours"),
        ("plug_z_ours", "evil-things", "plug_z_ours", "plug_z_ours"),
    ]
