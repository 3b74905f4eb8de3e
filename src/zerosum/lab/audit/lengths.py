"""How long games last: the exact distribution under random play, and the longest game."""

from __future__ import annotations

from typing import Any, NamedTuple

from zerosum.bulk.chain import Chain

# A game with cycles is followed until so little is left, or for so many plies.
LITTLE, MOST_PLIES = 1e-12, 10_000
# The most moves and states that are looked at, again at every ply: some seconds.
MOST_STEPS = 1 << 28
# The most bars of a distribution. What comes after nearly all games would make them too wide.
MOST_BARS, NEARLY_ALL = 14, 0.999


class Bar(NamedTuple):
    """The share of games with `first` to `last` moves; `last` is None for all that are longer."""

    first: int
    last: int | None
    share: float


class Lengths(NamedTuple):
    """`shares[n]` is the chance that random play ends after n plies.

    `rest` is the chance that it takes longer or never ends: 0 in a game without cycles, unless its
    table is enormous.
    """

    shares: tuple[float, ...]
    rest: float

    def within(self, share: float) -> int | None:
        """Return the number of moves within which a share of games ends; None if none is known."""
        total = 0.0
        for moves, chance in enumerate(self.shares):
            total += chance
            if total >= share - LITTLE:
                return moves
        return None

    def bars(self) -> list[Bar]:
        """Group the lengths into a few bars of equal width.

        >>> Lengths((0.0, 0.25, 0.75), 0.0).bars()
        [Bar(first=1, last=1, share=0.25), Bar(first=2, last=2, share=0.75)]
        """
        shares = self.shares
        first = next((moves for moves, share in enumerate(shares) if share), 0)
        within = self.within(NEARLY_ALL)
        last = len(shares) - 1 if within is None else within
        width = -(-(last - first + 1) // MOST_BARS)
        begins = range(first, last + 1, width)
        bars = [Bar(at, at + width - 1, sum(shares[at : at + width])) for at in begins]
        after = sum(shares[begins[-1] + width :]) + self.rest
        return [*bars, *([Bar(begins[-1] + width, None, after)] if after else [])]

    def document(self) -> dict[str, Any]:
        """Write the lengths for programs."""
        return {
            **self._asdict(),
            "half": self.within(0.5),
            "nine_tenths": self.within(0.9),
            "last": len(self.shares) - 1,
            "bars": [bar._asdict() for bar in self.bars()],
        }


def lengths(chain: Chain) -> Lengths:
    """Follow random play ply by ply, with the exact chance of every position.

    >>> import zerosum
    >>> from zerosum.players.level_policies import chain_of
    >>> lengths(chain_of(zerosum.solve(zerosum.game("dual-digits", start=3))))
    Lengths(shares=(0.0, 0.3333333333333333, 0.6666666666666666), rest=0.0)
    """
    np, table = chain.np, chain.table
    count = np.diff(table.offsets)
    lasting, cyclic = table.without_end, table.plan.largest_cycle > 0
    states, chances = np.array([table.start]), np.ones(1)
    shares: list[float] = []
    endless, steps = 0.0, 0
    while True:
        shares.append(float(chances[count[states] == 0].sum()))
        endless += float(chances[lasting[states]].sum())
        going = (count[states] > 0) & ~lasting[states]
        states, chances = states[going], chances[going]
        rest = float(chances.sum())
        done = rest < LITTLE or len(shares) > MOST_PLIES if cyclic else not len(states)
        if done or steps > MOST_STEPS:
            return Lengths(tuple(shares), min(1.0, endless + rest))  # not above, by rounding
        indices, _ = table.edges_from(states)
        flow = np.repeat(chances / count[states], count[states])
        # The states of a ply have neighbouring numbers, so the array between them is short.
        targets = table.targets[indices]
        least = targets.min()
        chances = np.bincount(targets - least, flow)
        steps += len(targets) + len(chances)
        (places,) = np.nonzero(chances)
        states, chances = places + least, chances[places]


def longest(chain: Chain) -> int | None:
    """Return the plies of the longest possible game; None if it can go on forever.

    >>> import zerosum
    >>> from zerosum.players.level_policies import chain_of
    >>> longest(chain_of(zerosum.solve(zerosum.game("even-steven", start=6))))
    6
    """
    plan = chain.table.plan
    # A state is in the first layer after all those that it leads to.
    return None if plan.largest_cycle else int(plan.height[chain.table.start])
