"""Configuration: documented defaults, a file, the environment."""

from pathlib import Path

import pytest

from kernel.core.config import ENVIRONMENT, PROJECT_ROOT, ConfigError, load_config


def config_file(folder: Path, text: str) -> dict[str, str]:
    path = folder / "own.toml"
    path.write_text(text)
    return {"COVERWRIGHT_CONFIG": str(path)}


def test_the_environment_beats_the_file_and_the_file_the_default(tmp_path: Path) -> None:
    env = config_file(tmp_path, "[server]\nport = 9000\nworkers = 3\n") | {"PORT": "9100"}
    config = load_config(env)
    assert (config.server.port, config.server.workers, config.server.web_processes) == (9100, 3, 1)


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("[server]\nprot = 9000\n", "prot"),
        ("[nonsense]\na = 1\n", "nonsense"),
        ('[server]\nport = "many"\n', "port"),
        ('[routes]\nimage = ["nobody"]\n', "nobody"),
        ('[plans]\npro_price_currency = "USD"\n', "pro_price_currency"),
        ('[plans]\npro_price_interval = "monthly"\n', "pro_price_interval"),
        ("[billing]\npast_due_grace_days = -1\n", "past_due_grace_days"),
        ("[billing]\nreconcile_hours = 0\n", "reconcile_hours"),
        ("[server\n", "own.toml"),
    ],
)
def test_a_mistake_is_named(tmp_path: Path, text: str, named: str) -> None:
    with pytest.raises(ConfigError, match=named):
        load_config(config_file(tmp_path, text))


def test_a_missing_file_is_named() -> None:
    with pytest.raises(ConfigError, match="COVERWRIGHT_CONFIG"):
        load_config({"COVERWRIGHT_CONFIG": "/nowhere/own.toml"})


def test_a_secret_can_come_from_a_file(tmp_path: Path) -> None:
    secret = tmp_path / "key"
    secret.write_text("0123456789abcdef0123456789abcdef\n")
    config = load_config({"COVERWRIGHT_SECRET_KEY_FILE": str(secret)})
    assert config.security.secret_key == "0123456789abcdef0123456789abcdef"


def test_a_list_comes_from_commas() -> None:
    config = load_config({"COVERWRIGHT_ALLOW_PRIVATE_ADDRESSES": "localhost:8080, minio:9000"})
    assert config.security.allow_private_addresses == ("localhost:8080", "minio:9000")


@pytest.mark.parametrize(
    ("given", "used"),
    [
        ("postgresql://u:p@h/n", "postgresql+asyncpg://u:p@h/n"),
        ("postgres://u:p@h/n", "postgresql+asyncpg://u:p@h/n"),
        ("sqlite:////data/x.db", "sqlite+aiosqlite:////data/x.db"),
    ],
)
def test_a_database_address_gets_its_driver(given: str, used: str) -> None:
    assert load_config({"COVERWRIGHT_DATABASE_URL": given}).database_url == used


def test_every_environment_variable_stands_in_the_readme() -> None:
    readme = (PROJECT_ROOT / "README.md").read_text()
    internal = {"COVERWRIGHT_ENV"}
    assert [name for name in ENVIRONMENT if name not in internal and f"`{name}" not in readme] == []
