"""Many games at once: one gather a move, on any array library."""

from __future__ import annotations

import hashlib
import operator
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from zerosum.bulk.libraries import Library, array_library
from zerosum.bulk.table import Table
from zerosum.errors import IllegalMove, MatchError, TooLarge, UnreadableMove, ZerosumError
from zerosum.options import check_whole
from zerosum.text import brief, counted

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

# Random moves in one compiled function: more of them take long to compile.
COMPILED = 32
# The choice below multiplies 15 bits of a number by this in 31 bits.
MOST_MOVES = (1 << 15) - 1
# What is at least this large needs 64 bits.
WIDE = 1 << 31
# The counts of this many calls are kept before they are added up.
MOST_COUNTS = 256
# Multipliers of a mixing function of 32 bits, written as signed integers.
FIRST, SECOND = 0x7FEB352D, 0x846CA68B - (1 << 32)


class Results(NamedTuple):
    """The ended games of a batch: won by the first player, by the second, drawn."""

    first: int
    second: int
    draw: int


class Packed(NamedTuple):
    """A table packed for play: where the next edges of each edge begin, and how many.

    The number of edges is in the lowest `bits`. An end leads to one of three copies of the start,
    `restarts`, so that a restart costs nothing and tells who won. `states` has the state of the
    edges that begin at an index.
    """

    edges: NDArray[np.int32 | np.int64]
    states: NDArray[np.int32]
    bits: int
    start: int
    restarts: tuple[int, int, int]


def pack(table: Table[Any]) -> Packed:
    """Lay out a table for play: first the edges of the three copies of the start."""
    # Small integers would overflow below.
    offsets = table.offsets.astype(np.int64)
    winner = table.winner.astype(np.int64)
    degrees = np.diff(offsets)
    first = int(degrees[table.start])
    most = int(degrees.max())
    if not first:
        raise MatchError("The game is over at its start; there is nothing to play.")
    if most > MOST_MOVES:
        raise TooLarge(f"A position has {most:,} moves; a batch can have at most {MOST_MOVES:,}.")
    bits = most.bit_length()
    begins = np.where(degrees > 0, 3 * first + offsets[:-1], first * winner)
    entries = begins << bits | np.where(degrees > 0, degrees, first)
    edges = entries[table.targets]
    copies = [edges[offsets[table.start] :][:first]] * 3
    kind = np.int32 if int(entries.max()) < WIDE else np.int64
    owners = np.repeat(np.arange(len(degrees), dtype=np.int32), degrees)
    return Packed(
        np.concatenate((*copies, edges)).astype(kind),
        np.concatenate((np.full(3 * first, table.start, np.int32), owners)),
        bits,
        int(entries[table.start]),
        (first, first << bits | first, 2 * first << bits | first),
    )


class Batch:
    """n games of a table at once; one that ends is counted, and starts again.

    `library` is 'numpy', 'torch', 'jax' or 'cupy', `device` one of its devices. The same seed
    gives the same games on each, and the first games of a larger batch.

    >>> import zerosum
    >>> batch = Batch(Table(zerosum.game("even-steven")), 1000, seed=7)
    >>> batch.play(100)
    >>> batch.results
    Results(first=6131, second=4597, draw=0)
    """

    def __init__(
        self,
        table: Table[Any],
        n: int,
        seed: int = 0,
        library: str = "numpy",
        device: Any = None,
    ) -> None:
        """Start n games."""
        if not isinstance(table, Table):
            raise ZerosumError(
                f"A batch plays on a table, such as Table(game), not {brief(table)}."
            )
        self.table, self.plies = table, 0
        self.n = _whole("n", n, 1, (1 << 31) - 1)
        self._library = array_library(library, device)
        packed = pack(table)
        array = self._library.array
        block = self._library.block or self.n
        n = self.n
        digest = hashlib.sha256(str(_whole("seed", seed)).encode()).digest()
        self._key = int.from_bytes(digest[:8])
        self._bits = packed.bits
        self._restarts = packed.restarts
        self._edges = array(packed.edges)
        self._owners = array(packed.states)
        numbers = [np.arange(at, min(at + block, n), dtype=np.int32) for at in range(0, n, block)]
        self._games = [array(part) for part in numbers]
        kind = packed.edges.dtype
        self._now = [array(np.full(len(part), packed.start, kind)) for part in numbers]
        self._counts: list[tuple[Any, ...]] = [(0, 0, 0)]
        self._random = _random_plies(self._library, packed.bits, packed.restarts)

    def __repr__(self) -> str:
        """Name the table, and the number of games."""
        games = counted(self.n, "game")
        moves = counted(self.plies, "move")
        return f"<Batch of {games}, {moves} each, on {self.table}>"

    @property
    def states(self) -> Any:
        """The state of every game, by its index in the table."""
        return self._each(lambda now: self._library.take(self._owners, now >> self._bits))

    @property
    def legal_counts(self) -> Any:
        """The number of legal moves of every game."""
        return self._each(lambda now: now & (1 << self._bits) - 1)

    @property
    def ended(self) -> Any:
        """For each game that has just ended its winner, or 2 for a draw; else -1."""
        first, second, draw = self._restarts
        return self._each(
            lambda now: (now == first) * 1 + (now == second) * 2 + (now == draw) * 3 - 1
        )

    @property
    def results(self) -> Results:
        """Count the games that have ended."""
        results = Results(*(sum(map(int, each)) for each in zip(*self._counts, strict=True)))
        self._counts = [results]
        return results

    def step(self, choices: Any) -> None:
        """Make a move in every game: the k-th of its legal moves, counted from 0.

        If one is not legal, no game moves.
        """
        parts = self._split(choices)
        for now, part in zip(self._now, parts, strict=True):
            # The number of legal moves has no name, so that its memory is free for the next array.
            if self._library.count((part < 0) | (part >= now & (1 << self._bits) - 1)):
                raise _illegal(self.legal_counts, choices)
        for number, part in enumerate(parts):
            now = self._library.take(self._edges, (self._now[number] >> self._bits) + part)
            self._now[number] = now
            self._count(tuple(self._library.count(now == end) for end in self._restarts))
        self.plies += 1

    def play(self, plies: int) -> None:
        """Make this many random legal moves in every game, all equally likely.

        The chance of a move among d differs from 1/d by less than d / 2^31.
        """
        plies = _whole("plies", plies, 0)
        keys = _keys(self._key, self.plies, plies)
        sizes = [COMPILED] * (plies // COMPILED) + [1] * (plies % COMPILED)
        for number, games in enumerate(self._games):
            now, at = self._now[number], 0
            for size in sizes:
                now, counts = self._random(self._edges, now, games, keys[at : at + size])
                self._count(counts)
                at += size
            self._now[number] = now
        self.plies += plies

    def _count(self, counts: Any) -> None:
        """Keep counts for later, so that a GPU does not wait for them."""
        self._counts.append(counts)
        if len(self._counts) >= MOST_COUNTS:
            self.results  # noqa: B018 (which adds them up)

    def _each(self, function: Callable[[Any], Any]) -> Any:
        """Return a function of all games, as one array."""
        parts = [function(now) for now in self._now]
        return parts[0] if len(parts) == 1 else self._library.join(parts)

    def _split(self, choices: Any) -> list[Any]:
        """Divide the choices like the games; refuse what is not one integer each."""
        if type(choices) is not type(self._games[0]) or str(choices.dtype).startswith("uint"):
            try:
                values = np.asarray(choices)
            except ValueError:  # lists of different lengths
                values = np.zeros(0)
            if values.dtype.kind in "iu":  # what is out of range stays out of range
                least = -1 if values.dtype.kind == "i" else 0
                values = np.clip(values, least, MOST_MOVES + 1).astype(np.int32)
            choices = self._library.array(values)
        if tuple(choices.shape) != (self.n,) or "int" not in str(choices.dtype):
            raise UnreadableMove(
                f"Pass {counted(self.n, 'integer')}, one for each game: an array of shape "
                f"({self.n},), not {choices.dtype} of shape {tuple(choices.shape)}. "
                "No game has moved."
            )
        block = len(self._games[0])
        return [choices[at : at + block] for at in range(0, self.n, block)]


def _whole(name: str, value: Any, least: int | None = None, most: int | None = None) -> int:
    """Return an integer of any library as Python's own; refuse anything else or out of range."""
    countable = hasattr(value, "__index__") and not isinstance(value, bool)
    whole = operator.index(value) if countable else value
    check_whole(name, whole, least, most)
    return int(whole)


@cache
def _random_plies(library: Library, bits: int, restarts: tuple[int, int, int]) -> Any:
    """Return a function that makes a random move for each key, and counts the ends."""
    mask = (1 << bits) - 1

    def play(edges: Any, now: Any, games: Any, keys: Any) -> tuple[Any, tuple[Any, Any, Any]]:
        counts = [0, 0, 0]
        for key in keys:
            choice = _below(now & mask, _mixed(_mixed(games ^ key[0]) + key[1]))
            now = library.take(edges, (now >> bits) + choice)
            for winner, end in enumerate(restarts):
                counts[winner] = counts[winner] + library.count(now == end)
        return now, (counts[0], counts[1], counts[2])

    return library.compiled(play)


def _below(most: Any, noise: Any) -> Any:
    """Return integers below others, from 31 random bits: noise * most >> 31, in 32 bits."""
    high, low = noise >> 16 & 0x7FFF, noise & 0xFFFF
    return high * most + (low * most >> 16) >> 15


def _mixed(bits: Any) -> Any:
    """Mix 32 bits so that each depends on all; on signed integers, which every library has."""
    bits = (bits ^ bits >> 16 & 0xFFFF) * FIRST
    bits = (bits ^ bits >> 15 & 0x1FFFF) * SECOND
    return bits ^ bits >> 16 & 0xFFFF


def _keys(seed: int, first: int, plies: int) -> Any:
    """Return two 32-bit keys for each of some plies (SplitMix64)."""
    keys = np.arange(first + 1, first + plies + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    keys += np.uint64(seed)
    keys = (keys ^ keys >> np.uint64(30)) * np.uint64(0xBF58476D1CE4E5B9)
    keys = (keys ^ keys >> np.uint64(27)) * np.uint64(0x94D049BB133111EB)
    return (keys ^ keys >> np.uint64(31)).astype("<u8").view("<i4").reshape(plies, 2)


def _illegal(legal: Any, choices: Any) -> IllegalMove:
    """Return the error for the first choice that is not legal."""
    listed = choices.tolist() if hasattr(choices, "tolist") else choices
    games = enumerate(zip(legal.tolist(), listed, strict=True))
    game, count, choice = next((g, n, k) for g, (n, k) in games if not 0 <= k < n)
    return IllegalMove(
        f"Game {game} has {count} legal moves, so its choice is from 0 to {count - 1}, "
        f"not {choice}. No game has moved."
    )
