"""`zerosum measure`: how well a player plays."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click

from zerosum.cli import flags
from zerosum.cli.config import Settings, variant_words
from zerosum.cli.files import write_file
from zerosum.cli.solving import limit_option
from zerosum.lab.measure.players import SAMPLES
from zerosum.players.levels import LEVELS
from zerosum.protocol import Game
from zerosum.registry import BUILT_IN, find, games, is_path
from zerosum.text import closest

ARGUMENTS = "zerosum.arguments"
PLAYERS = "a level, a function such as ./mine.py:choose, or a program with --exec"
LONGEST_TIMEOUT = 86_400


class MeasureCommand(flags.GameCommand):
    """A command with players and games, told apart by what they are."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Remember the arguments, to say how to resume; read them."""
        ctx.meta[ARGUMENTS] = list(args)
        return super().parse_args(ctx, args)

    def defaults(self, ctx: click.Context, args: list[str]) -> dict[str, Any]:
        """Find the game if there is only one: then its options are flags."""
        if self._game_among(args) is None:
            return flags.Command.defaults(self, ctx, args)
        return super().defaults(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command with the players and the variants in place of their names."""
        from zerosum.lab.measure.players import UnknownPlayer, check_player
        from zerosum.lab.measure.programs import split_command

        words, programs = ctx.params["game"], ctx.params["programs"]
        try:
            players, named = _sorted(words)
            for command in programs:
                split_command(command)
            for word in () if players or programs else words[:1]:
                check_player(word)
        except UnknownPlayer as error:
            raise click.UsageError(str(error), ctx) from error
        if not players and not programs:
            raise click.UsageError(f"Name a player: {PLAYERS}.", ctx)
        entries = [find(name) for name in named or BUILT_IN]
        ctx.params["players"] = players
        if flags.META in ctx.meta and len(entries) == 1:
            return super().invoke(ctx)
        ctx.params["game"] = [entry.variant() for entry in entries]
        return flags.Command.invoke(self, ctx)

    def _game_among(self, args: Sequence[str]) -> str | None:
        """Find the only game among arguments that are not read yet."""
        words, known = self.plain_words(args), games()
        # Without a player, a path may be meant as one.
        paths = any(map(is_player, words)) or any(arg.startswith("--exec") for arg in args)
        found = [
            word
            for word in words
            if word in known or (paths and is_path(word) and not is_player(word))
        ]
        return found[0] if len(found) == 1 else None


class RepeatedOption(click.Option):
    """An option that can be repeated; a setting, or a variable, has one value."""

    def value_from_envvar(self, ctx: click.Context) -> Any:
        """Read the variable as it is, with its spaces."""
        return self.resolve_envvar_value(ctx)

    def type_cast_value(self, ctx: click.Context, value: Any) -> Any:
        """Make a list of one value."""
        return super().type_cast_value(ctx, (value,) if isinstance(value, str) else value)


def is_player(word: str) -> bool:
    """Return whether a word names a player: a level, or a function in a file."""
    from zerosum.lab.measure.players import names_class

    return word in LEVELS or (":" in word and not names_class(word))


def _sorted(words: Sequence[str]) -> tuple[list[str], list[str]]:
    """Tell players and games apart; a word that is neither may be meant as a level."""
    from zerosum.lab.measure.players import check_player

    players = [word for word in words if is_player(word)]
    named = [word for word in words if word not in players]
    known = (*games(), *LEVELS)
    meant = [word for word in named if not is_path(word) and closest(word, known) in LEVELS]
    for word in (*players, *meant):
        check_player(word)
    return players, named


def complete_word(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[Any]:
    """Complete the name of a level or a game, or a file once a path is begun."""
    levels = [level for level in LEVELS if level.startswith(incomplete)]
    return [*levels, *flags.complete_game(ctx, param, incomplete)]


@flags.game_command(cls=MeasureCommand)
@click.argument("game", metavar="PLAYER... [GAME]...", nargs=-1, shell_complete=complete_word)
@click.option(
    "--exec",
    "programs",
    cls=RepeatedOption,
    metavar="COMMAND",
    multiple=True,
    help="Measure a program that answers JSON lines; can be repeated.",
)
@click.option(
    "--samples",
    type=flags.Whole(1),
    default=SAMPLES,
    metavar="N",
    help=f"Ask N times about each position if a player may draw its moves (default: {SAMPLES}).",
)
@click.option(
    "--budget",
    type=flags.Whole(1),
    metavar="N",
    help="Ask about at most N positions, drawing a sample if there are more (default: all).",
)
@click.option(
    "--seed",
    type=flags.Whole(),
    default=0,
    metavar="N",
    help="Random seed, for the sample, functions and programs.",
)
@click.option(
    "--timeout",
    type=flags.Seconds(),
    help="Time limit for an answer (default: 10; for the first, 60).",
)
@limit_option
@click.option("--journal", metavar="FILE", help="Save the answers in this file and keep it.")
@click.option("--fresh", is_flag=True, help="Ignore saved answers and ask again.")
@flags.svg_option
@flags.json_option
@flags.common
def measure(
    settings: Settings,
    players: Sequence[str],
    game: Game[Any] | Sequence[Game[Any]],
    programs: Sequence[str],
    timeout: float | None,
    svg: str | None,
    as_json: bool,
    **rest: Any,
) -> None:
    """Measure how well PLAYER plays GAME: the share of good moves over all positions in which
    a move can go wrong, the score against every level, and where it errs first.

    PLAYER is a level; or a Python function such as ./mine.py:choose, called with a game and a
    state, which returns a move, or a dict of moves and their chances; or, with --exec, a program
    that answers each JSON line with one of its own. Several are shown side by side. Without GAME,
    all five games are measured. In a file, a name with a capital is a game: ./mine.py:LastStick.

    A player that answers with a move may have drawn it. It is asked several times about each
    position, and the figures are estimates, unless it declares that it is deterministic. With
    chances, they are exact. With --budget, only a sample of the positions may be asked about.

    After Ctrl-C, run the same command to continue. The exit code is 1 if a player could not be
    asked to the end; wrong answers count against it, but are not an error.
    """
    from zerosum.cli.measurements import Measuring, Request
    from zerosum.documents import to_json
    from zerosum.lab.measure.measurement import Measurements
    from zerosum.lab.measure.measurement_report import (
        measurement_report,
        measurement_svg,
        measurements_report,
    )

    ctx = click.get_current_context()
    if timeout is not None and not 0 < timeout <= LONGEST_TIMEOUT:
        raise flags.bad_value(ctx, "timeout", f"must be above 0 and at most {LONGEST_TIMEOUT}")
    request = Request(players, programs, timeout=timeout, **rest)
    variants = [game] if isinstance(game, Game) else game
    measuring = Measuring(settings, request, ctx.meta[ARGUMENTS])
    measured = measuring.run(variants)
    if svg is not None and measured:
        write_file(svg, measurement_svg(*measured))

    def look(moves: str) -> str:
        words = variant_words(variants[0], ctx.meta.get(flags.META, (None, ()))[1])
        return settings.command_line("solve", *words, *(["--moves", moves] if moves else []))

    if as_json:
        single = len(variants) == len({*players}) + len({*programs}) == 1 and measured
        several = Measurements(measurements=tuple(measured))
        settings.out.line(to_json(measured[0] if single else several))
    elif svg != "-" and measured:
        one = len(measured) == 1
        report = measurement_report(measured[0], look) if one else measurements_report(measured)
        with settings.paged() as out:
            out.show(report)
    measuring.finish()
