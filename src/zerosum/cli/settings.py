"""What every command shares: where matches are, and how things look."""

from __future__ import annotations

import functools
import os
import sys
from collections.abc import Callable
from typing import Any, NamedTuple

import click

from zerosum.cli.dirs import config_file, data_file
from zerosum.cli.look import Look


class Settings(NamedTuple):
    """Flags over environment over configuration file."""

    config: dict[str, Any]
    db: str | None = None
    plain: bool = False
    no_color: bool = False

    @property
    def out(self) -> Look:
        """The look of standard output."""
        return Look.of(sys.stdout, self.plain, self.no_color)

    @property
    def err(self) -> Look:
        """The look of standard error."""
        return Look.of(sys.stderr, self.plain, self.no_color)

    @property
    def path(self) -> str:
        """Where matches are kept."""
        return self.db or os.environ.get("ZEROSUM_DB") or self.config.get("db") or data_file()

    def command(self, *words: str) -> str:
        """Write a command line that works where this one did, with the same matches."""
        from shlex import join
        from shutil import which

        started = sys.argv[0]
        if os.path.basename(started) == "__main__.py":
            program = ["python", "-m", "zerosum"]
        else:
            program = ["zerosum" if which("zerosum") else started]
        return join([*program, *words, *(["--db", self.db] if self.db else [])])


def settings_of(ctx: click.Context) -> Settings:
    """Give the settings of the command line so far."""
    found = ctx.find_object(Settings)
    return found if found is not None else Settings({})


def common(function: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the flags that every command has, and hand it the settings."""

    @click.option("--db", metavar="FILE", help="Keep matches in this file (or ZEROSUM_DB).")
    @click.option("--plain", is_flag=True, help="One labelled sentence a line, no decoration.")
    @click.option("--no-color", is_flag=True, help="No colour (or NO_COLOR).")
    @click.pass_context
    @functools.wraps(function)
    def command(
        ctx: click.Context, /, *args: Any, db: str | None, plain: bool, no_color: bool, **rest: Any
    ) -> Any:
        before = settings_of(ctx)
        ctx.obj = Settings(
            before.config, db or before.db, plain or before.plain, no_color or before.no_color
        )
        return function(ctx.obj, *args, **rest)

    return command


as_json = click.option("--json", "as_json", is_flag=True, help="Print a JSON document.")


def read_config() -> dict[str, Any]:
    """Read the configuration file, if there is one."""
    path = config_file()
    try:
        with open(path, "rb") as file:
            import tomllib

            config = tomllib.load(file)
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise click.UsageError(f"{path} cannot be read: {error.strerror}") from error
    except ValueError as error:
        raise click.UsageError(f"{path} is no TOML file: {error}") from error
    for name in ("plain", "no_color"):
        if type(config.get(name, False)) is not bool:
            raise click.UsageError(f"{path}: {name} must be true or false.")
    return config
