"""The match that the flags of `zerosum play` describe, and sentences about it for the terminal."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import click
from click.core import ParameterSource

from zerosum.cli import flags
from zerosum.errors import BrokenGame, OptionError
from zerosum.match import NAMES, Match
from zerosum.protocol import Game, Move, fault_of_moves
from zerosum.text import counted, for_you, lower_first, score, short
from zerosum.wording.words import Names, Words, title_of, words_of

Bots = tuple[str | None, str | None]
NOBODY: Bots = (None, None)
# The choice of who moves first that gives a person a winnable game.
AUTO = "auto"
# Where --vs and --watch may come from; an earlier source beats a later one.
SOURCES: tuple[ParameterSource | None, ...] = (
    ParameterSource.COMMANDLINE,
    ParameterSource.ENVIRONMENT,
    ParameterSource.DEFAULT_MAP,
)

# How a bot is called, and the one who plays against it without a name.
COMPUTER, YOU = "Computer (", "You"
# The verbs that labels usually begin with.
VERBS = {"Add", "Divide", "Halve", "Move", "Multiply", "Place", "Remove", "Subtract", "Take"}


def new_match(ctx: click.Context, game: Game[Any], flagged: Mapping[str, Any]) -> Match[Any]:
    """Make the match that the flags describe, or name the one that is wrong."""
    state = game.initial()
    if fault := fault_of_moves(state, game.moves(state)):  # which nobody could type
        raise BrokenGame(game, fault)
    bots, seed = _bots(ctx, flagged["vs"], flagged["watch"]), flagged["seed"]
    if seed is None and bots != NOBODY:
        from os import urandom

        seed = int.from_bytes(urandom(4), "big")
    try:
        players, first = flagged["names"] or _names(bots), _first(flagged["first"], seed)
        return Match.new(game, players, first, flagged["games"], flagged["clock"], bots, seed)
    except OptionError as error:
        raise flags.bad_value(ctx, error.option, error.message) from error


def _bots(ctx: click.Context, vs: str | None, watch: tuple[str, str] | None) -> Bots:
    """Read which players are bots, and of which level."""
    if vs is None and not watch:
        return NOBODY
    if vs is not None and watch:
        vs_rank, watch_rank = (SOURCES.index(ctx.get_parameter_source(n)) for n in ("vs", "watch"))
        if vs_rank == watch_rank:
            raise flags.bad_value(ctx, "vs", "cannot be combined with --watch.")
        watch = watch if watch_rank < vs_rank else None
    from zerosum.errors import UnknownLevel
    from zerosum.players.levels import check_level

    try:
        if watch:
            return check_level(watch[0]), check_level(watch[1])
        return None, check_level(vs or "")
    except UnknownLevel as error:
        raise flags.bad_value(ctx, "watch" if watch else "vs", str(error)) from error


def _names(bots: Bots) -> tuple[str, str]:
    """Return the default names of the players."""
    first, second = bots
    if second is None:
        return NAMES
    if first is None:
        return NAMES[0], bot_name(second)
    same = first == second
    return first.title() + " 1" * same, second.title() + " 2" * same


def _first(choice: str, seed: int | None) -> int:
    """Decide who moves first."""
    if choice != "random":
        return int(choice == "2")
    from random import Random

    return Random(seed).randrange(2)  # noqa: S311 (a coin, not a secret)


def position_of(words: Words[Any], state: Any, names: Names) -> str:
    """Describe a position in a sentence, unless it has a board, which is drawn at its turn."""
    return "" if words.board(state) is not None else f"{short(words.position(state, names))}."


def summary_of_match(match: Match[Any]) -> str:
    """Describe who plays what, and how far a match has come."""
    match = replace(match, players=called(match.players))
    text = f"{title_of(match.game)}, {' against '.join(match.players)}"
    if match.games > 1:
        text += f", game {match.number} of {match.games}, {score(match.score)}"
    position = position_of(words_of(match.game), match.state, match.seated)
    return to_you(f"{text}, after {counted(match.ply, 'move')}. {position}".rstrip())


def called(players: Names) -> Names:
    """Return what players are called here: one without a name, against the computer, is You.

    >>> called(("Player 1", "Computer (easy)")), called(("Player 1", "Player 2"))
    (('You', 'Computer (easy)'), ('Player 1', 'Player 2'))
    """
    first, second = players
    if second.startswith(COMPUTER) and first in NAMES:
        return YOU, second
    return (first, YOU) if first.startswith(COMPUTER) and second in NAMES else players


def to_you(text: str) -> str:
    """Address the player who is called You in sentences that were written for any name.

    >>> to_you("You's Turn: so You loses 3 lives. You has won!"), to_you("You Life Points: 9")
    ('Your Turn: so you lose 3 lives. You have won!', 'Your Life Points: 9')
    >>> to_you("Your opponent Life Points: 9")
    "Your opponent's Life Points: 9"
    """
    text = re.sub(r"\bYour opponent(?= [A-Z])", "Your opponent's", text)
    text = re.sub(r"\bYou's\b|\bYou(?= [A-Z])", "Your", text)
    text = re.sub(r"\b(?<=You )[a-z]+s\b", lambda found: for_you(found[0]), text)
    return re.sub(r"(?<=[a-z,;] )You(r?)\b", r"you\1", text)


def computer_move(words: Words[Any], name: str, state: Any, move: Move) -> str:
    """Report a move of the computer in a sentence, made from its label.

    >>> import zerosum
    >>> game = zerosum.game("dual-digits")
    >>> computer_move(words_of(game), "Computer", game.initial(), 3)
    'Computer subtracts 3, leaving 22.'
    """
    label = words.label(state, move)
    verb, _, rest = label.partition(" ")
    if verb in VERBS:
        does = re.sub("ys$", "ies", f"{verb.lower()}s")
        return short(f"{name} {does} {rest}.")
    made = words.step(state, move).text
    effect = "" if label == made else f": {lower_first(label)}"
    return short(f"{name} plays {made}{effect}.")


def bot_name(level: str) -> str:
    """Name a bot after its level."""
    return f"{COMPUTER}{level})"
