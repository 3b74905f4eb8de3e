"""Commands with players and games among their words, told apart by what they are."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import click

from zerosum.cli import flags
from zerosum.errors import UnknownGame
from zerosum.lab.ids import read_variant
from zerosum.limits import MOST_SAMPLES
from zerosum.players.asked import PLAYERS, SAMPLES, UnknownPlayer, check_player, names_class
from zerosum.players.engines import EXEC, OPPONENTS, is_program
from zerosum.players.levels import LEVELS
from zerosum.players.programs import check_command
from zerosum.registry import BUILT_IN, find_named, games, is_path
from zerosum.text import brief, closest, did_you_mean

if TYPE_CHECKING:
    from zerosum.lab.models.suites import SuitePart

# How the names of suites begin.
SUITE = "zerosum-"

samples_option = flags.number(
    "--samples",
    "Ask N times about each position if a player may draw its moves.",
    SAMPLES,
    1,
    MOST_SAMPLES,
)
timeout_option = click.option(
    "--timeout",
    type=flags.seconds(0.001, 86_400),
    help="Time limit for an answer (default: 10; for the first, 60).",
)


class PlayersCommand(flags.GameCommand):
    """A command with players and games, told apart by what they are."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command with the players and the variants in place of their names."""
        programs = [f"{EXEC}{command}" for command in ctx.params.pop("programs")]
        programs += filter(is_program, ctx.params["game"])
        words = [word for word in ctx.params["game"] if not is_program(word)]
        # What is not a word is the value of an option.
        others = [*programs, *ctx.params["answer_files"]]
        try:
            players = [word for word in words if self.is_player(word)]
            named = [word for word in words if word not in players]
            for word in (*players, *filter(_meant, named)):
                self.check(word)
            for word in named:
                _check_known(word)
            for word in programs:
                check_program(word)
            for word in () if players or others else words[:1]:
                self.check(word)
        except UnknownPlayer as error:
            raise click.UsageError(str(error), ctx) from error
        if not players and not others:
            raise click.UsageError(f"Name a player: {OPPONENTS}.", ctx)
        ctx.params["players"] = [*players, *programs]
        if flags.META not in ctx.meta:
            # Without a name, files with answers say which games they are about.
            usual = (
                () if any(map(self.is_answers, players)) or ctx.params["answer_files"] else BUILT_IN
            )
            ctx.params["game"] = [
                variant for name in named or usual for variant in self.variants(name)
            ]
        return super().invoke(ctx)

    def game_among(self, ctx: click.Context, args: list[str]) -> str | None:
        """Find the only game among arguments that are not read yet."""
        words, known = self.plain_words(args), games()
        # Without a player, a path may be meant as one.
        paths = any(map(self.is_player, words)) or any(
            arg.startswith(("--exec", "--answers")) for arg in args
        )
        found = [
            word
            for word in words
            if word in known or (paths and is_path(word) and not self.is_player(word))
        ]
        with_options = any("?" in word for word in words)
        return found[0] if len(found) == 1 and not with_options else None

    def is_player(self, word: str) -> bool:
        """Return whether a word names a player: a level, a function in a file, or a program."""
        own = ":" in word and not names_class(word)
        return word in LEVELS or is_log(word) or is_program(word) or own

    def is_answers(self, word: str) -> bool:
        """Return whether a word names answers, which say themselves what they are about."""
        return is_log(word)

    def variants(self, name: str) -> Sequence[Any]:
        """Return a game as it is named, or all of a suite of questions."""
        return [part.game for part in parts_of(name)] or [read_variant(name)]

    def check(self, word: str) -> None:
        """Refuse what is not a player."""
        if not is_log(word):
            check_player(word)


def parts_of(name: str) -> Sequence[SuitePart]:
    """Return the parts of a suite of questions; none if it is the name of a game."""
    if not name.startswith(SUITE):
        return ()
    from zerosum.lab.models.suites import suite_named

    parts = suite_named(name).parts
    for part in parts:
        _ = part.game  # a game in a file starts the command again: before anything is done
    return parts


def is_log(word: str) -> bool:
    """Return whether a word names a log of Inspect."""
    return word.endswith(".eval") and not is_program(word)


def _meant(word: str) -> bool:
    """Return whether a word may be meant as a level."""
    return not is_path(word) and closest(word, (*games(), *LEVELS)) in LEVELS


def check_program(word: str) -> None:
    """Refuse a program that cannot be started; on a cluster, it may be on other machines."""
    if not click.get_current_context().params.get("cluster"):
        check_command(word.removeprefix(EXEC), EXEC)


def _check_known(word: str) -> None:
    """Refuse a word that can name neither a player nor a game."""
    name = word.partition("?")[0]
    if is_path(word) or ":" in word or name.startswith(SUITE):
        return
    try:
        find_named(name)
    except UnknownGame as error:
        close = did_you_mean(name, (*games(), *LEVELS))
        said = f"; {close}" if close else f". {PLAYERS} The games are {', '.join(games())}."
        message = f"There is no player or game called '{brief(word)}'{said}"
        raise UnknownPlayer(message) from error


def complete_word(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[Any]:
    """Complete the name of a level or a game, or a file once a path is begun."""
    levels = [level for level in LEVELS if level.startswith(incomplete)]
    return [*levels, *flags.complete_game(ctx, param, incomplete)]


def players_and_games(function: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the words that a PlayersCommand tells apart, and what else names players."""
    answers = click.option(
        "--answers",
        "answer_files",
        metavar="FILE",
        multiple=True,
        help="Judge the answers to questions in this file; can be repeated.",
    )
    programs = click.option(
        "--exec",
        "programs",
        metavar="COMMAND",
        multiple=True,
        help="A program that answers JSON lines, as exec:COMMAND; can be repeated.",
    )
    words = click.argument(
        "game", metavar="PLAYER... [GAME]...", nargs=-1, shell_complete=complete_word
    )
    return words(programs(answers(function)))
