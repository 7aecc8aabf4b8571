"""The `coverwright` command. Bodies are imported only when they run, so that `--help` and a second start are quick."""

import argparse
import asyncio
import getpass
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final, NoReturn

from kernel import __version__
from kernel.core.config import Config, ConfigError, load_config
from kernel.core.process import plugin_folders
from kernel.core.process.interpreter import leave, quick_imports

KINDS: Final = ("image", "payment", "email", "storage", "signin")
"""Kinds of providers; listed here so that no command has to import the contracts."""

PROCESSES: Final = ("run", "serve", "worker", "fork-server")
"""Commands that go on; they set up their logs themselves."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Run one subcommand and exit with its code."""
    parsed = _parser().parse_args(arguments)
    try:
        config = load_config()
        plugin_folders.enter(config.data_dir)
        code = _dispatch(parsed, config)
    except ConfigError as error:
        print(f"coverwright: {error}", file=sys.stderr)
        code = 2
    except KeyboardInterrupt:
        code = 130
    sys.exit(code)


def console(arguments: Sequence[str] | None = None) -> NoReturn:
    """Be the command of this process: run it and leave."""
    try:
        main(arguments)
    except SystemExit as ending:
        leave(ending.code if isinstance(ending.code, int) else int(bool(ending.code)))
    leave(0)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="coverwright", description="Describe a book cover in words and get one.")
    parser.add_argument("--version", action="version", version=f"coverwright {__version__}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    commands.add_parser("run", help="start everything: database, queue, web and workers")
    commands.add_parser("serve", help="start the web server alone")
    commands.add_parser("worker", help="start one worker alone")
    commands.add_parser("fork-server").add_argument("listener", type=int)  # for the launcher, which starts it
    commands.add_parser("migrate", help="bring the database to the newest schema")
    generate = commands.add_parser("generate", help="make a cover from the shell")
    generate.add_argument("prompt", metavar="PROMPT", help="what the cover should show")
    generate.add_argument("--title", default="", help="the book's title")
    generate.add_argument("--author", default="", help="the author's name")
    generate.add_argument("--genre", default="", help="the genre, in any of the twelve languages")
    generate.add_argument("--dimensions", default="6x9", help="6x9, 5.5x8.5, 8.5x11, 8x8 or 1024x1792")
    generate.add_argument("--out", type=Path, default=Path("cover.png"), help="a .png, .jpg or .webp file")
    doctor = commands.add_parser("doctor", help="check that what is stored keeps its promises")
    doctor.add_argument("--quick", action="store_true", help="do not read the stored pictures")
    status = commands.add_parser("status", help="show the state of everything that the site runs on")
    status.add_argument("--json", action="store_true", help="as JSON")
    admin = commands.add_parser("admin", help="manage administrators").add_subparsers(dest="action", required=True)
    for action, what in (
        ("create", "make an administrator"),
        ("promote", "make an existing user an administrator"),
        ("reset-password", "set a new password and end all sessions"),
        ("remove-second-factors", "let somebody who has lost them sign in without"),
    ):
        admin.add_parser(action, help=what).add_argument("email")
    admin.add_parser("optional-second-factor", help="let administrators work without a second factor again")
    admin.add_parser("allow-passwords", help="let administrators sign in with a password again")
    plugins = commands.add_parser("plugins", help="look at plugins").add_subparsers(dest="action", required=True)
    listing = plugins.add_parser("list", help="list plugins with version, state and providers")
    listing.add_argument("--json", action="store_true", help="as JSON")
    new = plugins.add_parser("new", help="write a plugin that works, to be changed from there")
    new.add_argument("name")
    new.add_argument("--kind", required=True, choices=KINDS)
    new.add_argument("--into", type=Path, default=Path(), help="where its folder goes (default: here)")
    installing = plugins.add_parser("install", help="install a plugin, or another version of it, beside the product")
    installing.add_argument("source", metavar="SOURCE", help="a wheel, a project's folder, or a name like acme==1.2")
    removing = plugins.add_parser("remove", help="remove a plugin that was installed with `install`")
    removing.add_argument("name", metavar="NAME", help="the name of its distribution")
    checking = plugins.add_parser("check", help="run the conformance kit of a plugin")
    checking.add_argument("distribution")
    checking.add_argument("--live", action="store_true", help="ask the real vendor; says what it costs, and asks first")
    checking.add_argument("--yes", action="store_true", help="do not ask first")
    checking.add_argument("--provider", default="", metavar="ID", help="with --live or --replay: this one only")
    checking.add_argument("--settings", type=Path, metavar="FILE", help="settings of the provider, as TOML or JSON")
    checking.add_argument("--record", type=Path, metavar="FILE", help="with --live: write the traffic, without secrets")
    checking.add_argument("--replay", type=Path, metavar="FILE", help="take a recording for the vendor")
    checking.add_argument("--report", type=Path, metavar="FILE", help="write what was found, as JSON")
    checking.add_argument("--badge", type=Path, metavar="FILE", help="draw how many rules are kept, as SVG")
    instances = commands.add_parser("instances", help="look at instances").add_subparsers(dest="action", required=True)
    instances.add_parser("list", help="list instances with state and sources of their settings")
    instances.add_parser("check", help="test the saved settings").add_argument("id", nargs="?")
    storage = commands.add_parser("storage", help="look after storage").add_subparsers(dest="action", required=True)
    move = storage.add_parser("move", help="move every stored picture to another instance")
    move.add_argument("--from", dest="source", required=True, metavar="INSTANCE")
    move.add_argument("--to", dest="target", required=True, metavar="INSTANCE")
    move.add_argument("--dry-run", action="store_true", help="only say how much there is")
    secrets = commands.add_parser("secrets", help="look after secrets").add_subparsers(dest="action", required=True)
    secrets.add_parser("rotate", help="encrypt all secrets with the present key")
    backup = commands.add_parser("backup", help="save everything that is stored, while the product runs")
    backup.add_argument("words", nargs="*", metavar="[verify | list] PLACE", help="a folder, or s3://bucket/folder")
    backup.add_argument("--name", default="", help="verify this backup instead of the newest")
    backup.add_argument("--quick", action="store_true", help="verify without reading the objects")
    backup.add_argument("--with-keys", action="store_true", help="save the keys of secrets, too, encrypted")
    restore = commands.add_parser("restore", help="put a backup into an empty place")
    restore.add_argument("place", nargs="?", default="", metavar="PLACE", help="a folder, or s3://bucket/folder")
    restore.add_argument("--name", default="", help="restore this backup instead of the newest")
    restore.add_argument("--storage", default="", metavar="INSTANCE", help="put all objects into this instance")
    openapi = commands.add_parser("openapi", help="write the OpenAPI document")
    openapi.add_argument("out", type=Path)
    return parser


def _dispatch(parsed: argparse.Namespace, config: Config) -> int:
    if parsed.command not in PROCESSES:
        from kernel.core.telemetry import configure_logging

        configure_logging(config, level="warning")
    match parsed.command:
        case "run":
            from kernel.commands.run import run

            return run(config, console)
        case "fork-server":
            from kernel.commands.run import fork_server

            fork_server(config, console, parsed.listener)
        case "serve":
            with quick_imports():
                from kernel.commands.serve import serve

            return serve(config)
        case "worker":
            with quick_imports():
                from kernel.worker import main as work

            work()
            return 0
        case "migrate":
            from kernel.migrations.upgrade import migrate_now

            print("Upgraded." if migrate_now(config) else "The database is up to date.")
            return 0
        case "generate":
            from kernel.commands.generate import ShellRequest, generate

            typed = {name: value for name, value in vars(parsed).items() if name in ShellRequest.__struct_fields__}
            return asyncio.run(generate(config, ShellRequest(**typed)))
        case "doctor":
            from kernel.commands.inspect import doctor

            return asyncio.run(doctor(config, read_objects=not parsed.quick))
        case "status":
            from kernel.commands.status import status

            return asyncio.run(status(config, as_json=parsed.json))
        case "admin":
            from kernel.commands.admin import administer

            password = _ask_password() if parsed.action in ("create", "reset-password") else ""
            return asyncio.run(administer(config, parsed.action, getattr(parsed, "email", ""), password))
        case "plugins" if parsed.action == "new":
            from kernel.commands.plugin_new import new_plugin

            return new_plugin(parsed.name, parsed.kind, parsed.into)
        case "plugins" if parsed.action == "install":
            from kernel.commands.installing import install_plugin

            return asyncio.run(install_plugin(config, parsed.source))
        case "plugins" if parsed.action == "remove":
            from kernel.commands.installing import remove_plugin

            return asyncio.run(remove_plugin(config, parsed.name))
        case "plugins" if parsed.action == "check":
            from kernel.commands.checking import CheckOptions, check_plugin

            asked = {name: value for name, value in vars(parsed).items() if name in CheckOptions.__struct_fields__}
            return check_plugin(config, parsed.distribution, CheckOptions(**asked))
        case "plugins":
            from kernel.commands.plugins import list_plugins

            return list_plugins(config, as_json=parsed.json)
        case "instances":
            from kernel.commands.instances import check_instances, list_instances

            listing = parsed.action == "list"
            return asyncio.run(list_instances(config) if listing else check_instances(config, parsed.id))
        case "storage":
            from kernel.commands.storage import move

            return asyncio.run(move(config, parsed.source, parsed.target, dry_run=parsed.dry_run))
        case "backup":
            return _backup(parsed, config)
        case "restore":
            from kernel.commands.restore import restore

            return asyncio.run(restore(config, parsed.place, parsed.name, parsed.storage))
        case "secrets":
            from kernel.commands.secrets import rotate

            return asyncio.run(rotate(config))
        case _:
            from kernel.commands.inspect import write_openapi

            return write_openapi(config, parsed.out)


def _backup(parsed: argparse.Namespace, config: Config) -> int:
    from kernel.commands.backup import backup, list_backups, verify_backup

    action = parsed.words[0] if parsed.words and parsed.words[0] in ("verify", "list") else ""
    places = parsed.words[1:] if action else parsed.words
    if len(places) > 1:
        print("coverwright backup: name one place", file=sys.stderr)
        return 2
    place = places[0] if places else ""
    if action == "verify":
        return asyncio.run(verify_backup(config, place, parsed.name, quick=parsed.quick))
    if action == "list":
        return asyncio.run(list_backups(config, place))
    return asyncio.run(backup(config, place, with_keys=parsed.with_keys))


def _ask_password() -> str:
    """Read a password from the terminal, or one line from a pipe."""
    if sys.stdin.isatty():
        return getpass.getpass("Password: ")
    return sys.stdin.readline().rstrip("\n")


if __name__ == "__main__":
    console()
