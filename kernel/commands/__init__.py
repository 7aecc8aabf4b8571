"""The bodies of the `coverwright` subcommands, imported only when they run."""
