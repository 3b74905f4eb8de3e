"""The match that the flags of `zerosum play` describe, and what is said about it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import click
from click.core import ParameterSource

from zerosum.cli import flags
from zerosum.errors import BrokenGame, OptionError
from zerosum.match import NAMES, Match, is_engine
from zerosum.protocol import Game, Move, fault_of_moves
from zerosum.text import against, counted, for_you, lower_first, score, short
from zerosum.wording.words import Names, Words, title_of, words_of

Bots = tuple[str | None, str | None]
NOBODY: Bots = (None, None)
# The choice of who moves first that gives a person a winnable game.
AUTO = "auto"
# What the players against the computer are called in that choice.
MINE = {"me": "1", "computer": "2"}
# Where --vs and --watch may come from, the strongest source first.
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
        first = _first(first_among(ctx, flagged["first"], None in bots and bots != NOBODY), seed)
        players = flagged["names"] or _names(bots)
        return Match.new(game, players, first, flagged["games"], flagged["clock"], bots, seed)
    except OptionError as error:
        raise flags.bad_value(ctx, error.option, error.message) from error


def _bots(ctx: click.Context, vs: str | None, watch: tuple[str, str] | None) -> Bots:
    """Read which players are bots, and of which level."""
    if vs is None and not watch:
        return NOBODY
    if vs is not None and watch:
        sources = (ctx.get_parameter_source(name) for name in ("vs", "watch"))
        vs_rank, watch_rank = map(SOURCES.index, sources)
        if vs_rank == watch_rank:
            raise flags.bad_value(ctx, "vs", "cannot be combined with --watch.")
        watch = watch if watch_rank < vs_rank else None
    if watch:
        first, second = watch
        return _opponent(ctx, "watch", first), _opponent(ctx, "watch", second)
    return None, _opponent(ctx, "vs", vs or "")


def _opponent(ctx: click.Context, flag: str, name: str) -> str:
    """Read an opponent: a level, or a program or a function of one's own."""
    from zerosum.players.levels import LEVELS

    if name in LEVELS:  # which needs nothing of what follows
        return name
    from zerosum.players.asked import UnknownPlayer
    from zerosum.players.engines import check_opponent

    try:
        return check_opponent(name)
    except UnknownPlayer as error:
        raise flags.bad_value(ctx, flag, str(error)) from error


def _names(bots: Bots) -> tuple[str, str]:
    """Return the default names of the players."""
    first, second = bots
    if second is None:
        return NAMES
    if first is None:
        return NAMES[0], bot_name(second)
    one, other = (bot_name(bot) if is_engine(bot) else bot.title() for bot in (first, second))
    if one.casefold() == other.casefold():
        return _numbered(one, 1), _numbered(other, 2)
    return one, other


def _numbered(name: str, number: int) -> str:
    """Number one of two players of the same name."""
    bare = name.removesuffix(")")
    return f"{bare} {number}{name[len(bare) :]}"


def first_among(ctx: click.Context, choice: str, alone: bool) -> str:
    """Return who moves first by number; 'me' and 'computer' name those of a match with both."""
    if choice in MINE and not alone:
        raise flags.bad_value(
            ctx, "first", f"'{choice}' works only with --vs; type 1, 2 or random."
        )
    return MINE.get(choice, choice)


def _first(choice: str, seed: int | None) -> int:
    """Decide who moves first."""
    if choice != "random":
        return int(choice == "2")
    from random import Random

    return Random(seed).randrange(2)  # noqa: S311 (a coin, not a secret)


def position_of(words: Words[Any], state: Any, names: Names) -> str:
    """Describe a position in a sentence, unless it has a board to be drawn."""
    if words.board(state) is not None:
        return ""
    return f"{short(words.position(state, names))}."


def summary_of_match(match: Match[Any]) -> str:
    """Describe who plays what, and how far a match has come."""
    match = replace(match, players=called(match.players))
    text = f"{title_of(match.game)}, {against(match.players)}"
    if match.games > 1:
        text += f", game {match.number} of {match.games}, {score(match.score)}"
    position = position_of(words_of(match.game), match.state, match.seated)
    return to_you(f"{text}, after {counted(match.ply, 'move')}. {position}".rstrip())


def called(players: Names) -> Names:
    """Return what players are called here: one without a name is You, unless both have none.

    Whoever invites somebody in a browser comes first.

    >>> called(("Player 1", "Computer (easy)")), called(("Player 1", "Player 2"))
    (('You', 'Computer (easy)'), ('Player 1', 'Player 2'))
    >>> called(("Player 1", "Bob")), called(("Bob", "Player 2"))
    (('You', 'Bob'), ('Bob', 'Player 2'))
    """
    first, second = players
    if first in NAMES and second not in NAMES:
        return YOU, second
    return (first, YOU) if first.startswith(COMPUTER) and second in NAMES else players


def to_you(text: str) -> str:
    """Address the player called You in sentences that were written for any name.

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


def bot_name(bot: str) -> str:
    """Name a bot after its level, or after somebody's own program."""
    if is_engine(bot):
        from zerosum.players.engines import short_name

        bot = short_name(bot)
    return f"{COMPUTER}{bot})"
