"""Configuration: `config/default.toml`, then the operator's file, then the environment. Unknown keys are refused."""

import os
import re
import tomllib
from collections.abc import Mapping
from ipaddress import ip_network
from pathlib import Path
from typing import Annotated, Any, Final, Literal

import msgspec

from kernel.spi import InvalidRequest, ascii_address, web_address

PROJECT_ROOT: Final = Path(__file__).resolve().parents[2]
DEFAULT_FILE: Final = PROJECT_ROOT / "config" / "default.toml"
PictureFormat = Literal["png", "jpeg", "webp"]


class ConfigError(Exception):
    """The configuration cannot be used; the message says which key and why."""


class _Section(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    pass


class SiteConfig(_Section, frozen=True, kw_only=True):
    """How the site presents itself."""

    name: str
    public_url: str
    authors: str
    covers: str
    rating: str


class ServerConfig(_Section, frozen=True, kw_only=True):
    """Processes, address and logs."""

    host: str
    port: int
    web_processes: int
    workers: int
    worker_concurrency: int
    metrics_token: str
    worker_metrics: Annotated[str, msgspec.Meta(pattern=r"^(?:.+:\d{1,5})?$")]
    otlp_endpoint: Annotated[str, msgspec.Meta(pattern=r"^(?:https?://\S+)?$")]
    otlp_ratio: Annotated[float, msgspec.Meta(ge=0, le=1)]
    log_format: Literal["text", "json"]
    log_level: Literal["debug", "info", "warning", "error"]
    environment: Literal["production", "test"]


class DataConfig(_Section, frozen=True, kw_only=True):
    """Where data is stored."""

    dir: str
    fonts: str
    database_url: str
    redis_url: str


class SecurityConfig(_Section, frozen=True, kw_only=True):
    """Keys and addresses."""

    secret_key: str
    old_secret_keys: tuple[str, ...]
    allow_private_addresses: tuple[str, ...]
    trusted_proxies: tuple[str, ...]


class AccountsConfig(_Section, frozen=True, kw_only=True):
    """Sign-in and sessions."""

    registration: bool
    session_idle_days: int
    session_days: int
    admin_session_idle_hours: int
    audit_days: Annotated[int, msgspec.Meta(ge=0, le=36_500)]
    admin_session_hours: int
    setup_token_hours: int
    sign_in_failures_per_account: int
    sign_in_failures_per_address: int
    registrations_per_address: int


class PlansConfig(_Section, frozen=True, kw_only=True):
    """Limits and price until an administrator saves others, and what the free plan may download: file formats, the
    longest edge in pixels (0: full size), and, until an administrator says otherwise, a book's files for printers.
    """

    free_monthly_limit: int
    pro_monthly_limit: int
    pro_unlimited: bool
    pro_price_minor: Annotated[int, msgspec.Meta(ge=0)]
    pro_price_currency: Annotated[str, msgspec.Meta(pattern="^[a-z]{3}$")]
    pro_price_interval: Literal["day", "week", "month", "year"]
    free_download_formats: Annotated[tuple[PictureFormat, ...], msgspec.Meta(min_length=1)]
    free_download_longest_px: Annotated[int, msgspec.Meta(ge=0)]
    free_print_files: bool


class BillingConfig(_Section, frozen=True, kw_only=True):
    """Rules of subscriptions."""

    past_due_grace_days: Annotated[int, msgspec.Meta(ge=0)]
    reconcile_hours: Annotated[int, msgspec.Meta(ge=1)]


class GenerationConfig(_Section, frozen=True, kw_only=True):
    """Timing and limits of a generation job, in seconds where the name ends in `_s`."""

    deadline_s: float
    max_attempts: int
    lease_s: float
    retry_base_s: float
    retry_max_s: float
    in_flight_per_user: int
    queue_limit: int
    drain_s: Annotated[float, msgspec.Meta(ge=0)]
    sweep_s: float
    bin_days: int


class PicturesConfig(_Section, frozen=True, kw_only=True):
    """Limits of pictures, in bytes and pixels."""

    max_upload_bytes: int
    max_result_bytes: int
    max_pixels: int
    max_side: int
    thumbnail_widths: tuple[int, ...]
    min_free_bytes: int


class MailConfig(_Section, frozen=True, kw_only=True):
    """Email of the site itself, and how many messages of a campaign are sent per second."""

    sender: str
    bulk_per_second: Annotated[float, msgspec.Meta(ge=0.1, le=1000)]


class ProvidersConfig(_Section, frozen=True, kw_only=True):
    """How many days the attempts at providers, and statistics of them, are kept."""

    attempt_days: Annotated[int, msgspec.Meta(ge=1, le=36_500)]


class BackupConfig(_Section, frozen=True, kw_only=True):
    """Where scheduled backups go (empty: none are made), how often, and how long they are kept."""

    to: Annotated[str, msgspec.Meta(max_length=400)]
    every_hours: Annotated[int, msgspec.Meta(ge=1, le=8760)]
    keep_days: Annotated[int, msgspec.Meta(ge=1, le=36_500)]


class InstanceConfig(_Section, frozen=True, kw_only=True):
    """A provider instance declared in the configuration."""

    id: str
    kind: Literal["image", "payment", "email", "storage", "signin"]
    provider: str
    label: str
    settings: dict[str, Any]


class RoutesConfig(_Section, frozen=True, kw_only=True):
    """Ids of instances per kind, in order of preference."""

    image: tuple[str, ...]
    storage: tuple[str, ...]
    signin: tuple[str, ...]
    payment: tuple[str, ...]
    email: tuple[str, ...]


class Config(_Section, frozen=True, kw_only=True):
    """The whole configuration."""

    site: SiteConfig
    server: ServerConfig
    data: DataConfig
    security: SecurityConfig
    accounts: AccountsConfig
    plans: PlansConfig
    billing: BillingConfig
    generation: GenerationConfig
    pictures: PicturesConfig
    mail: MailConfig
    providers: ProvidersConfig
    backup: BackupConfig
    instances: tuple[InstanceConfig, ...]
    routes: RoutesConfig

    @property
    def data_dir(self) -> Path:
        """The data folder, absolute."""
        return (PROJECT_ROOT / self.data.dir).resolve()

    @property
    def public_url(self) -> str:
        """Public address of the site, without a trailing slash."""
        return (self.site.public_url or f"http://localhost:{self.server.port}").rstrip("/")

    @property
    def https(self) -> bool:
        """True when people reach the site over https: cookies are then `Secure` and `__Host-`."""
        return self.public_url.startswith("https://")

    @property
    def database_url(self) -> str:
        """SQLAlchemy address with an async driver."""
        url = self.data.database_url
        if not url:
            return f"sqlite+aiosqlite:///{self.data_dir / 'coverwright.db'}"
        for plain, driver in (("postgresql://", "postgresql+asyncpg://"), ("postgres://", "postgresql+asyncpg://")):
            if url.startswith(plain):
                return driver + url.removeprefix(plain)
        return url.replace("sqlite:///", "sqlite+aiosqlite:///") if url.startswith("sqlite:///") else url


ENVIRONMENT: Final[dict[str, tuple[str, str]]] = {
    "PORT": ("server", "port"),
    "HOST": ("server", "host"),
    "COVERWRIGHT_WEB_PROCESSES": ("server", "web_processes"),
    "COVERWRIGHT_WORKERS": ("server", "workers"),
    "COVERWRIGHT_DRAIN_S": ("generation", "drain_s"),
    "COVERWRIGHT_METRICS_TOKEN": ("server", "metrics_token"),
    "COVERWRIGHT_WORKER_METRICS": ("server", "worker_metrics"),
    "COVERWRIGHT_OTLP_ENDPOINT": ("server", "otlp_endpoint"),
    "COVERWRIGHT_OTLP_RATIO": ("server", "otlp_ratio"),
    "COVERWRIGHT_LOG_FORMAT": ("server", "log_format"),
    "COVERWRIGHT_LOG_LEVEL": ("server", "log_level"),
    "COVERWRIGHT_ENV": ("server", "environment"),
    "COVERWRIGHT_DATA": ("data", "dir"),
    "COVERWRIGHT_FONTS": ("data", "fonts"),
    "COVERWRIGHT_DATABASE_URL": ("data", "database_url"),
    "COVERWRIGHT_REDIS_URL": ("data", "redis_url"),
    "COVERWRIGHT_BACKUP_TO": ("backup", "to"),
    "COVERWRIGHT_PUBLIC_URL": ("site", "public_url"),
    "COVERWRIGHT_SECRET_KEY": ("security", "secret_key"),
    "COVERWRIGHT_OLD_SECRET_KEYS": ("security", "old_secret_keys"),
    "COVERWRIGHT_ALLOW_PRIVATE_ADDRESSES": ("security", "allow_private_addresses"),
    "COVERWRIGHT_TRUSTED_PROXIES": ("security", "trusted_proxies"),
}
"""Environment variable → section and key. A variable with `_FILE` appended names a file that holds the value."""


def read_env(env: Mapping[str, str], name: str) -> str | None:
    """Return a variable's value, or the stripped content of the file that `<name>_FILE` names."""
    if path := env.get(f"{name}_FILE"):
        try:
            return Path(path).read_text().strip()
        except OSError as error:
            raise ConfigError(f"{name}_FILE: cannot read {path}: {error.strerror}") from error
    return env.get(name)


def _merge(base: dict[str, Any], extra: Mapping[str, Any]) -> dict[str, Any]:
    merged = dict(base)
    for key, value in extra.items():
        both_tables = isinstance(merged.get(key), dict) and isinstance(value, dict)
        merged[key] = _merge(merged[key], value) if both_tables else value
    return merged


_ADDRESS_ENTRY: Final = re.compile(r"(?:[a-z][a-z0-9-]*\s*=\s*)?[^\s=/]+:[0-9]{1,5}")


def load_config(env: Mapping[str, str] | None = None) -> Config:
    """Read the configuration.

    Raises ConfigError naming the key for an unknown key, a wrong type or a file that cannot be read.
    """
    env = os.environ if env is None else env
    tree = tomllib.loads(DEFAULT_FILE.read_text())
    if path := env.get("COVERWRIGHT_CONFIG"):
        try:
            tree = _merge(tree, tomllib.loads(Path(path).read_text()))
        except OSError as error:
            raise ConfigError(f"COVERWRIGHT_CONFIG: cannot read {path}: {error.strerror}") from error
        except tomllib.TOMLDecodeError as error:
            raise ConfigError(f"{path}: {error}") from error
    for name, (section, key) in ENVIRONMENT.items():
        value = read_env(env, name)
        if value is None:
            continue
        if isinstance(tree[section][key], list):
            tree[section][key] = [part.strip() for part in value.split(",") if part.strip()]
        else:
            tree[section][key] = value
    try:
        config = msgspec.convert(tree, Config, strict=False)
    except msgspec.ValidationError as error:
        raise ConfigError(f"configuration: {error}") from error
    if config.mail.sender:
        try:
            ascii_address(config.mail.sender)
        except InvalidRequest as error:
            raise ConfigError("mail.sender: this is not an email address") from error
    if config.site.public_url:
        if (address := web_address(config.site.public_url)) is None:
            raise ConfigError("site.public_url: this is not a web address")
        site = msgspec.structs.replace(config.site, public_url=str(address))  # its host in ASCII
        config = msgspec.structs.replace(config, site=site)
    for entry in config.security.allow_private_addresses:
        if not _ADDRESS_ENTRY.fullmatch(entry):
            raise ConfigError(f"security.allow_private_addresses: {entry!r} is not host:port, nor use=host:port")
    for entry in config.security.trusted_proxies:
        try:
            ip_network(entry)
        except ValueError as error:
            raise ConfigError(
                f"security.trusted_proxies: {entry!r} is neither an address nor a network like 10.42.0.0/16"
            ) from error
    declared = {instance.id: instance for instance in config.instances}
    for kind in config.routes.__struct_fields__:
        for instance_id in getattr(config.routes, kind):
            if instance_id not in declared or declared[instance_id].kind != kind:
                raise ConfigError(f"routes.{kind}: there is no {kind} instance `{instance_id}`")
    return config
