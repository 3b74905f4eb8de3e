"""A measurement by loops and fractions over the plain rules, to compare the real one with."""

from collections import defaultdict, deque
from fractions import Fraction
from typing import Any

from tests.lab.measure.players import Reply, Scripted
from tests.naive import RANK, Naive
from zerosum.players.asked import PlayerFault
from zerosum.protocol import Game, Move, Outcome

Chances = dict[Move, Fraction]
NAMES = {(2, 1): "win-draw", (2, 0): "win-loss", (1, 0): "draw-loss"}


class Forfeited(Game[Any]):
    """A game in which a player loses at once in some states."""

    def __init__(self, game: Game[Any], states: set[Any]) -> None:
        self.game, self.states = game, states

    def initial(self) -> Any:
        return self.game.initial()

    def moves(self, state: Any) -> tuple[Move, ...]:
        return () if state in self.states else self.game.moves(state)

    def play(self, state: Any, move: Any) -> Any:
        return self.game.play(state, move)

    def outcome(self, state: Any) -> Outcome | None:
        lost = Outcome(1 - state.player, "it does not know")
        return lost if state in self.states else self.game.outcome(state)


class Exactly:
    """Everything that a measurement says, from the answers of a player to all positions."""

    def __init__(self, game: Game[Any], player: Scripted) -> None:
        self.game, self.naive = game, Naive(game)
        self.replies: dict[Any, Reply] = {
            state: player.replies[state] if len(moves) > 1 else {next(iter(moves)): 1.0}
            for state, moves in self.naive.after.items()
            if moves
        }

    def loses(self, state: Any) -> dict[Move, tuple[int, int]]:
        """What each move turns the result of a state into, as ranks."""
        rank = RANK[self.naive.values[state].result]
        return {move: (rank, RANK[value.result]) for move, value in self.naive.moves(state).items()}

    @property
    def decisions(self) -> list[Any]:
        return [
            state
            for state in self.replies
            if any(before > after for before, after in self.loses(state).values())
        ]

    def chances(self, state: Any) -> dict[tuple[int, int], Fraction]:
        """How likely each change of the result is; a fault loses."""
        reply = self.replies[state]
        if isinstance(reply, PlayerFault):
            return {(RANK[self.naive.values[state].result], 0): Fraction(1)}
        return self.weigh(state, {move: Fraction(chance) for move, chance in reply.items()})

    def at_random(self, state: Any) -> dict[tuple[int, int], Fraction]:
        moves = self.naive.after[state]
        return self.weigh(state, dict.fromkeys(moves, Fraction(1, len(moves))))

    def weigh(self, state: Any, reply: Chances) -> dict[tuple[int, int], Fraction]:
        weighed: dict[tuple[int, int], Fraction] = defaultdict(Fraction)
        for move, change in self.loses(state).items():
            weighed[change] += reply.get(move, Fraction(0))
        return weighed

    def good(self, states: list[Any], random: bool = False) -> Fraction:
        """The mean chance to keep the result."""
        chances = self.at_random if random else self.chances
        kept = (c for s in states for (a, b), c in chances(s).items() if a == b)
        return sum(kept, Fraction(0)) / len(states)

    def regret(self, states: list[Any]) -> Fraction:
        lost = ((a - b) * c for s in states for (a, b), c in self.chances(s).items())
        return sum(lost, Fraction(0)) / len(states)

    def thrown(self, states: list[Any], random: bool = False) -> dict[str, Fraction]:
        """How often each result is thrown away."""
        shares: dict[str, Fraction] = defaultdict(Fraction)
        for state in states:
            for change, chance in (self.at_random if random else self.chances)(state).items():
                if change in NAMES:
                    shares[NAMES[change]] += chance / len(states)
        return shares

    def band(self, state: Any) -> int:
        """The quarter of the share of moves that are right."""
        changes = self.loses(state).values()
        share = Fraction(sum(a == b for a, b in changes), len(changes))
        return next(n for n in range(4) if share <= Fraction(n + 1, 4))

    def distances(self) -> dict[Any, int]:
        """The fewest plies from the start to each state."""
        return self.reached(lambda state: list(self.naive.after[state]))

    def reached(self, moves_at: Any) -> dict[Any, int]:
        start = self.game.initial()
        plies, queue = {start: 0}, deque([start])
        while queue:
            state = queue.popleft()
            for move in moves_at(state):
                after = self.naive.after[state][move]
                if after not in plies:
                    plies[after] = plies[state] + 1
                    queue.append(after)
        return plies

    def errors(self, seat: int) -> dict[Any, int]:
        """The first errors of a seat, with the plies before them."""

        def moves_at(state: Any) -> list[Move]:
            if state.player != seat:
                return list(self.naive.after[state])
            reply = self.replies.get(state, {})
            if isinstance(reply, PlayerFault):
                return []
            loses = self.loses(state)
            return [move for move in reply if loses[move][0] == loses[move][1]]

        decisions = set(self.decisions)
        return {
            state: plies
            for state, plies in self.reached(moves_at).items()
            if state.player == seat and state in decisions and self.good([state]) < 1
        }

    def score(self, level: str, seat: int) -> tuple[Fraction, ...]:
        """How games on a seat end against a level: won, lost, drawn, endless."""
        faults = {s for s, r in self.replies.items() if isinstance(r, PlayerFault)}
        ended = Naive(Forfeited(self.game, {s for s in faults if s.player == seat}))
        mine = {
            state: {move: Fraction(chance) for move, chance in reply.items()}
            for state, reply in self.replies.items()
            if not isinstance(reply, PlayerFault)
        }
        ended.policies = {**self.naive.policies, "player": mine}
        pair = ("player", level) if seat == 0 else (level, "player")
        ends = ended.chances(pair)
        return (ends[seat], ends[1 - seat], *ends[2:])
