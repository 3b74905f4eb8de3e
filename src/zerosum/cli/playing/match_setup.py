"""Make the match that the flags of `zerosum play` describe, typed or filled in by the menu."""

from __future__ import annotations

from typing import Any

import click
from click.core import ParameterSource

from zerosum.cli import flags
from zerosum.cli.playing.sentences import bot_name
from zerosum.errors import BrokenGame, OptionError
from zerosum.match import NAMES, Match
from zerosum.protocol import Game, fault_of_moves

Bots = tuple[str | None, str | None]
NOBODY: Bots = (None, None)
# The choice of who moves first that gives a person a game to win.
AUTO = "auto"
# Where --vs and --watch may come from; an earlier source beats a later one.
SOURCES: tuple[ParameterSource | None, ...] = (
    ParameterSource.COMMANDLINE,
    ParameterSource.ENVIRONMENT,
    ParameterSource.DEFAULT_MAP,
)


def new_match(
    ctx: click.Context,
    game: Game[Any],
    names: tuple[str, str] | None,
    first: str,
    games: int,
    clock: float | None,
    vs: str | None,
    watch: tuple[str, str] | None,
    seed: int | None,
) -> Match[Any]:
    """Make the match that the flags describe, or name the one that is wrong."""
    _check_moves(game)
    bots = _bots(ctx, vs, watch)
    if seed is None and bots != NOBODY:
        from os import urandom

        seed = int.from_bytes(urandom(4), "big")
    try:
        players = names or _names(bots)
        return Match.new(game, players, _first(first, seed), games, clock, bots, seed)
    except OptionError as error:
        raise flags.bad_value(ctx, error.option, error.message) from error


def _check_moves(game: Game[Any]) -> None:
    """Refuse a game whose moves nobody can type, with the sentence of `zerosum check`."""
    state = game.initial()
    if fault := fault_of_moves(state, game.moves(state)):
        raise BrokenGame(game, fault)


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
