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
from zerosum.errors import ZerosumError


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
        if not self.db:
            return join([*program, *words])
        from zerosum.store.address import typed

        return join([*program, *words, "--db", typed(self.db)])


def settings_of(ctx: click.Context) -> Settings:
    """Give the settings of the command line so far."""
    found = ctx.find_object(Settings)
    return found if found is not None else Settings({})


def common(function: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the flags that every command has, and hand it the settings."""

    @click.option(
        "--db",
        type=click.Path(),
        metavar="FILE",
        allow_from_autoenv=False,
        help="Keep matches in this file or database (or ZEROSUM_DB).",
    )
    @click.option(
        "--plain",
        is_flag=True,
        allow_from_autoenv=False,
        help="One labelled sentence a line, no decoration.",
    )
    @click.option(
        "--no-color", is_flag=True, allow_from_autoenv=False, help="No colour (or NO_COLOR)."
    )
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


def write_file(path: str, text: str) -> None:
    """Write a file of the user's, but never over another one; - is standard output."""
    if path == "-":
        click.echo(text.rstrip("\n"))
        return
    try:
        with open(path, "x", encoding="utf-8") as file:
            file.write(text if text.endswith("\n") else text + "\n")
    except FileExistsError as error:
        raise ZerosumError(f"{path} already exists; not overwritten.") from error
    except OSError as error:
        raise ZerosumError(f"{path} cannot be written: {error.strerror}") from error


def read_config() -> dict[str, Any]:
    """Read the configuration file, if there is one."""
    path = config_file()
    try:
        with open(path, "rb") as file:
            import tomllib

            config = tomllib.load(file)
    except FileNotFoundError:
        if "ZEROSUM_CONFIG" in os.environ:
            raise click.UsageError(f"ZEROSUM_CONFIG: there is no file {path}.") from None
        return {}
    except OSError as error:
        raise click.UsageError(f"{path} cannot be read: {error.strerror}") from error
    except ValueError as error:
        raise click.UsageError(f"{path} is not valid TOML: {error}") from error
    for name, kind, wanted in (
        ("plain", bool, "true or false"),
        ("no_color", bool, "true or false"),
        ("db", str, "a path between quotes"),
    ):
        if name in config and type(config[name]) is not kind:
            raise click.UsageError(f"{path}: {name} must be {wanted}.")
    return config


def origin(error: click.UsageError) -> str:
    """Say where a wrong value comes from, if not from the command line."""
    ctx, param = error.ctx, getattr(error, "param", None)
    if ctx is None or param is None or param.name is None:
        return ""
    source = ctx.get_parameter_source(param.name)
    if source is click.core.ParameterSource.ENVIRONMENT:
        return "the environment"
    # A missing value comes from nowhere, and without a file nothing was configured.
    missing = isinstance(error, click.MissingParameter) or not os.path.exists(config_file())
    configured = source in (
        click.core.ParameterSource.DEFAULT,
        click.core.ParameterSource.DEFAULT_MAP,
    )
    return config_file() if configured and not missing else ""
