"""Flags that are generated from a game's options."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import click

from zerosum.cli.dirs import config_file
from zerosum.cli.settings import Settings, settings_of
from zerosum.errors import GameError, OptionError, UnknownGame, UnreadableMove
from zerosum.options import Option, options_of, written
from zerosum.protocol import Game
from zerosum.registry import BUILT_IN, Entry, find, games, is_path, no_option
from zerosum.text import brief, read_whole

if TYPE_CHECKING:
    _ParamType = click.ParamType[Any]
    _Choice = click.Choice[str]
else:
    _ParamType = click.ParamType
    _Choice = click.Choice

PREFIX = "game_option_"
META = "zerosum.game"


class Whole(_ParamType):
    """A whole number of any length."""

    name = "number"

    def __init__(self, least: int | None = None) -> None:
        """Take numbers from `least` up."""
        self.least = least

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Read a number."""
        try:
            number = value if isinstance(value, int) else read_whole(str(value))
        except UnreadableMove as error:
            self.fail(str(error), param, ctx)
        if self.least is not None and number < self.least:
            self.fail(f"It must be a whole number from {self.least} up.", param, ctx)
        return number


class Numbers(_ParamType):
    """Whole numbers between commas."""

    name = "numbers"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Read the numbers."""
        if not isinstance(value, str):
            return tuple(value) if isinstance(value, (list, tuple)) else (value,)
        try:
            return tuple(read_whole(part) for part in value.split(","))
        except UnreadableMove as error:
            self.fail(f"{error} Numbers stand between commas, such as 1,3,6.", param, ctx)


class Moves(_ParamType):
    """Moves between commas, as they are typed at the prompt."""

    name = "moves"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Take them apart; what each means depends on the position."""
        if isinstance(value, str):
            return tuple(value.split(","))
        return tuple(map(str, value)) if isinstance(value, (list, tuple)) else (str(value),)


class Seconds(_ParamType):
    """A time in seconds."""

    name = "seconds"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Read a number of seconds."""
        try:
            return float(value)
        except (TypeError, ValueError):
            self.fail(f"'{brief(value)}' is not a number of seconds.", param, ctx)


class Chosen(_Choice):
    """One of the values that an option may have."""

    def __init__(self, choices: tuple[Any, ...]) -> None:
        """Take the values; each is typed as it is written."""
        self.values = {written(choice): choice for choice in choices}
        super().__init__(list(self.values), case_sensitive=False)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Read a value."""
        return self.values[super().convert(written(value), param, ctx)]


class GameCommand(click.Command):
    """A command with a GAME, whose options become flags as soon as it is known."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Find the game first, then read the flags."""
        name = self._game_among(args) or ctx.lookup_default("game")
        name = name or os.environ.get(f"ZEROSUM_{str(self.name).upper()}_GAME")
        if name is not None:
            try:
                entry = find(name)
            except UnknownGame as error:
                if not ctx.resilient_parsing:
                    raise click.UsageError(str(error), ctx) from error
            except GameError:
                if not ctx.resilient_parsing:
                    raise
            else:
                taken = {flag for param in self.params for flag in param.opts}
                chosen = chosen_options(settings_of(ctx), entry)
                flags = [_flag(entry, option, taken, chosen) for option in options_of(entry.game)]
                ctx.meta[META] = entry, flags
        return super().parse_args(ctx, args)

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        """List the command's own parameters and the game's."""
        own = super().get_params(ctx)
        return [*own, *ctx.meta[META][1]] if META in ctx.meta else own

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Show the game's flags apart from the command's own."""
        entry, flags = ctx.meta.get(META, (None, []))
        if entry is not None:
            rows = [row for flag in flags if (row := flag.get_help_record(ctx))]
            with formatter.section(f"Options of {entry.name}"):
                formatter.write_dl(rows or [("(none)", "this game has no options")])
        own = [
            row
            for param in super().get_params(ctx)
            if isinstance(param, click.Option) and (row := param.get_help_record(ctx))
        ]
        with formatter.section("Options"):
            formatter.write_dl(own)
        if entry is None:
            named = next(param.metavar for param in self.params if param.name == "game") or "GAME"
            with formatter.section("Options of a game"):
                formatter.write_text(f"zerosum {self.name} {named} --help lists them.")

    def _game_among(self, args: Iterable[str]) -> str | None:
        """Find the game's name among arguments that are not read yet."""
        takes = {
            flag: 0 if getattr(param, "is_flag", False) else param.nargs
            for param in self.params
            for flag in param.opts
        }
        plain: list[str] = []
        skip = 0
        for arg in args:
            if skip:
                skip -= 1
            elif arg.startswith("-") and len(arg) > 1:
                skip = takes.get(arg, 0)
            else:
                plain.append(arg)
        # The value of a game's flag that stands before the game is among these too.
        known = (arg for arg in plain if is_path(arg) or arg in BUILT_IN)
        return next(known, plain[0] if plain else None)


def chosen_options(settings: Settings, entry: Entry) -> dict[str, Any]:
    """Give the options that the configuration file chooses for a game."""
    chosen: dict[str, Any] = settings.config.get(entry.name, {})
    known = [option.name for option in options_of(entry.game)]
    for name in chosen:
        if name not in known:
            raise click.UsageError(
                f"{config_file()}: '{name[:40]}': {no_option(entry.name, name, known)}"
            )
    return chosen


def variant(ctx: click.Context, given: dict[str, Any]) -> Game[Any]:
    """Make the variant that the flags describe."""
    entry, flags = ctx.meta[META]
    options = {name.removeprefix(PREFIX): value for name, value in given.items()}
    try:
        made: Game[Any] = entry.variant(**options)
        return made
    except OptionError as error:
        spelled = {flag.name: flag.opts[0] for flag in flags}
        flag = spelled.get(PREFIX + error.option)
        raise click.UsageError(f"{flag}: {error.message}" if flag else str(error), ctx) from error


def complete_game(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[Any]:
    """Offer the games for completion, and files once a path is begun."""
    if incomplete[:1] in (".", "~") or "/" in incomplete:
        from click.shell_completion import CompletionItem

        return [CompletionItem(incomplete, type="file")]
    return [name for name in games() if name.startswith(incomplete)]


def _flag(entry: Entry, option: Option, taken: set[str], chosen: dict[str, Any]) -> click.Option:
    """Turn an option into a flag."""
    spelled = option.name.replace("_", "-")
    if f"--{spelled}" in taken:
        spelled = f"game-{spelled}"
    default = chosen.get(option.name, option.default)
    flag = f"--{spelled}/--no-{spelled}" if option.kind == "flag" else f"--{spelled}"
    kinds = {"flag": None, "number": Whole(), "numbers": Numbers(), "text": click.STRING}
    return click.Option(
        [flag, PREFIX + option.name],
        type=Chosen(option.choices) if option.choices else kinds[option.kind],
        default=default,
        help=option.about,
        show_default=written(default) if option.kind in ("flag", "numbers") else True,
        envvar=f"ZEROSUM_{entry.name}_{option.name}".replace("-", "_").upper(),
    )
