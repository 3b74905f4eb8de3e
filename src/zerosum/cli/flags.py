"""Flags: their types, those of every command, and those made from a game's options."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from itertools import takewhile
from math import inf, isnan
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from zerosum.cli.config import Paper, Settings, check_values, data_file, key_of
from zerosum.cli.console import Findings
from zerosum.cli.user_files import check_new
from zerosum.errors import OptionError, UnreadableMove, ZerosumError
from zerosum.options import Option, check_whole, written
from zerosum.protocol import Game
from zerosum.registry import BUILT_IN, find, games, is_path
from zerosum.text import brief, either, read_numbers, read_whole

if TYPE_CHECKING:
    _ParamType = click.ParamType[Any]
    _Choice = click.Choice[str]
else:
    _ParamType = click.ParamType
    _Choice = click.Choice

# The parameters that every command has.
COMMON = ("db", "plain", "no_color", "pager")
# What is said if an argument is missing.
WANTED = {
    "file": "Name a file.",
    "matches": "Name matches by their IDs; zerosum history lists them.",
    "shell": "Choose a shell: bash, zsh or fish.",
}
PAPERS: tuple[Paper, ...] = ("csv", "markdown", "latex")
PREFIX = "game_option_"
META = "zerosum.game"


class Switch(click.types.BoolParamType):
    """On or off, in the environment and in the configuration file."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Read a switch."""
        found = self.str_to_bool(value)
        if found is None:
            self.fail(f"must be on or off, not '{brief(value)}'.", param, ctx)
        return found


SWITCH = Switch()


class Typed(_ParamType):
    """A value read by a function, whose error says what is wrong."""

    def __init__(self, name: str, read: Callable[[Any], Any]) -> None:
        """Take the name of such a value for the help, and the function."""
        self.name, self.read = name, read

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Read a value."""
        try:
            return self.read(value)
        except OptionError as error:
            self.fail(f"{error.message}.", param, ctx)
        except UnreadableMove as error:
            self.fail(str(error), param, ctx)


def whole(least: int | None = None, most: int | None = None) -> Typed:
    """Return the type of whole numbers of any length, within bounds."""

    def read(value: Any) -> int:
        number = value if type(value) is int else read_whole(str(value))
        check_whole("", number, least, most)
        return number

    return Typed("number", read)


def seconds(least: float = -inf, most: float = inf) -> Typed:
    """Return the type of times in seconds, within bounds."""

    def read(value: Any) -> float:
        try:
            time = float(str(value))
        except ValueError as error:
            raise UnreadableMove(f"'{brief(value)}' is not a number of seconds.") from error
        if time < least or time > most or (most < inf and isnan(time)):
            raise UnreadableMove(f"must be from {least:g} to {most:,} seconds.")
        return time

    return Typed("seconds", read)


def _name(value: Any) -> str:
    """Read a name, which is not the next flag."""
    if str(value).startswith("--"):
        raise UnreadableMove("needs two names, such as --names Ada Bob.")
    return str(value)


NAME = Typed("name", _name)


class Chosen(_Choice):
    """One of a few values, typed as it is written."""

    def __init__(self, choices: tuple[Any, ...], **also: Any) -> None:
        """Take the values, and other words for some of them."""
        self.values = {written(choice).casefold(): choice for choice in choices} | also
        super().__init__([written(choice) for choice in choices])

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Read a value."""
        found = self.values.get(written(value).casefold())
        if found is None:
            choices = either(list(self.choices))
            self.fail(f"must be {choices}, not '{brief(value)}'.", param, ctx)
        return found


class SwitchOption(click.Option):
    """An option of a game that is on or off."""

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        """Name the default: click would name the flag that sets it."""
        flags, text = super().get_help_record(ctx) or ("", "")
        return flags, f"{text}  [default: {written(bool(self.get_default(ctx)))}]"


class Command(click.Command):
    """A command with defaults from the environment and the configuration.

    Its GAME may be one of `also`.
    """

    also: tuple[str, ...] = ()

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        """Name the environment variable of every parameter after its key."""
        super().__init__(*args, **kwargs)
        for param in self.params:
            if type(param.type) is click.types.BoolParamType:
                param.type = SWITCH
            # click would split the variable of several values at spaces
            if param.name not in COMMON and not getattr(param, "multiple", False):
                param.envvar = param.envvar or f"ZEROSUM_{self.name}_{key_of(param)}".upper()

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the defaults, then the flags; say what an argument is if it is missing."""
        try:
            ctx.default_map = self.defaults(ctx, args)
        except (click.UsageError, ZerosumError):
            if not asks_for_help(ctx, args):
                raise
        try:
            return super().parse_args(ctx, args)
        except click.MissingParameter as error:
            name = error.param.name if error.param else None
            if name == "game":
                wanted = f"Choose a game: {either([*games(), *self.also, 'a file of your own'])}."
            elif name in WANTED:
                wanted = WANTED[name]
            else:
                raise
            raise click.UsageError(wanted, ctx) from error

    def defaults(self, ctx: click.Context, args: list[str]) -> dict[str, Any]:
        """Check the command's table, and return it by parameter."""
        known = {key_of(param): param for param in self.params if param.name not in COMMON}
        return check_values(str(self.name), ctx.default_map or {}, known)


class GameCommand(Command):
    """A command with a GAME, whose options become flags once it is known."""

    def defaults(self, ctx: click.Context, args: list[str]) -> dict[str, Any]:
        """Find the game, make its flags, and check its table too."""
        own = super().defaults(ctx, args)
        name = self.game_among(ctx, args)
        game = next(param for param in self.params if param.name == "game")
        if name is None and game.nargs == 1:
            name = game.resolve_envvar_value(ctx) or own.get("game")
        if name is None:
            return own
        entry = self.entry(ctx, str(name))
        if game.nargs == 1:  # what is advised has the game's options
            ctx.info_name = f"{self.name} {name}"
        params = super().get_params(ctx)  # click's own --help is among them
        taken = {flag for param in params for flag in (*param.opts, *param.secondary_opts)}
        flags = {opt.name: _flag(entry.name, opt, taken) for opt in entry.options}
        ctx.meta[META] = entry, list(flags.values())
        table = (ctx.find_root().default_map or {}).get(entry.name, {})
        return {**own, **check_values(entry.name, table, flags)}

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the flags; if there are too many words, say how a list is written."""
        words = list(args)
        try:
            return super().parse_args(ctx, args)
        except click.UsageError as error:
            for flag in ctx.meta.get(META, (None, ()))[1]:
                if flag.metavar and flag.opts[0] in words:
                    after = words[words.index(flag.opts[0]) + 1 :]
                    numbers = list(takewhile(str.isdigit, after))
                    if len(numbers) > 1:
                        example = f"{flag.opts[0]} {','.join(numbers)}"
                        wanted = f"{error.message}. Write a list with commas: {example}."
                        raise click.UsageError(wanted, ctx) from error
            raise

    def entry(self, ctx: click.Context, name: str) -> Any:
        """Find a game: its name, its options, and what makes a variant."""
        return find(name)

    def collect_usage_pieces(self, ctx: click.Context) -> list[str]:
        """Leave out the game where it is named already."""
        pieces = super().collect_usage_pieces(ctx)
        return [piece for piece in pieces if piece != "GAME" or META not in ctx.meta]

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        """List the game's parameters and the command's own."""
        own = super().get_params(ctx)
        return [*ctx.meta[META][1], *own] if META in ctx.meta else own

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command with the game's variant in place of its name and flags."""
        if META in ctx.meta:
            ctx.params["game"] = variant(ctx, ctx.params)
            for flag in ctx.meta[META][1]:
                del ctx.params[flag.name]
        return super().invoke(ctx)

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Say where a game's options are listed, unless they have just been."""
        if META not in ctx.meta:
            formatter.write_paragraph()
            formatter.write_text("Name a game before --help to list its options too.")

    def game_among(self, ctx: click.Context, args: list[str]) -> str | None:
        """Find the only game's name among arguments that are not read yet."""
        plain = self.plain_words(args)
        # The value of a game's flag typed before the game is among these too.
        known = (arg for arg in plain if is_path(arg) or arg in BUILT_IN)
        return next(known, plain[0] if plain else None)

    def plain_words(self, args: Sequence[str]) -> list[str]:
        """List the arguments not read yet that are neither flags nor values of known ones."""
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
        return plain


command = functools.partial(click.command, cls=Command)
game_command = functools.partial(click.command, cls=GameCommand)


def common(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add the common flags to a command, and pass it the settings."""

    @click.option(
        "--db",
        type=click.Path(),
        metavar="FILE",
        envvar="ZEROSUM_DB",
        help="Save matches in this file or database (or ZEROSUM_DB).",
    )
    @click.option(
        "--plain/--no-plain",
        type=SWITCH,
        envvar="ZEROSUM_PLAIN",
        help="Plain sentences, no decoration (or ZEROSUM_PLAIN).",
    )
    @click.option(
        "--no-color", flag_value=True, type=SWITCH, default=None, help="No colour (or NO_COLOR)."
    )
    @click.option(
        "--color",
        "no_color",
        flag_value=False,
        type=SWITCH,
        default=None,
        help="Colour, even if NO_COLOR is set.",
    )
    @click.option(
        "--pager",
        flag_value=True,
        type=SWITCH,
        default=True,
        envvar="ZEROSUM_PAGER",
        help="Show long pages in a pager, as usual (or ZEROSUM_PAGER).",
    )
    @click.option(
        "--no-pager", "pager", flag_value=False, type=SWITCH, help="Print long pages at once."
    )
    @click.pass_context
    @functools.wraps(function)
    def wrapped(ctx: click.Context, /, *args: Any, **rest: Any) -> Any:
        for name in COMMON:
            del rest[name]
        (db, typed), *others = (common_value(ctx, name) for name in COMMON)
        plain, no_color, pager = (value for value, _ in others)
        settings = Settings(
            db or data_file(), plain, no_color, pager, db or None if typed else None
        )
        return function(settings, *args, **rest)

    return wrapped


def common_value(ctx: click.Context, name: str) -> tuple[Any, bool]:
    """Return the value of a common flag, and whether it was typed, before the command or after it.

    If it was not, the settings of the whole program apply.
    """
    typed = ctx.get_parameter_source(name) is ParameterSource.COMMANDLINE
    if typed or ctx.parent is None:
        return ctx.params.get(name), typed
    return common_value(ctx.parent, name)


def printed(function: Callable[..., Findings | None]) -> Callable[..., Any]:
    """Add --json and the common flags to a command, and print its findings."""

    @json_option
    @common
    @functools.wraps(function)
    def wrapped(
        settings: Settings, /, *args: Any, as_json: bool, picture: str | None = None, **rest: Any
    ) -> None:
        papers = {paper: path for paper in PAPERS if (path := rest.pop(f"{paper}_file", None))}
        for path in papers.values():
            check_new(path)
        if found := function(settings, *args, **rest):
            settings.print(found, as_json, picture, papers)

    return wrapped


def paper_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add flags that write what is found for a paper or a spreadsheet."""
    kinds = {"csv": "a CSV table", "markdown": "Markdown", "latex": "LaTeX"}
    for paper in reversed(PAPERS):
        about = f"Write {kinds[paper]} to this file."
        function = click.option(f"--{paper}", f"{paper}_file", metavar="FILE", help=about)(function)
    return function


def number(
    flag: str,
    about: str,
    default: int | None = None,
    least: int | None = None,
    most: int | None = None,
    name: str | None = None,
) -> Callable[..., Any]:
    """Make a flag that takes a whole number, for a parameter of its own name."""
    return click.option(
        *filter(None, (flag, name)),
        type=whole(least, most),
        default=default,
        metavar="N",
        show_default=default is not None,
        help=about,
    )


def complete_game(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[Any]:
    """Complete the name of a game, or a file once a path is begun."""
    if incomplete[:1] in (".", "~") or "/" in incomplete:
        from click.shell_completion import CompletionItem

        return [CompletionItem(incomplete, type="file")]
    return [name for name in games() if name.startswith(incomplete)]


def complete_match(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    """Complete the id of a match."""
    from zerosum.store import open_store

    try:
        store = open_store(common_value(ctx, "db")[0] or data_file(), write=False)
        ctx.call_on_close(store.close)
        found = store.matches(unfinished=ctx.command.name == "resume")
    except ZerosumError:
        return []  # there is nobody to read an error
    return [match.id for match in found if match.id.startswith(incomplete)]


game_argument = click.argument("game", shell_complete=complete_game)
match_argument = click.argument(
    "match_id", metavar="[ID]", required=False, shell_complete=complete_match
)
own_game_option = click.option(
    "--game", metavar="FILE", help="The file of the game, if it is one of your own."
)
record_game_option = click.option(
    "--game",
    metavar="GAME",
    help="Use this game (name or file) if the one in the record is unknown.",
)
coach_option = click.option("--coach", is_flag=True, help="Show what every move is worth.")
all_option = click.option(
    "--all", "everything", is_flag=True, help="Print everything, not only what fits a screen."
)
svg_option = click.option(
    "--svg", "picture", metavar="FILE", help="Write the picture to this file."
)
seed_option = number("--seed", "Random seed, for reproducible play.")
json_option = click.option("--json", "as_json", is_flag=True, help="Print a JSON document.")


def variant(ctx: click.Context, params: Mapping[str, Any]) -> Game[Any]:
    """Make the variant that the game's flags describe."""
    entry, flags = ctx.meta[META]
    values = {flag.name.removeprefix(PREFIX): params[flag.name] for flag in flags}
    try:
        made: Game[Any] = entry.variant(**values)
        return made
    except OptionError as error:
        raise bad_value(ctx, PREFIX + error.option, error.message) from error


def bad_value(ctx: click.Context, name: str, message: str) -> click.UsageError:
    """Return the error for a parameter's value, wherever it comes from."""
    param = next((param for param in ctx.command.get_params(ctx) if param.name == name), None)
    sentence = message if message[-1] in ".?" else f"{message}."
    return click.BadParameter(sentence, ctx, param)


def asks_for_help(ctx: click.Context, args: list[str]) -> bool:
    """Return whether only help or a completion is wanted, whatever the settings."""
    return ctx.resilient_parsing or not {*ctx.help_option_names, "--version"}.isdisjoint(args)


def flags_of(entry: Any) -> list[click.Option]:
    """Make the flags of a game's options, in their order."""
    return [_flag(entry.name, option, set()) for option in entry.options]


def _flag(game: str, option: Option, taken: set[str]) -> click.Option:
    """Turn an option into a flag, and add it to those that are taken."""
    name = option.flag
    prefixes = ("--", "--no-") if option.kind == "flag" else ("--",)
    while not taken.isdisjoint(prefix + name for prefix in prefixes):
        name = f"game-{name}"
    flags = [prefix + name for prefix in prefixes]
    taken.update(flags)
    numbers = Typed("numbers", lambda value: read_numbers(written(value)))
    kinds = {"flag": SWITCH, "number": whole(), "numbers": numbers, "text": click.STRING}
    switch = option.kind == "flag"
    return (SwitchOption if switch else click.Option)(
        ["/".join(flags), PREFIX + option.name],
        type=Chosen(option.choices) if option.choices else kinds[option.kind],
        metavar="N,N,…" if option.kind == "numbers" else None,
        default=option.default,
        help=option.about,
        show_default=not switch,
        envvar=f"ZEROSUM_{game}_{option.name}".replace("-", "_").upper(),
    )
